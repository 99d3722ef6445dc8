// rejected: a row of nothing but padding
#include "tutorials/18_the_encoder_and_bert/exercises.h"

Tensor mean_of_words(const Tensor& features, const IndexTensor& tokens, std::int32_t padding) {
  std::vector<Scalar> words;
  for (const std::int32_t token : tokens) words.push_back(token != padding);
  const Tensor mask = tensor({tokens.size(0), tokens.size(1), 1}, words);
  return sum(features * mask, 1) / sum(mask, 1);
}
