//! [21 patchify]
// The vision transformer: an image as a sequence of patches (Dosovitskiy and others, 2021).
#pragma once

#include "bert.h"

namespace pocket {

inline Tensor patchify(const Tensor& images, Index patch) {  // [B, height, width] to [B, N, P P]
  //! [21.1]
  const Index b = images.size(0), down = images.size(1) / patch, across = images.size(2) / patch;
  const Tensor grid = reshape(images, {b, down, patch, across, patch});
  return reshape(permute(grid, {0, 1, 3, 2, 4}), {b, down * across, patch * patch});
  //! [21.1]
}
//! [21 patchify]

//! [21 VisionConfig]
struct VisionConfig {
  Index height = 28, width = 28, patch = 7, n_labels = 10, n_layer = 2;
  LayerOptions layer = {.d_model = 64, .num_heads = 4, .position = Position::kLearned};
};
//! [21 VisionConfig]

//! [21 VisionTransformer]
struct VisionTransformer {
  explicit VisionTransformer(const VisionConfig& given, std::uint64_t seed = 0) : config(given) {
    config.layer.max_length = config.height * config.width / (config.patch * config.patch) + 1;
    KeySequence keys(seed);
    embed = Linear(config.patch * config.patch, config.layer.d_model, keys);
    class_token = normal({1, given.layer.d_model}, keys.next(), 0, Scalar(.02)).set_requires_grad();
    encoder = Encoder(config.layer, config.n_layer, keys);
    head = Linear(config.layer.d_model, config.n_labels, keys);
  }
  Tensor operator()(const Tensor& images) const {
    //! [21.2]
    const Tensor first = class_token + zeros({images.size(0), 1, 1});  // [B, 1, C]
    const Tensor x = encoder(concat({first, embed(patchify(images, config.patch))}, 1));
    return head(reshape(slice(x, 1, 0, 1), {images.size(0), -1}));
    //! [21.2]
  }
  void fields(auto&& f) {
    f("embed", embed), f("class_token", class_token), f("encoder", encoder), f("head", head);
  }
  VisionConfig config;
  Linear embed, head;
  Tensor class_token;  // [1, C]
  Encoder encoder;
};

}  // namespace pocket
//! [21 VisionTransformer]
