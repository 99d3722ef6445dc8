/// @file
/// Computes the attention weights of any checkpoint's model on a text or an image, for
/// `gradus attention`.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// The attention of one layer. Row t of a head holds the weights with which position t attends to
/// each position.
struct LayerAttention {
  std::string part;                  ///< "", or "encoder", "decoder" or "cross"
  int layer = 1;                     ///< counted from 1, in its part
  std::vector<std::string> rows;     ///< labels of the T tokens that attend
  std::vector<std::string> columns;  ///< labels of the S tokens attended to
  Tensor weights;                    ///< [H, T, S], before dropout
  bool causal = false;               ///< whether row t sees columns up to t only
  Tensor image = Tensor();  ///< [height, width], from 0 to 1; its patches are the positions after
                            ///< the first; undefined for a text
  Index patch = 0;          ///< the side of a patch, in pixels

  /// "Layer 2, head 3: which tokens attend to which".
  std::string title(int head) const;
  int heads() const { return static_cast<int>(weights.size(0)); }  ///< H
  bool is_self() const { return part != "cross"; }  ///< whether rows and columns are one text
};

/// The weights of one head, counted from 1. Keeps a reference to the layer.
class AttentionHead {
 public:
  AttentionHead(const LayerAttention& layer, int head)
      : rows_(layer.weights.size(1)),
        columns_(layer.weights.size(2)),
        causal_(layer.causal),
        data_(layer.weights.data() + (head - 1) * rows_ * columns_),
        greatest_(std::max(double{*std::max_element(data_, data_ + rows_ * columns_)}, 1e-12)) {}

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  double at(Index t, Index s) const { return data_[t * columns_ + s]; }
  bool is_hidden(Index t, Index s) const { return causal_ && s > t; }
  double greatest() const { return greatest_; }
  /// The root of weight / greatest weight. Without the root most cells of a long text would be
  /// dark, because their weights are small.
  double brightness(Index t, Index s) const { return std::sqrt(at(t, s) / greatest_); }

 private:
  Index rows_, columns_;
  bool causal_;
  const Scalar* data_;
  double greatest_;
};

/// The input of the model.
struct AttentionInput {
  std::string text;           ///< for all models except a vision transformer
  std::string target;         ///< for a translator: the translation, if given
  bool target_given = false;  ///< otherwise the model translates by itself
  std::int64_t image = 0;     ///< for a vision transformer: number of a drawn digit
};

/// The attention of all layers of the model in this folder. For a translator they are the encoder's
/// layers, then the decoder's, and then its cross-attention, whose rows are labelled with the token
/// that is written there.
/// @throws std::runtime_error naming the file that is missing or wrong; std::invalid_argument if
/// the text is empty, too long, or cannot be encoded.
std::vector<LayerAttention> attention_of(const std::filesystem::path& folder,
                                         const AttentionInput& input);

/// A token as a label: a blank as ·, a new line as ↵, a tab as ⇥, and other invisible characters
/// and invalid bytes as \xHH. A long token is cut short.
std::string token_label(const std::string& piece);

}  // namespace gradus
