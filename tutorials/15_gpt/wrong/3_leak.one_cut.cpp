// rejected: leaks across the middle were found, and no others
#include "tutorials/15_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index length) {
  Tokens text;
  for (Index t = 0; t < length; ++t) {
    text.push_back(static_cast<std::int32_t>(uniform_index({.seed = 5}, t, vocabulary)));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Index half = length / 2;
    const Tensor whole = models[i](IndexTensor({1, length}, text));
    const Tensor first =
        models[i](IndexTensor({1, half}, Tokens(text.begin(), text.begin() + half)));
    for (Index k = 0; k < half * vocabulary; ++k) {
      if (std::abs(whole.data()[k] - first.data()[k]) > 1e-5) return static_cast<int>(i);
    }
  }
  return 0;
}
