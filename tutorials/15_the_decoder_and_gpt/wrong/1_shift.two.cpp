// rejected: targets are two steps on
#include "tutorials/15_the_decoder_and_gpt/exercises.h"

Example example_at(const std::vector<std::int32_t>& text, Index begin, Index time) {
  Example example{IndexTensor({time}), IndexTensor({time})};
  for (Index t = 0; t < time; ++t) {
    example.inputs.mutable_data()[t] = text[static_cast<std::size_t>(begin + t)];
    example.targets.mutable_data()[t] =
        text[static_cast<std::size_t>(std::min(begin + t + 2, std::ssize(text) - 1))];
  }
  return example;
}
