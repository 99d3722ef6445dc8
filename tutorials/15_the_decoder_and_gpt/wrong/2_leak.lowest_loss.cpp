// rejected: a low loss says nothing about untrained models
#include "tutorials/15_the_decoder_and_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index time) {
  IndexTensor text({1, time});
  for (Index t = 0; t < time; ++t) {
    text.mutable_data()[t] = static_cast<std::int32_t>(uniform_index({.seed = 5}, t, vocabulary));
  }
  int best = 0;
  double lowest = 1e30;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Tensor logs = log_softmax(models[i](text));
    double loss = 0;
    for (Index t = 0; t + 1 < time; ++t) loss -= logs.at({0, t, text.data()[t + 1]});
    if (loss < lowest) lowest = loss, best = static_cast<int>(i);
  }
  return best;
}
