// Another token at position j must change no logit before j. Every j is tried, as a leak may show
// at one position only.
#include "tutorials/15_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index length) {
  Tokens text;
  for (Index t = 0; t < length; ++t) {
    text.push_back(static_cast<std::int32_t>(uniform_index({.seed = 5}, t, vocabulary)));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Tensor before = models[i](IndexTensor({1, length}, text));
    for (Index j = 1; j < length; ++j) {
      Tokens changed = text;
      std::int32_t& token = changed[static_cast<std::size_t>(j)];
      token = static_cast<std::int32_t>((token + 1) % vocabulary);
      const Tensor after = models[i](IndexTensor({1, length}, changed));
      for (Index k = 0; k < j * vocabulary; ++k) {
        if (std::abs(after.data()[k] - before.data()[k]) > 1e-5) return static_cast<int>(i);
      }
    }
  }
  return 0;
}
