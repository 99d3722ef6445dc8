/// @file
/// Low-rank adaptation (LoRA): trains two small matrices beside each frozen one.
///
/// Hu and others, "LoRA: low-rank adaptation of large language models", 2021.
#pragma once

#include <string>
#include <type_traits>

#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// The sizes of low-rank pairs.
/// @code
/// LoraOptions{.rank = 4, .alpha = 8}.scale();  // 2
/// @endcode
struct LoraOptions {
  Index rank = 8;     ///< r, the width between the two matrices
  Scalar alpha = 16;  ///< the product of a pair is multiplied by alpha / r

  /// s = alpha / r. Another rank then seldom needs another learning rate.
  Scalar scale() const { return alpha / static_cast<Scalar>(rank); }
};

/// Freezes a layer and gives it a low-rank pair, which is trained in its place:
/// \f[ y = x W + b + \frac{\alpha}{r}\,(x A)\,B \f]
/// with A [in, r] and B [r, out]. A starts as N(0, 1 / in), B as 0, so that y does not change.
/// Takes one key.
/// @code
/// KeySequence keys(1);
/// Linear layer(6, 4, keys);
/// add_lora(layer, {.rank = 2}, keys);
/// count(parameters(layer));             // 48
/// count(trainable(parameters(layer)));  // 20
/// @endcode
/// @throws std::invalid_argument if the rank is not in [1, min(in, out)], alpha is not a positive
/// finite number, or the layer has a pair or a narrow weight.
void add_lora(Linear& layer, const LoraOptions& options, KeySequence& keys);

/// The function object that visit_linears() passes to `fields`.
/// @code
/// KeySequence keys(1);
/// FeedForward network(4, 16, keys);
/// int layers = 0;
/// visit_linears(network, [&](const Linear&) { ++layers; });
/// layers;  // 2
/// @endcode
template <class Visit>
class LinearVisitor {
 public:
  /// Calls `visit` for each layer.
  explicit LinearVisitor(Visit& visit) : visit_(visit) {}
  /// Visits a layer, or enters a module or a vector of modules.
  void operator()(const std::string&, auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, Linear>) {
      visit_(field);
    } else if constexpr (!std::is_same_v<Field, Tensor>) {
      if constexpr (requires { field.begin(); }) {
        for (auto& element : field) (*this)("", element);
      } else {
        field.fields(LinearVisitor(visit_));
      }
    }
  }
  void outer(const std::string&, auto&) {}     ///< skips an output layer
  void buffer(const std::string&, Tensor&) {}  ///< skips a tensor that is not learned

 private:
  Visit& visit_;
};

/// Calls `visit(Linear&)` for each linear layer of a module, in the order of the fields, except for
/// output layers.
template <class Module, class Visit>
void visit_linears(Module& module, Visit&& visit) {
  module.fields(LinearVisitor<std::remove_reference_t<Visit>>(visit));
}

/// Freezes all parameters of a module, and gives each of its linear layers a low-rank pair, except
/// for output layers: in a Gpt or an Encoder, all maps of attention and feed-forward networks.
/// @code
/// const GptConfig sizes{.vocab_size = 11, .n_positions = 7, .n_layer = 1, .n_head = 2,
///                       .n_embd = 8};
/// Gpt model(sizes);
/// KeySequence keys(1);
/// add_lora(model, {.rank = 2, .alpha = 4}, keys);
/// trainable(parameters(model)).size();  // 8
/// @endcode
/// @throws std::invalid_argument as for one layer.
template <class Module>
void add_lora(Module& module, const LoraOptions& options, KeySequence& keys) {
  set_requires_grad(module, false);
  visit_linears(module, [&](Linear& layer) { add_lora(layer, options, keys); });
}

/// @}

}  // namespace gradus
