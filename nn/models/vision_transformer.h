/// @file
/// The vision transformer, which reads an image as a sequence of patches.
///
/// Dosovitskiy and others, "An image is worth 16x16 words", 2021. Shapes: B batch, N patches, P
/// side of a patch, C channels of the model.
#pragma once

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes and parts of a VisionTransformer. Lengths are in pixels.
/// @code
/// VisionConfig{}.patches();  // 16
/// @endcode
struct VisionConfig {
  Index height = 28;    ///< an image's, a multiple of patch
  Index width = 28;     ///< an image's, a multiple of patch
  Index patch = 7;      ///< P, the side of a patch
  Index n_labels = 10;  ///< the number of classes, at least 2
  int n_layer = 2;      ///< number of layers of the encoder
  /// The options of the layers; max_length is computed from the image's size.
  LayerOptions layer = {.d_model = 64,
                        .num_heads = 4,
                        .activation = Activation::kGelu,
                        .position = Position::kLearned};

  /// N, the number of patches of an image.
  Index patches() const { return height / patch * (width / patch); }

  /// Names each field as in config.json.
  void fields(auto&& f) {
    f("n_layer", n_layer);
    f("height", height);
    f("width", width);
    f("patch", patch);
    f("n_labels", n_labels);
    layer.fields(f);
  }
};

/// Cuts images [B, height, width] into patches [B, N, P P], with P = `patch`. The patches, and the
/// pixels in each patch, are in row-major order. Together with a Linear layer this is a convolution
/// whose stride is its kernel size.
/// @throws std::invalid_argument unless P divides height and width.
Tensor patchify(const Tensor& images, Index patch);

/// A vision transformer: images [B, height, width] to logits of labels [B, n_labels]. It embeds the
/// patches, puts a class token before them, and classifies the encoder's output for the class
/// token.
/// @code
/// const VisionTransformer model({.height = 4, .width = 6, .patch = 2, .n_labels = 3}, 1);
/// model(ones({5, 4, 6})).shape();  // [5, 3]
/// @endcode
struct VisionTransformer {
  VisionConfig config;  ///< its sizes and parts
  Linear embed;         ///< [P P, C]
  Tensor class_token;   ///< [1, C]
  Encoder encoder;      ///< reads N + 1 positions
  Linear head;          ///< [C, n_labels]

  VisionTransformer() = default;
  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config is invalid.
  explicit VisionTransformer(const VisionConfig& config, std::uint64_t seed = 0);
  /// images [B, height, width] to logits [B, n_labels].
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
