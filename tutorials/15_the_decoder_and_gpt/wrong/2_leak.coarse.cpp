// rejected: a leak was missed, or found where there is none
#include "tutorials/15_the_decoder_and_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index time) {
  IndexTensor text({1, time});
  for (Index t = 0; t < time; ++t) {
    text.mutable_data()[t] = static_cast<std::int32_t>(uniform_index({.seed = 5}, t, vocabulary));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Tensor before = models[i](text);
    for (Index j = 1; j < time; ++j) {
      IndexTensor changed({1, time}, text.values());
      changed.mutable_data()[j] = static_cast<std::int32_t>((changed.data()[j] + 1) % vocabulary);
      const Tensor after = models[i](changed);
      const Tensor difference = slice(abs(after - before), 1, 0, j);
      if (max(difference).item() > 0.01) return static_cast<int>(i);
    }
  }
  return 0;
}
