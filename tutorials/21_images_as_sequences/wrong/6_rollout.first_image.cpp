// rejected: two images
#include "tutorials/21_images_as_sequences/exercises.h"

Tensor rollout(const VisionTransformer& model, const Tensor& images) {
  const NoGrad no_grad;
  const Index b = images.size(0), heads = model.config.layer.num_heads;
  const Tensor first = model.class_token + zeros({b, 1, 1});
  const Tensor patches = model.embed(patchify(images, model.config.patch));
  Tensor x = model.encoder.positions.embed(concat({first, patches}, 1));
  const Index t = x.size(1);
  Tensor identity({t, t});
  for (Index i = 0; i < t; ++i) identity.mutable_data()[i * t + i] = 1;
  Tensor rolled = identity + zeros({b, 1, 1});
  for (const Block& layer : model.encoder.layers) {
    const Tensor y = layer.ln_1(x);
    const Tensor weights = attention_weights(split_heads(layer.attn.query(y), heads),
                                             split_heads(layer.attn.key(y), heads));
    rolled = matmul((mean(weights, 1) + identity) / 2, rolled);
    x = layer(x);
  }
  const Tensor row = reshape(slice(slice(rolled, 1, 0, 1), 2, 1), {b, t - 1});
  return slice(row / sum(row, -1, {.keepdim = true}), 0, 0, 1) + zeros({b, 1});
}
