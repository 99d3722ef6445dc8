/// @file
/// Recurrent layers: RNN, LSTM and GRU, one step at a time or over a whole sequence, stacked.
///
/// As PyTorch's RNN, LSTM and GRU, with the gates in its order and two biases. Weights are [in,
/// gates H] like Linear's, the transposes of PyTorch's. Shapes: B batch, T time, C input channels,
/// H hidden, P parts_of(kind): a state [B, P H] is h, followed by c in an LSTM. See
/// recurrent_step() for the formulas and papers.
#pragma once

#include <vector>

#include "nn/layers/layers.h"
#include "nn/layers/recurrent_cell.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// One layer of recurrent cells, with its weights.
///
/// Weights and biases are initialised uniformly in \f$ [-1/\sqrt H, 1/\sqrt H) \f$, as in PyTorch.
/// @code
/// KeySequence keys(1);
/// const RecurrentLayer gru(RecurrentKind::kGru, 3, 5, keys);
/// gru(ones({2, 7, 3})).shape();  // [2, 7, 5]
/// @endcode
struct RecurrentLayer {
  RecurrentKind kind = RecurrentKind::kGru;  ///< the kind of cell
  bool backwards = false;                    ///< whether to read sequences from the end
  Linear ih;                                 ///< from the input: [C, gates H]
  Linear hh;                                 ///< from h: [H, gates H]

  RecurrentLayer() = default;
  /// Takes four keys.
  RecurrentLayer(RecurrentKind kind, Index channels, Index hidden, KeySequence& keys,
                 bool backwards = false);

  /// H.
  /// @throws std::invalid_argument if it was default-constructed.
  Index hidden() const {
    detail::require_made("RecurrentLayer", hh.weight.defined());
    return hh.weight.size(0);
  }
  /// The initial state [B, P H]: zeros.
  Tensor first_state(Index batch) const;
  /// h [..., H] of states [..., P H].
  Tensor h_of(const Tensor& states) const;

  /// One step: x [B, C], state [B, P H] to the next state.
  Tensor step(const Tensor& x, const Tensor& state) const {
    detail::require_made("RecurrentLayer", ih.weight.defined());
    return step_from(ih(x), state);
  }
  /// The same, given ih(x) [B, gates H].
  Tensor step_from(const Tensor& from_input, const Tensor& state) const;

  /// All steps, with one product for all inputs: x [B, T, C] to the states [B, T, P H]. An
  /// undefined state means first_state(). A step where the mask [B, T] is 0 leaves the state
  /// unchanged.
  /// @throws std::invalid_argument if the shapes do not fit.
  Tensor operator()(const Tensor& x, const Tensor& state = Tensor(),
                    const IndexTensor& mask = {}) const;
  /// The final state [B, P H] of states [B, T, P H]: at t = 0 if it reads backwards.
  Tensor last_of(const Tensor& states) const;

  void fields(auto&& f) {
    f("ih", ih);
    f("hh", hh);
  }
};

/// Stacked recurrent layers; each reads the h of the one below.
/// @code
/// KeySequence keys(1);
/// const Recurrent lstm(RecurrentKind::kLstm, 3, 5, 2, keys);
/// auto [y, states] = lstm(ones({1, 7, 3}));  // two layers, each with a state of h and c
/// states[1].shape();  // [1, 10]
/// lstm(ones({1, 2, 3}), states).y.shape();  // [1, 2, 5]
/// @endcode
struct Recurrent {
  std::vector<RecurrentLayer> layers;  ///< the first reads the input

  /// The result for a batch of sequences.
  struct Output {
    Tensor y;                    ///< [B, T, H], h of the last layer
    std::vector<Tensor> states;  ///< [B, P H], the last state of each layer
  };

  Recurrent() = default;
  /// `depth` layers of that kind; the first has C = `channels` inputs.
  /// @throws std::invalid_argument if depth is below 1.
  Recurrent(RecurrentKind kind, Index channels, Index hidden, int depth, KeySequence& keys);

  /// x [B, T, C]; the states, one per layer, default to zeros.
  /// @throws std::invalid_argument if the shapes, or the number of states, do not fit.
  Output operator()(const Tensor& x, const std::vector<Tensor>& states = {}) const;

  void fields(auto&& f) { f("layers", layers); }
};

/// @}

}  // namespace gradus
