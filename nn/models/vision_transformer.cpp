#include "nn/models/vision_transformer.h"

#include "autograd/check.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;

Tensor patchify(const Tensor& images, Index patch) {
  check(images.rank() == 3 && patch >= 1 && images.size(1) % patch == 0 &&
            images.size(2) % patch == 0,
        "patchify: needs images [B, height, width] that divide into patches of ", patch, ", got ",
        images.shape());
  const Index b = images.size(0), down = images.size(1) / patch, across = images.size(2) / patch;
  const Tensor grid = reshape(images, {b, down, patch, across, patch});
  return reshape(permute(grid, {0, 1, 3, 2, 4}), {b, down * across, patch * patch});
}

VisionTransformer::VisionTransformer(const VisionConfig& given, std::uint64_t seed)
    : config(given) {
  check(config.patch >= 1 && config.height >= 1 && config.width >= 1 &&
            config.height % config.patch == 0 && config.width % config.patch == 0,
        "vit: images of ", config.height, " x ", config.width, " do not divide into patches of ",
        config.patch);
  check(config.n_labels >= 2, "vit: needs at least 2 labels, got ", config.n_labels);
  config.layer.max_length = config.patches() + 1;
  KeySequence keys(seed);
  const Index channels = config.layer.d_model;
  embed = Linear(config.patch * config.patch, channels, keys);
  class_token = normal({1, channels}, keys.next(), 0, Scalar(0.02)).set_requires_grad();
  encoder = Encoder(config.layer, config.n_layer, keys);
  head = Linear(channels, config.n_labels, keys);
}

Tensor VisionTransformer::operator()(const Tensor& images) const {
  require_made("VisionTransformer", embed.weight.defined());
  check(images.rank() == 3 && images.size(1) == config.height && images.size(2) == config.width,
        "vit: needs images [B, ", config.height, ", ", config.width, "], got ", images.shape());
  const Index b = images.size(0), channels = config.layer.d_model;
  const Tensor patches = embed(patchify(images, config.patch));
  const Tensor first = broadcast_to(class_token, {b, 1, channels});
  const Tensor x = encoder(concat({first, patches}, 1));  // [B, N + 1, C]
  return head(reshape(slice(x, 1, 0, 1), {b, channels}));
}

}  // namespace gradus
