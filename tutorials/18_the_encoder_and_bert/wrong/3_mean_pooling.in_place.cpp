// rejected: argument 1 has changed
#include "tutorials/18_the_encoder_and_bert/exercises.h"

Tensor mean_of_words(const Tensor& features, const IndexTensor& tokens, std::int32_t padding) {
  Tensor x = features;
  const Index channels = x.size(-1);
  std::vector<Scalar> counts(tokens.size(0));
  for (Index i = 0; i < tokens.size(); ++i) {
    counts[std::size_t(i / tokens.size(1))] += tokens.data()[i] != padding;
    if (tokens.data()[i] == padding) std::fill_n(x.mutable_data() + i * channels, channels, 0);
  }
  for (Scalar& count : counts) count = std::max(count, Scalar(1));
  return sum(x, 1) / tensor({x.size(0), 1}, counts);
}
