/// @file
/// Chapter 21: where attention goes, and whether the class token looks for ink.
#pragma once

#include "tutorials/21_images_as_sequences/learning.h"

// [weights_of]
/// The attention weights of each layer, [B, H, T, T]: the encoder's forward pass once more.
inline std::vector<Tensor> weights_of(const VisionTransformer& model, const Tensor& images) {
  const Tensor first = model.class_token + zeros({images.size(0), 1, 1});
  const Tensor patches = model.embed(patchify(images, model.config.patch));
  Tensor x = model.encoder.positions.embed(concat({first, patches}, 1));
  std::vector<Tensor> weights;
  for (const Block& layer : model.encoder.layers) {
    const Tensor y = layer.ln_1(x);
    const Index heads = layer.attn.num_heads;
    weights.push_back(attention_weights(split_heads(layer.attn.query(y), heads),
                                        split_heads(layer.attn.key(y), heads)));
    x = layer(x);
  }
  return weights;
}
// [weights_of]

// [grids_of]
inline std::vector<Grid> grids_of(const VisionTransformer& model, const Digits& some) {
  const std::vector<Tensor> layers = weights_of(model, some.images);
  return std::vector<Grid>(layers.begin(), layers.end());
}

/// Prints how much of the class token's weight is on patches with ink, at five seeds and on
/// average: with the image's own weights, and with the weights of another image.
inline void ink_of_five(const Data& data) {
  const Part part("ink");
  const Digits some = random_digits(data.held_out, 200, {4});
  std::vector<Index> next(200);
  for (Index i = 0; i < 200; ++i) next[i] = (i + 1) % 200;
  const Digits others = some_of(some, next);
  std::vector<double> rows[4];
  double with_ink = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    VisionTransformer model(config_of(4), seed);
    learn(model, data.train, 1000, 0.005, seed);
    const std::vector<Grid> weights = grids_of(model, some);
    const std::vector<double> own = percent_ink(some.images, weights),
                              other = percent_ink(others.images, weights);
    with_ink = own[0];
    for (int i = 0; i < 4; ++i) rows[i].push_back(i % 2 == 0 ? own[1 + i / 2] : other[1 + i / 2]);
  }
  std::printf("%2.0f %% of patches have ink   seed 1      2      3      4      5   mean\n",
              with_ink);
  const char* names[] = {"its own weights", "another image's"};
  for (int i = 0; i < 4; ++i) {
    std::printf("layer %d, %-17s", 1 + i / 2, names[i % 2]);
    rows[i].push_back(std::accumulate(rows[i].begin(), rows[i].end(), 0.0) / 5);
    for (const double percent : rows[i]) std::printf(" %4.0f %%", percent);
    std::printf("\n");
  }
}
// [grids_of]
