/// @file
/// Recurrent cells, composed of ops: one step of them, and all steps of a sequence.
#pragma once

#include <array>

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {

/// @defgroup recurrent Recurrent cells
/// One step of an RNN, LSTM or GRU, and all steps of a sequence. Letters: B batch, T time, H the
/// cells of a layer, G gates_of(kind), P parts_of(kind). A state is [B, P H]: h and, for an LSTM, c
/// behind it. With a = x + s, where x comes from the input and s from h, both [B, G H] with gate
/// beside gate in PyTorch's order:
/// - RNN (Elman, 1990): \f[ h' = \tanh a \f]
/// - LSTM (Hochreiter and Schmidhuber, 1997), gates i, f, g, o:
///   \f[ c' = \mathrm{sigmoid}(a_f)\,c + \mathrm{sigmoid}(a_i) \tanh a_g \f]
///   \f[ h' = \mathrm{sigmoid}(a_o) \tanh c' \f]
/// - GRU (Cho and others, 2014, with the reset behind the product, as in PyTorch), gates r, z, n:
///   \f[ r = \mathrm{sigmoid}(a_r), \qquad z = \mathrm{sigmoid}(a_z) \f]
///   \f[ n = \tanh(x_n + r\,s_n), \qquad h' = (1 - z)\,n + z\,h \f]
/// @{

/// The three kinds of cell.
enum class RecurrentKind {
  kRnn,   ///< tanh and nothing else
  kLstm,  ///< long short-term memory
  kGru,   ///< gated recurrent unit
};
/// Their names in files and flags.
constexpr std::array<const char*, 3> names_of(RecurrentKind) { return {"rnn", "lstm", "gru"}; }

/// G, how many times H numbers a step takes from input and from state.
Index gates_of(RecurrentKind kind);
/// P, how many times H numbers a state is: 2 for an LSTM, else 1.
Index parts_of(RecurrentKind kind);

/// One step: from_input x [B, G H], from_state s [B, G H], state [B, P H] to the next state [B, P
/// H].
/// @throws std::invalid_argument if the shapes do not fit.
///
/// @code
/// // Nothing comes from the input or the state: n = 0 and z = 1/2, half of the state stays.
/// recurrent_step(RecurrentKind::kGru, zeros({1, 3}), zeros({1, 3}), ones({1, 1}));  // [[0.5]]
/// @endcode
Tensor recurrent_step(RecurrentKind kind, const Tensor& from_input, const Tensor& from_state,
                      const Tensor& state);

/// How recurrent_sequence() goes through time.
struct SequenceOptions {
  bool backwards = false;  ///< begin at the last step: state t then follows on state t + 1
  IndexTensor mask = {};   ///< [B, T]; a step where it is 0 leaves the state as it was
};

/// All steps of a sequence, with s = h w + b: from_input [B, T, G H], w [H, G H], b [G H] or
/// undefined for none, the first state [B, P H], to the states after each step, [B, T, P H].
///
/// With a mask of a padded batch the last state is that of each sequence's own end, in either
/// direction.
/// @throws std::invalid_argument if the shapes do not fit.
///
/// @code
/// // Without a way from state to state, each step is tanh of its input.
/// recurrent_sequence(RecurrentKind::kRnn, ones({1, 2, 1}), zeros({1, 1}), {}, zeros({1, 1}));
/// // [[[0.7616], [0.7616]]]
/// @endcode
Tensor recurrent_sequence(RecurrentKind kind, const Tensor& from_input, const Tensor& w,
                          const Tensor& b, const Tensor& state,
                          const SequenceOptions& options = {});

/// @}

}  // namespace gradus
