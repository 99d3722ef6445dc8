// rejected: a low loss says nothing about untrained models
#include "tutorials/15_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index length) {
  Tokens text;
  for (Index t = 0; t < length; ++t) {
    text.push_back(static_cast<std::int32_t>(uniform_index({.seed = 5}, t, vocabulary)));
  }
  int best = 0;
  double lowest = 1e30;
  const IndexTensor targets({1, length - 1}, Tokens(text.begin() + 1, text.end()));
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Tensor logits = slice(models[i](IndexTensor({1, length}, text)), 1, 0, -1);
    const double loss = cross_entropy(logits, targets).item();
    if (loss < lowest) lowest = loss, best = static_cast<int>(i);
  }
  return best;
}
