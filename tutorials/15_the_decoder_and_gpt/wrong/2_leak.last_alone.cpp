// rejected: a leak in the middle of the text was missed
#include "tutorials/15_the_decoder_and_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index time) {
  IndexTensor text({1, time});
  for (Index t = 0; t < time; ++t) {
    text.mutable_data()[t] = static_cast<std::int32_t>(uniform_index({.seed = 5}, t, vocabulary));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    IndexTensor changed({1, time}, text.values());
    changed.mutable_data()[time - 1] =
        static_cast<std::int32_t>((changed.data()[time - 1] + 1) % vocabulary);
    const Tensor difference = abs(models[i](changed) - models[i](text));
    if (max(slice(difference, 1, 0, time - 1)).item() > 1e-5) return static_cast<int>(i);
  }
  return 0;
}
