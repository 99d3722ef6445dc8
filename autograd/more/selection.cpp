#include "autograd/more/selection.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/index_loops.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/index.h"

namespace gradus {
using namespace detail;
namespace {

/// How argmax and topk order elements: NaN is larger than any number.
bool larger(Scalar a, Scalar b) { return a > b || (a != a && b == b); }

}  // namespace

IndexTensor argmax(const Tensor& x, const Axes& axis, ReduceOptions options) {
  require_defined("argmax", {{"x", x}});
  const unsigned mask = axis.mask("argmax", x.shape());
  const bool one = std::has_single_bit(mask);
  check(one || mask == Axes().mask("argmax", x.shape()),
        "argmax: takes one axis, or none for all of ", x.shape());
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

Tensor masked_fill(const Tensor& x, const IndexTensor& mask, Scalar value) {
  require_defined("masked_fill", {{"x", x}, {"mask", mask}});
  check(broadcast_shapes("masked_fill", x.shape(), mask.shape()) == x.shape(),
        "masked_fill: the mask must broadcast to x, got x ", x.shape(), " and mask ", mask.shape());
  return where(mask, scalar(value), x);
}

}  // namespace gradus
