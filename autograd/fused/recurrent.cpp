#include "autograd/fused/recurrent.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "autograd/check.h"
#include "autograd/fused/recurrent_kernel.h"
#include "autograd/graph.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace gradus {
namespace {

/// Calls use(RnnCell{}), use(LstmCell{}) or use(GruCell{}).
template <class Use>
decltype(auto) with_cell(RecurrentKind kind, Use&& use) {
  switch (kind) {
    case RecurrentKind::kLstm:
      return use(LstmCell{});
    case RecurrentKind::kGru:
      return use(GruCell{});
    default:
      return use(RnnCell{});
  }
}

/// Rows of one step: where they begin, and how far each is from the next.
struct Rows {
  Scalar* first;
  Index stride;
  Scalar* operator[](Index row) const { return first + row * stride; }
  operator MatrixView() const { return {first, stride}; }  // NOLINT(google-explicit-constructor)
};

/// Rows of step t of x [B, T, ...], or of x [B, ...].
Rows rows_of(const Tensor& x) { return {x.data(), x.size(1)}; }
Rows rows_of(const Tensor& x, Index t) { return {x.data() + t * x.size(2), x.size(1) * x.size(2)}; }

/// Calls body(cell, row) for every row of a batch, where cell is of that kind.
template <class Body>
void for_rows(RecurrentKind kind, Index batch, Index hidden, Body&& body) {
  with_cell(kind, [&](auto cell) {
    parallel_for(batch, kElementGrain / (8 * hidden + 1) + 1, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        body(cell, row);
      }
    });
  });
}

/// A sequence as its op sees it: the order of time, and what comes before each step.
struct Sequence {
  RecurrentKind kind;
  Tensor x, w, b, state;
  SequenceOptions options;

  Index batch() const { return x.size(0); }
  Index time() const { return x.size(1); }
  Index gates() const { return x.size(2); }
  Index hidden() const { return w.size(0); }
  /// The k-th step to be made.
  Index step(Index k) const { return options.backwards ? time() - 1 - k : k; }
  /// Whether that step is there in that row.
  bool has(Index row, Index t) const {
    return !options.mask.defined() || options.mask.data()[row * time() + t] != 0;
  }
  Rows before(const Tensor& y, Index k) const {
    return k == 0 ? rows_of(state) : rows_of(y, step(k - 1));
  }

  /// The states y [B, T, P H] and s [B, T, G H].
  std::pair<Tensor, Tensor> run() const {
    Tensor y(Shape{batch(), time(), state.size(1)});
    Tensor s = b.defined() ? broadcast_to(b.detach(), x.shape()) : Tensor(x.shape());
    for (Index k = 0; k < time(); ++k) {
      const Index t = step(k);
      const Rows from = before(y, k), to = rows_of(s, t);
      gemm(batch(), gates(), hidden(), 1, from, rows_of(w), b.defined() ? 1 : 0, to.first,
           to.stride);
      const Rows x_t = rows_of(x, t), after = rows_of(y, t);
      for_rows(kind, batch(), hidden(), [&](auto cell, Index row) {
        if (has(row, t)) {
          cell.forward(hidden(), x_t[row], to[row], from[row], after[row]);
        } else {
          std::copy_n(from[row], state.size(1), after[row]);
        }
      });
    }
    return {y, s};
  }

  /// The gradients of x, w, b and state.
  Gradients walk_back(const Tensor& s, const Tensor& dy, const Tensor& y) const {
    Tensor dx(x.shape()), ds(x.shape()), d = zeros(state.shape());
    Tensor inputs(Shape{batch() * time(), hidden()});  // h before each step
    const Index width = state.size(1);
    for (Index k = time() - 1; k >= 0; --k) {
      const Index t = step(k);
      const Rows from = before(y, k), later = rows_of(dy, t), ds_t = rows_of(ds, t);
      const Rows x_t = rows_of(x, t), s_t = rows_of(s, t), dx_t = rows_of(dx, t);
      const Rows after = rows_of(y, t), to = rows_of(d);
      for_rows(kind, batch(), hidden(), [&](auto cell, Index row) {
        std::transform(to[row], to[row] + width, later[row], to[row], std::plus<>());
        std::copy_n(from[row], hidden(), inputs.data() + (row * time() + t) * hidden());
        if (has(row, t)) {
          cell.backward(hidden(), x_t[row], s_t[row], from[row], after[row], to[row], dx_t[row],
                        ds_t[row]);
        } else {
          std::fill_n(dx_t[row], gates(), Scalar(0));
          std::fill_n(ds_t[row], gates(), Scalar(0));
        }
      });
      // dh += ds w^T   [B x G H] [G H x H]
      gemm(batch(), hidden(), gates(), 1, ds_t, {w.data(), gates(), true}, 1, d.data(), width);
    }
    Tensor dw, db;
    if (w.requires_grad()) {  // dw = h^T ds   [H x B T] [B T x G H]
      dw = Tensor(w.shape());
      gemm(hidden(), gates(), batch() * time(), 1, {inputs.data(), hidden(), true},
           {ds.data(), gates()}, 0, dw.data(), gates());
    }
    if (wants_gradient(b)) {
      db = sum(ds, {0, 1});
    }
    return {x.requires_grad() ? dx : Tensor(), dw, db, state.requires_grad() ? d : Tensor()};
  }
};

}  // namespace

Index gates_of(RecurrentKind kind) {
  return with_cell(kind, [](auto cell) { return cell.kGates; });
}

Index parts_of(RecurrentKind kind) {
  return with_cell(kind, [](auto cell) { return cell.kParts; });
}

Tensor recurrent_step(RecurrentKind kind, const Tensor& x, const Tensor& s, const Tensor& state) {
  require_defined("recurrent_step", {{"from_input", x}, {"from_state", s}, {"state", state}});
  const Index gates = gates_of(kind), parts = parts_of(kind);
  check(x.rank() == 2 && s.shape() == x.shape() && x.size(1) % gates == 0 &&
            state.shape() == Shape{x.size(0), x.size(1) / gates * parts},
        "recurrent_step: needs from_input and from_state [B, ", gates, " H] and state [B, ", parts,
        " H], got ", x.shape(), ", ", s.shape(), " and ", state.shape());
  const Index batch = x.size(0), hidden = x.size(1) / gates;
  Tensor y(state.shape());
  for_rows(kind, batch, hidden, [&](auto cell, Index b) {
    cell.forward(hidden, rows_of(x)[b], rows_of(s)[b], rows_of(state)[b], rows_of(y)[b]);
  });
  // saved: x, s, state, y
  return record("recurrent_step", y, {x, s, state},
                [kind, x, s, state, hidden](const Tensor& dy, const Tensor& y) -> Gradients {
                  once_only("recurrent_step", "sigmoid() and tanh() themselves");
                  Tensor dx(x.shape()), ds(x.shape()), d = dy.clone();
                  for_rows(kind, x.size(0), hidden, [&](auto cell, Index b) {
                    cell.backward(hidden, rows_of(x)[b], rows_of(s)[b], rows_of(state)[b],
                                  rows_of(y)[b], rows_of(d)[b], rows_of(dx)[b], rows_of(ds)[b]);
                  });
                  return {x.requires_grad() ? dx : Tensor(), s.requires_grad() ? ds : Tensor(),
                          state.requires_grad() ? d : Tensor()};
                });
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
        " H], got w ", w.shape(), " and b ", b.defined() ? b.shape() : Shape());
  check(!options.mask.defined() || options.mask.shape() == Shape{x.size(0), x.size(1)},
        "recurrent_sequence: needs a mask [B, T], got from_input ", x.shape(), " and mask ",
        options.mask.defined() ? options.mask.shape() : Shape());
  const Sequence sequence{kind, x, w, b, state, options};
  auto [y, s] = sequence.run();
  // saved: x, w, b, state, s, y
  return record("recurrent_sequence", y, {x, w, b, state},
                [sequence, s = s](const Tensor& dy, const Tensor& y) -> Gradients {
                  once_only("recurrent_sequence", "a loop of elementary ops");
                  return sequence.walk_back(s, dy, y);
                });
}

}  // namespace gradus
