// Exercise 18.7, 15 minutes: one row of two sentences.
//
// Return the row [CLS] a [SEP] b [SEP], filled up with `padding` to `length`, and its segments: 0
// up to and including the first [SEP], 1 up to and including the second, 0 for padding.
//
// If the row is too long, drop words at the ends of the sentences, one after another: each time the
// last word of the longer sentence, or of b if they are equally long. Below a length of 3, throw
// std::invalid_argument.
#include "tutorials/18_the_encoder_and_bert/exercises.h"

PairRow row_of_pair(const Tokens& a, const Tokens& b, Index length, std::int32_t cls,
                    std::int32_t sep, std::int32_t padding) {
  return {};
}
