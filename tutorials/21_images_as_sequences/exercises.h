/// @file
/// Declarations for the variations of chapter 21, on pocket.
#pragma once

#if __has_include("pocket/vision.h")
#include "pocket/vision.h"  // the reader's, where the chapter's program is compiled on it
#else
#include "tutorials/pocket/vision.h"
#endif

using namespace pocket;

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch);

// [autoencoder]
/// Exercise 21.6: an encoder that reads some patches of an image and draws the others.
struct MaskedAutoencoder {
  explicit MaskedAutoencoder(const VisionConfig& given, std::uint64_t seed = 0) : config(given) {
    const Index channels = config.layer.d_model, pixels = config.patch * config.patch;
    config.layer.max_length = config.height * config.width / pixels;
    KeySequence keys(seed);
    embed = Linear(pixels, channels, keys);
    unseen = normal({1, channels}, keys.next(), 0, Scalar(0.02)).set_requires_grad();
    encoder = Encoder(config.layer, config.n_layer, keys);
    head = Linear(channels, pixels, keys);
  }
  void fields(auto&& f) {
    f("embed", embed), f("unseen", unseen), f("encoder", encoder), f("head", head);
  }
  VisionConfig config;
  Linear embed, head;  // from a patch's pixels to a vector, and back
  Tensor unseen;       // [1, C]: the vector of every hidden patch
  Encoder encoder;
};
// [autoencoder]

Tensor hide(Index images, Index patches, Index count, const RandomKey& key);
Tensor completed(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden);
Tensor hidden_error(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden);
