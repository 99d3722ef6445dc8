// Exercise 15.1, 5 minutes: targets, one step on.
//
// Cut an example of `time` tokens out of a text, beginning with token number `begin`: inputs [T],
// and as targets [T], at each place, the token that comes next in the text.
#include "tutorials/15_the_decoder_and_gpt/exercises.h"

Example example_at(const std::vector<std::int32_t>& text, Index begin, Index time) {
  return {IndexTensor({time}), IndexTensor({time})};
}
