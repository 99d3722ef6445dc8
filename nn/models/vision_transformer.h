/// @file
/// The vision transformer: an image as a sequence of patches.
///
/// Dosovitskiy and others, "An image is worth 16x16 words", 2021. Shapes: B batch, N patches, P
/// side of a patch, C channels of the model.
#pragma once

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes of a VisionTransformer.
/// @code
/// VisionConfig{}.patches();  // 16
/// @endcode
struct VisionConfig {
  Index height = 28;    ///< of an image, a multiple of patch
  Index width = 28;     ///< of an image, a multiple of patch
  Index patch = 7;      ///< P, the side of a patch
  Index n_labels = 10;  ///< classes
  int n_layer = 2;      ///< layers of the encoder
  /// What the layers are built of; max_length follows from the image.
  LayerOptions layer = {.d_model = 64,
                        .num_heads = 4,
                        .activation = Activation::kGelu,
                        .position = Position::kLearned};

  /// N.
  Index patches() const { return height / patch * (width / patch); }

  /// Names each field, as config.json has it.
  void fields(auto&& f) {
    f("n_layer", n_layer);
    f("height", height);
    f("width", width);
    f("patch", patch);
    f("n_labels", n_labels);
    layer.fields(f);
  }
};

/// Cuts images [B, height, width] into patches [B, N, P P]. Patches, and the pixels in each, are in
/// row-major order. Followed by a Linear layer, this is a convolution whose stride is its kernel
/// size.
/// @throws std::invalid_argument unless P divides height and width.
Tensor patchify(const Tensor& images, Index patch);

/// Images [B, height, width] to logits of labels [B, n_labels]: patches are embedded, a class token
/// is prepended, and the encoder's output for it is classified.
/// @code
/// const VisionTransformer model({.height = 4, .width = 6, .patch = 2, .n_labels = 3}, 1);
/// model(ones({5, 4, 6})).shape();  // [5, 3]
/// @endcode
struct VisionTransformer {
  VisionConfig config;  ///< its sizes
  Linear embed;         ///< [P P, C]
  Tensor class_token;   ///< [1, C]
  Encoder encoder;      ///< over N + 1 positions
  Linear head;          ///< [C, n_labels]

  VisionTransformer() = default;
  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config is invalid.
  explicit VisionTransformer(const VisionConfig& config, std::uint64_t seed = 0);
  /// images [B, height, width] to [B, n_labels].
  /// @throws std::invalid_argument if the images have a different size.
  Tensor operator()(const Tensor& images) const;
  void fields(auto&& f) {
    f.outer("embed", embed);
    f.outer("class_token", class_token);
    f("encoder", encoder);
    f.outer("head", head);
  }
};

/// @}

}  // namespace gradus
