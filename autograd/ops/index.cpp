#include "autograd/ops/index.h"

#include <algorithm>
#include <array>
#include <functional>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/index_loops.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/one_pass.h"

namespace gradus {
using namespace detail;
namespace {

/// The gradient of embedding() as an op, whose own gradient is an embedding again.
Tensor sum_by_token(const IndexTensor& tokens, const Tensor& dy, Index rows) {
  Tensor dtable(Shape{rows, dy.size(-1)});  // all of which add_rows() sets
  add_rows(tokens.data(), tokens.size(), dy.data(), rows, dy.size(-1), dtable.mutable_data());
  return record("sum_by_token", dtable, {dy},
                [tokens = Saved(tokens)](const Tensor& ddtable) -> Gradients {
                  return {embedding(tokens, ddtable)};
                });
}

/// The gradient of gather() as an op, whose own gradient is a gather again.
Tensor scatter_add(const Tensor& dy, int axis, const IndexTensor& index, const Shape& shape) {
  Tensor dx = zeros(shape);
  for_each_index(shape, axis, index.shape(), index.data(),
                 [from = dy.data(), to = dx.mutable_data()](Index in_x, Index in_y) {
                   to[in_x] += from[in_y];
                 });
  return record("scatter_add", dx, {dy},
                [axis, index = Saved(index)](const Tensor& ddx) -> Gradients {
                  return {gather(ddx, axis, index)};
                });
}

/// y = f(a, b), broadcast, as 0 or 1.
template <class F>
IndexTensor compare(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_defined(op, {{"a", a}, {"b", b}});
  IndexTensor y(broadcast_shapes(op, a.shape(), b.shape()));
  broadcast_map(y.shape(), a.shape(), a.data(), b.shape(), b.data(), y.mutable_data(), f);
  return y;
}

}  // namespace

Tensor embedding(const IndexTensor& tokens, const Tensor& table) {
  require_defined("embedding", {{"tokens", tokens}, {"table", table}});
  check(table.rank() == 2, "embedding: needs a table [V, C], got ", table.shape());
  const Index rows = table.size(0), columns = table.size(1);
  check_inside(tokens.data(), tokens.shape(), rows, "embedding: token", "the table's ", rows,
               " rows");
  Tensor y(tokens.shape().append(columns, "embedding"));
  parallel_for(
      tokens.size(), row_grain(columns),
      [=, from = table.data(), to = y.mutable_data(), token = tokens.data()](Index i, Index end) {
        for (; i < end; ++i) std::copy_n(from + token[i] * columns, columns, to + i * columns);
      });
  return record("embedding", y, {table},
                [tokens = Saved(tokens), rows](const Tensor& dy) -> Gradients {
                  return {sum_by_token(tokens, dy, rows)};
                });
}

Tensor gather(const Tensor& x, int axis, const IndexTensor& index) {
  require_defined("gather", {{"x", x}, {"index", index}});
  axis = x.shape().axis_of(axis, "gather");
  bool fits = index.rank() == x.rank();
  for (int d = 0; fits && d < x.rank(); ++d) fits = d == axis || index.size(d) <= x.size(d);
  check(fits, "gather: index must have x's axes and nowhere be larger except along axis ", axis,
        ", got x ", x.shape(), " and index ", index.shape());
  check_inside(index.data(), index.shape(), x.size(axis), "gather: index", "axis ", axis, " of ",
               x.shape());
  Tensor y(index.shape());
  for_each_index(
      x.shape(), axis, index.shape(), index.data(),
      [from = x.data(), to = y.mutable_data()](Index in_x, Index in_y) { to[in_y] = from[in_x]; });
  return record("gather", y, {x},
                [axis, index = Saved(index), shape = x.shape()](const Tensor& dy) -> Gradients {
                  return {scatter_add(dy, axis, index, shape)};
                });
}

Tensor where(const IndexTensor& condition, const Tensor& a, const Tensor& b) {
  require_defined("where", {{"condition", condition}, {"a", a}, {"b", b}});
  Tensor y(broadcast_shapes("where", condition.shape(),
                            broadcast_shapes("where", a.shape(), b.shape())));
  broadcast_choose(y.shape(), condition.shape(), condition.data(), a.shape(), a.data(), b.shape(),
                   b.data(), y.mutable_data());
  return record(
      "where", y, {a, b},
      [condition = Saved(condition)](const Tensor& dy, const Wanted& wanted) -> Gradients {
        const Tensor zero = scalar(0);
        return {if_wanted(wanted, 0, [&] { return where(condition, dy, zero); }),
                if_wanted(wanted, 1, [&] { return where(condition, zero, dy); })};
      });
}

IndexTensor greater(const Tensor& a, const Tensor& b) {
  return compare("greater", a, b, std::greater());
}
IndexTensor less(const Tensor& a, const Tensor& b) { return compare("less", a, b, std::less()); }
IndexTensor equal(const Tensor& a, const Tensor& b) {
  return compare("equal", a, b, std::equal_to());
}
IndexTensor greater(const Tensor& a, Scalar s) { return greater(a, scalar(s)); }
IndexTensor less(const Tensor& a, Scalar s) { return less(a, scalar(s)); }
IndexTensor equal(const Tensor& a, Scalar s) { return equal(a, scalar(s)); }

IndexTensor causal_mask(Index targets, Index sources) {
  IndexTensor mask(Shape(std::array{targets, sources}, "causal_mask"));
  if (mask.size() == 0) return mask;
  std::int32_t* const to = mask.mutable_data();
  for (Index t = 0; t < targets; ++t) {
    std::fill_n(to + t * sources, std::clamp<Index>(t + sources - targets + 1, 0, sources), 1);
  }
  return mask;
}

IndexTensor causal_mask(Index targets) { return causal_mask(targets, targets); }

}  // namespace gradus
