#include "tutorials/21_images_as_sequences/exercises.h"

Tensor hide(Index images, Index patches, Index count, const RandomKey& key) {
  Tensor hidden({images, patches});
  for (Index i = 0; i < images; ++i) {
    Scalar* row = hidden.mutable_data() + i * patches;
    std::fill_n(row, count, Scalar(1));
    for (Index n = patches - 1; n > 0; --n) {
      std::swap(row[n], row[uniform_index(key, i * patches + n, n + 1)]);
    }
  }
  return hidden;
}

Tensor completed(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden) {
  const VisionConfig& config = model.config;
  const Tensor patches = patchify(images, config.patch);
  const Tensor h = reshape(hidden, {hidden.size(0), hidden.size(1), 1});  // [B, N, 1]
  const Tensor x = model.embed(patches) * (1 - h) + model.unseen * h;
  const Tensor pixels = model.head(model.encoder(x));
  const Tensor all = patches * (1 - h) + pixels * h;
  const Index p = config.patch, down = config.height / p, across = config.width / p;
  const Tensor grid = permute(reshape(all, {-1, down, across, p, p}), {0, 1, 3, 2, 4});
  return reshape(grid, {-1, config.height, config.width});
}

Tensor hidden_error(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden) {
  const Tensor difference = completed(model, images, hidden) - images;  // 0 where it is seen
  const Index p = model.config.patch;
  return sum(difference * difference) / (sum(hidden) * Scalar(p * p));
}
