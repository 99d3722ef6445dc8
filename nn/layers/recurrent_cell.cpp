#include "nn/layers/recurrent_cell.h"

#include <vector>

#include "autograd/check.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/views.h"

namespace gradus {
using namespace detail;
namespace {

/// Column t of a mask [B, T], as [B, 1].
IndexTensor step_of(const IndexTensor& mask, Index t) {
  IndexTensor column(Shape{mask.size(0), 1});
  for (Index row = 0; row < mask.size(0); ++row) {
    column.mutable_data()[row] = mask.data()[row * mask.size(1) + t];
  }
  return column;
}

}  // namespace

Index gates_of(RecurrentKind kind) {
  return kind == RecurrentKind::kLstm ? 4 : kind == RecurrentKind::kGru ? 3 : 1;
}

Index parts_of(RecurrentKind kind) { return kind == RecurrentKind::kLstm ? 2 : 1; }

Tensor recurrent_step(RecurrentKind kind, const Tensor& x, const Tensor& s, const Tensor& state) {
  require_defined("recurrent_step", {{"from_input", x}, {"from_state", s}, {"state", state}});
  const Index gates = gates_of(kind), parts = parts_of(kind);
  check(x.rank() == 2 && s.shape() == x.shape() && x.size(1) % gates == 0 &&
            state.shape() == Shape{x.size(0), x.size(1) / gates * parts},
        "recurrent_step: needs from_input and from_state [B, ", gates, " H] and state [B, ", parts,
        " H], got ", x.shape(), ", ", s.shape(), " and ", state.shape());
  if (kind == RecurrentKind::kRnn) {
    return tanh(x + s);
  }
  if (kind == RecurrentKind::kLstm) {
    const std::vector<Tensor> a = split(x + s, 4, -1);
    const Tensor before = split(state, 2, -1)[1];
    const Tensor c = sigmoid(a[1]) * before + sigmoid(a[0]) * tanh(a[2]);
    return concat({sigmoid(a[3]) * tanh(c), c}, -1);
  }
  const std::vector<Tensor> from_x = split(x, 3, -1), from_s = split(s, 3, -1);
  const Tensor keep = sigmoid(from_x[1] + from_s[1]);
  const Tensor value = tanh(from_x[2] + sigmoid(from_x[0] + from_s[0]) * from_s[2]);
  return value + keep * (state - value);
}

Tensor recurrent_sequence(RecurrentKind kind, const Tensor& x, const Tensor& w, const Tensor& b,
                          const Tensor& state, const SequenceOptions& options) {
  require_defined("recurrent_sequence", {{"from_input", x}, {"w", w}, {"state", state}});
  const Index gates = gates_of(kind), parts = parts_of(kind);
  check(
      x.rank() == 3 && x.size(2) % gates == 0 && w.shape() == Shape{x.size(2) / gates, x.size(2)} &&
          state.shape() == Shape{x.size(0), w.size(0) * parts},
      "recurrent_sequence: needs from_input [B, T, ", gates, " H], w [H, ", gates,
      " H] and state [B, ", parts, " H], got ", x.shape(), ", ", w.shape(), " and ", state.shape());
  check(!b.defined() || b.shape() == Shape{x.size(2)}, "recurrent_sequence: needs b [", gates,
        " H], got w ", w.shape(), " and b ", ShapeOf{b});
  if (options.mask.defined()) {
    check(options.mask.shape() == Shape{x.size(0), x.size(1)},
          "recurrent_sequence: needs a mask [B, T], got from_input ", x.shape(), " and mask ",
          options.mask.shape());
  }
  const Index batch = x.size(0), time = x.size(1), hidden = w.size(0);
  if (time == 0) {
    return zeros({batch, 0, state.size(1)});
  }
  const std::vector<Tensor> inputs = split(x, time, 1);
  std::vector<Tensor> states(inputs.size());
  Tensor now = state;
  for (Index k = 0; k < time; ++k) {
    const Index t = options.backwards ? time - 1 - k : k;
    const auto at = static_cast<std::size_t>(t);
    const Tensor h = parts == 1 ? now : slice(now, -1, 0, hidden);
    const Tensor next =
        recurrent_step(kind, reshape(inputs[at], {batch, x.size(2)}), linear(h, w, b), now);
    now = options.mask.defined() ? where(step_of(options.mask, t), next, now) : next;
    states[at] = now;
  }
  return stack(states, 1);
}

}  // namespace gradus
