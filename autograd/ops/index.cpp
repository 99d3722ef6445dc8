#include "autograd/ops/index.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/index_loops.h"
#include "autograd/kernels/loops.h"

namespace gradus {
using namespace detail;
namespace {

/// The gradient of embedding() as an op, whose own gradient is an embedding again.
Tensor sum_by_token(const IndexTensor& tokens, const Tensor& dy, Index rows) {
  Tensor dtable(Shape{rows, dy.size(-1)});  // all of which add_rows() sets
  add_rows(tokens.data(), tokens.size(), dy.data(), rows, dy.size(-1), dtable.mutable_data());
  return record("sum_by_token", dtable, {dy}, [tokens = Saved(tokens)](const Tensor& ddtable) {
    return embedding(tokens, ddtable);
  });
}

/// The gradient of gather() as an op, whose own gradient is a gather again.
Tensor scatter_add(const Tensor& dy, int axis, const IndexTensor& index, const Shape& shape) {
  Tensor dx = zeros(shape);
  for_each_index(shape, axis, index.shape(), index.data(),
                 [from = dy.data(), to = dx.mutable_data()](Index in_x, Index in_y) {
                   to[in_x] += from[in_y];
                 });
  return record("scatter_add", dx, {dy}, [axis, index = Saved(index)](const Tensor& ddx) {
    return gather(ddx, axis, index);
  });
}

/// How argmax and topk order elements: NaN is larger than any number.
bool larger(Scalar a, Scalar b) { return a > b || (a != a && b == b); }

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
  return record("embedding", y, {table}, [tokens = Saved(tokens), rows](const Tensor& dy) {
    return sum_by_token(tokens, dy, rows);
  });
}

Tensor gather(const Tensor& x, int axis, const IndexTensor& index) {
  require_defined("gather", {{"x", x}, {"index", index}});
  axis = x.shape().axis_of(axis, "gather");
  bool fits = index.rank() == x.rank();
  for (int d = 0; fits && d < x.rank(); ++d) fits = d == axis || index.size(d) <= x.size(d);
  check(fits, "gather: index must have as many axes as x, and only axis ", axis,
        " may be longer than x's, got x ", x.shape(), " and index ", index.shape());
  check_inside(index.data(), index.shape(), x.size(axis), "gather: index", "axis ", axis, " of ",
               x.shape());
  Tensor y(index.shape());
  for_each_index(
      x.shape(), axis, index.shape(), index.data(),
      [from = x.data(), to = y.mutable_data()](Index in_x, Index in_y) { to[in_y] = from[in_x]; });
  return record("gather", y, {x},
                [axis, index = Saved(index), shape = x.shape()](const Tensor& dy) {
                  return scatter_add(dy, axis, index, shape);
                });
}

IndexTensor argmax(const Tensor& x, const Axes& axis, ReduceOptions options) {
  require_defined("argmax", {{"x", x}});
  const unsigned mask = axis.mask("argmax", x.shape());
  const bool one = std::has_single_bit(mask);
  check(one || mask == Axes().mask("argmax", x.shape()),
        "argmax: needs one axis, or no axis to search all of ", x.shape(), ", got ",
        std::popcount(mask));
  const int at = one ? std::countr_zero(mask) : 0;
  const Shape shape = one ? x.shape() : Shape{x.size()};
  const Index n = shape[at], step = shape.product(at + 1, shape.rank());
  check(n > 0, "argmax: needs at least one element to choose from, got ", x.shape());
  check(n <= INT32_MAX, "argmax: ", n, " elements are too many for an index");
  Shape to;
  for (int a = 0; a < x.rank(); ++a) {
    if (options.keepdim || (mask >> a & 1) == 0) {
      to = to.append((mask >> a & 1) != 0 ? 1 : x.size(a));
    }
  }
  IndexTensor y(to);
  for_each_line(shape, at, [=, from = x.data(), to = y.mutable_data()](Index number, Index first) {
    Index best = 0;
    for (Index j = 1; j < n; ++j) {
      best = larger(from[first + j * step], from[first + best * step]) ? j : best;
    }
    to[number] = static_cast<std::int32_t>(best);
  });
  return y;
}

TopK topk(const Tensor& x, Index k, int axis) {
  require_defined("topk", {{"x", x}});
  axis = x.shape().axis_of(axis, "topk");
  const Index n = x.size(axis), step = x.shape().product(axis + 1, x.rank());
  check(n <= INT32_MAX, "topk: ", n, " elements along an axis are too many for an index");
  check(k >= 0 && k <= n, "topk: k must be in [0, ", n, "] along axis ", axis, " of ", x.shape(),
        ", got ", k);
  IndexTensor y(x.shape().with(axis, k));
  for_each_line(
      x.shape(), axis, [=, from = x.data(), to = y.mutable_data()](Index number, Index first) {
        std::vector<std::int32_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + k, order.end(), [=](Index i, Index j) {
          const Scalar a = from[first + i * step], b = from[first + j * step];
          return larger(a, b) || (!larger(b, a) && i < j);
        });
        for (Index j = 0; j < k; ++j) {
          to[(number / step * k + j) * step + number % step] = order[j];
        }
      });
  return {gather(x, axis, y), y};
}

Tensor one_hot(const IndexTensor& index, Index classes) {
  require_defined("one_hot", {{"index", index}});
  check_inside(index.data(), index.shape(), classes, "one_hot: index", classes, " classes");
  Tensor y = zeros(index.shape().append(classes, "one_hot"));
  Scalar* const to = y.mutable_data();
  for (Index i = 0; i < index.size(); ++i) {
    to[i * classes + index.data()[i]] = 1;
  }
  return y;
}

}  // namespace gradus
