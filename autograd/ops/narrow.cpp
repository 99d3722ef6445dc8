#include "autograd/ops/narrow.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/index_loops.h"
#include "autograd/kernels/loops.h"

namespace gradus {
using namespace detail;
namespace {

/// Fails unless w is defined.
void require_matrix(const char* op, const char* name, const NarrowMatrix& w) {
  check(w.defined(), op, ": ", name, " is undefined (a default-constructed NarrowMatrix)");
}

}  // namespace

NarrowMatrix::NarrowMatrix(WeightType type, Index rows, Index columns) {
  check(type != WeightType::kFloat32,
        "NarrowMatrix: the type must be bfloat16 or int8, got float32 (use a Tensor)");
  const Shape valid{rows, columns};
  view_ = {type, valid[0], valid[1], nullptr, nullptr};
  storage_ = new_storage<std::uint16_t>(Shape{view_.bytes() / 2});  // bytes are even
  view_.numbers = storage_->data();
  view_.scales = storage_->data() + view_.padded_rows() * view_.padded() / 2;
}

NarrowMatrix::NarrowMatrix(WeightType type, const Tensor& x) {
  require_defined("NarrowMatrix", {{"x", x}});
  check(x.rank() == 2, "NarrowMatrix: needs x [rows, columns], got ", x.shape());
  *this = NarrowMatrix(type, x.size(0), x.size(1));
  set_rows(0, x);
}

void NarrowMatrix::set_rows(Index first, const Tensor& x) const {
  require_matrix("set_rows", "the matrix", *this);
  require_defined("set_rows", {{"x", x}});
  check(x.rank() == 2 && x.size(1) == columns() && first >= 0 && first <= rows() - x.size(0),
        "set_rows: needs x [n, ", columns(), "] with n at most ", rows() - first, ", got ",
        x.shape());
  const auto most = static_cast<Scalar>(from_bfloat16(kLargestNarrow));
  const auto fits = [=](Scalar value) { return std::abs(value) <= most; };
  Index others = 0;
  for (const Scalar value : x) {  // no early exit, so that the compiler vectorises the loop
    others += fits(value) ? 0 : 1;
  }
  check(others == 0, "set_rows: weights must be numbers of at most ", most, ", got ",
        others == 0 ? 0 : *std::find_if_not(x.begin(), x.end(), fits));
  narrow_rows(view_, first, x.size(0), x.data());
}

Tensor NarrowMatrix::widened() const {
  require_matrix("widened", "the matrix", *this);
  Tensor x(shape());
  Scalar* const to = x.mutable_data();
  for (Index row = 0; row < rows(); ++row) widen_row(view_, row, to + row * columns());
  return x;
}

NarrowMatrix NarrowMatrix::first_rows(Index count) const {
  require_matrix("first_rows", "the matrix", *this);
  check(count >= 0 && count <= rows(), "first_rows: needs a count in [0, ", rows(), "], got ",
        count);
  NarrowMatrix part = *this;
  part.view_.rows = count;
  return part;
}

Tensor narrow_linear(const Tensor& x, const NarrowMatrix& w, const Tensor& b) {
  require_defined("narrow_linear", {{"x", x}});
  require_matrix("narrow_linear", "w", w);
  const Index in = w.columns(), out = w.rows();
  check(x.rank() >= 1 && x.size(-1) == in,
        "narrow_linear: needs x [..., in] and w [out, in], got x ", x.shape(), " and w ",
        w.shape());
  check(!b.defined() || b.shape() == Shape{out}, "narrow_linear: needs b [out], got w ", w.shape(),
        " and b ", ShapeOf{b});
  check(!is_recording() || (!wants_gradient(x) && !wants_gradient(b)),
        "narrow_linear: has no gradient (use NoGrad, or weights in float32 to train)");
  const Index m = x.shape().product(0, x.rank() - 1);
  Tensor y(x.shape().with(-1, out, "narrow_linear"));
  narrow_product(m, x.data(), w.view(), y.mutable_data());
  if (b.defined()) {
    const Shape flat{m, out};
    broadcast_map(flat, flat, y.data(), b.shape(), b.data(), y.mutable_data(), std::plus());
  }
  return y;
}

Tensor narrow_embedding(const IndexTensor& tokens, const NarrowMatrix& table) {
  require_defined("narrow_embedding", {{"tokens", tokens}});
  require_matrix("narrow_embedding", "table", table);
  const Index rows = table.rows(), columns = table.columns();
  check_inside(tokens.data(), tokens.shape(), rows, "narrow_embedding: token", "the table's ", rows,
               " rows");
  Tensor y(tokens.shape().append(columns, "narrow_embedding"));
  parallel_for(tokens.size(), row_grain(columns),
               [=, &table, token = tokens.data(), to = y.mutable_data()](Index i, Index end) {
                 for (; i < end; ++i) widen_row(table.view(), token[i], to + i * columns);
               });
  return y;
}

}  // namespace gradus
