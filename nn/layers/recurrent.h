/// @file
/// Recurrent layers: RNN, LSTM and GRU, one step at a time or a whole sequence, several deep.
///
/// As PyTorch's RNN, LSTM and GRU, with the gates in its order and two biases; weights are kept as
/// [in, gates H] like those of Linear, the transposes of PyTorch's. Shapes: B batch, T time, C
/// channels of the input, H hidden, P parts_of(kind): a state [B, P H] is h and, for an LSTM, c
/// behind it. See recurrent_step() for the formulas and papers.
#pragma once

#include <vector>

#include "autograd/fused/recurrent.h"
#include "nn/layers/layers.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// One layer of recurrent cells, with its weights.
///
/// All are initialised uniformly in [-1 / sqrt(H), 1 / sqrt(H)), as PyTorch does.
/// @code
/// KeySequence keys(1);
/// const RecurrentLayer gru(RecurrentKind::kGru, 3, 5, keys);
/// gru(ones({2, 7, 3})).shape();  // [2, 7, 5]
/// @endcode
struct RecurrentLayer {
  RecurrentKind kind = RecurrentKind::kGru;  ///< what a cell does
  bool backwards = false;                    ///< whether a sequence is read from its end
  Linear ih;                                 ///< from the input: [C, gates H]
  Linear hh;                                 ///< from h: [H, gates H]

  RecurrentLayer() = default;
  /// Takes four keys.
  RecurrentLayer(RecurrentKind kind, Index channels, Index hidden, KeySequence& keys,
                 bool backwards = false);

  /// H.
  /// @throws std::invalid_argument if it was default-constructed.
  Index hidden() const {
    require_made("RecurrentLayer", hh.weight.defined());
    return hh.weight.size(0);
  }
  /// The state [B, P H] before anything was read: zeros.
  Tensor first_state(Index batch) const;
  /// The part h [..., H] of states [..., P H].
  Tensor h_of(const Tensor& states) const;

  /// One step: x [B, C], state [B, P H] to the next state.
  Tensor step(const Tensor& x, const Tensor& state) const {
    require_made("RecurrentLayer", ih.weight.defined());
    return step_from(ih(x), state);
  }
  /// The same where ih(x) [B, gates H] is there already.
  Tensor step_from(const Tensor& from_input, const Tensor& state) const;

  /// All steps, with one product for all inputs: x [B, T, C] to the states [B, T, P H]. The state
  /// may be undefined, for first_state(). A step where the mask [B, T] is 0 leaves the state as it
  /// was.
  /// @throws std::invalid_argument if the shapes do not fit.
  Tensor operator()(const Tensor& x, const Tensor& state = Tensor(),
                    const IndexTensor& mask = {}) const;
  /// The last of these states [B, T, P H] that it came to, [B, P H].
  Tensor last_of(const Tensor& states) const;

  /// Names the members once: see module.h.
  void fields(auto&& f) {
    f("ih", ih);
    f("hh", hh);
  }
};

/// Recurrent layers on top of each other; each reads the h of the one below.
/// @code
/// KeySequence keys(1);
/// const Recurrent lstm(RecurrentKind::kLstm, 3, 5, 2, keys);
/// auto [y, states] = lstm(ones({1, 7, 3}));  // two layers, each with a state of h and c
/// states[1].shape();  // [1, 10]
/// lstm(ones({1, 2, 3}), states).y.shape();  // [1, 2, 5]
/// @endcode
struct Recurrent {
  std::vector<RecurrentLayer> layers;  ///< the first reads the input

  /// What the layers give for a batch of sequences.
  struct Output {
    Tensor y;                    ///< [B, T, H], h of the last layer
    std::vector<Tensor> states;  ///< [B, P H], the last state of each layer
  };

  Recurrent() = default;
  /// `depth` layers of that kind, from C = `channels`.
  /// @throws std::invalid_argument if depth is below 1.
  Recurrent(RecurrentKind kind, Index channels, Index hidden, int depth, KeySequence& keys);

  /// x [B, T, C]; the states, one for each layer, may be left out: zeros then.
  /// @throws std::invalid_argument if the shapes, or the number of states, do not fit.
  Output operator()(const Tensor& x, const std::vector<Tensor>& states = {}) const;

  /// Names the members once: see module.h.
  void fields(auto&& f) { f("layers", layers); }
};

/// @}

}  // namespace gradus
