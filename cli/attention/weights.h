/// @file
/// The attention weights of any checkpoint's model on a text or an image: for `gradus attention`.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// The attention of one layer. Row t of a head says how much place t takes from each place.
struct LayerAttention {
  std::string part;                  ///< "", or "encoder", "decoder" or "cross"
  int layer = 1;                     ///< counted from 1, in its part
  std::vector<std::string> rows;     ///< what looks: T tokens, as they may be shown
  std::vector<std::string> columns;  ///< the S tokens attended to
  Tensor weights;                    ///< [H, T, S], before dropout
  bool causal = false;               ///< whether row t sees columns up to t only
  Tensor image = Tensor();  ///< [height, width] of 0 to 1, whose patches the positions behind
                            ///< the first are; undefined for a text
  Index patch = 0;          ///< the side of a patch, in pixels

  /// "Layer 2, head 3: who looks at whom".
  std::string title(int head) const;
  int heads() const { return static_cast<int>(weights.size(0)); }  ///< H
  bool is_self() const { return part != "cross"; }  ///< whether a text looks at itself
};

/// The weights of one head, counted from 1. Refers to the layer.
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
  /// The root of its share of the greatest weight: most weights of a long text are small, and would
  /// all be dark.
  double brightness(Index t, Index s) const { return std::sqrt(at(t, s) / greatest_); }

 private:
  Index rows_, columns_;
  bool causal_;
  const Scalar* data_;
  double greatest_;
};

/// What the model reads.
struct AttentionInput {
  std::string text;           ///< of all but a vision transformer
  std::string target;         ///< of a translator; empty for its own translation
  bool target_given = false;  ///< whether there is one
  std::int64_t image = 0;     ///< number of a drawn digit, of a vision transformer
};

/// The attention of all layers of the model in this folder. A translator has its encoder's first,
/// then its decoder's, and then what its decoder looks at in the source, whose rows are labelled by
/// the token that is written there.
/// @throws std::runtime_error naming the file that is missing or wrong; std::invalid_argument if
/// the text is empty, too long, or the tokenizer cannot express it.
std::vector<LayerAttention> attention_of(const std::filesystem::path& folder,
                                         const AttentionInput& input);

/// A token as a label: one blank as ·, a new line as ↵, a tab as ⇥, other invisible characters and
/// bytes that are none as \xHH, and of long ones the beginning.
std::string token_label(const std::string& piece);

}  // namespace gradus
