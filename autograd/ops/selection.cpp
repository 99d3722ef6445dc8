#include "autograd/ops/selection.h"

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

/// y = f(a, b), broadcast, as 0 or 1.
template <class F>
IndexTensor compare(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_defined(op, {{"a", a}, {"b", b}});
  IndexTensor y(broadcast_shapes(op, a.shape(), b.shape()));
  broadcast_map(y.shape(), a.shape(), a.data(), b.shape(), b.data(), y.mutable_data(), f);
  return y;
}

}  // namespace

Tensor where(const IndexTensor& condition, const Tensor& a, const Tensor& b) {
  require_defined("where", {{"condition", condition}, {"a", a}, {"b", b}});
  Tensor y(broadcast_shapes("where", condition.shape(),
                            broadcast_shapes("where", a.shape(), b.shape())));
  broadcast_choose(y.shape(), condition.shape(), condition.data(), a.shape(), a.data(), b.shape(),
                   b.data(), y.mutable_data());
  return record(
      "where", y, {a, b},
      [condition = Saved(condition)](const Tensor& dy) { return where(condition, dy, scalar(0)); },
      [condition = Saved(condition)](const Tensor& dy) { return where(condition, scalar(0), dy); });
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

IndexTensor causal_mask(Index targets, Index sources, Index window) {
  check(window >= 0, "causal_mask: the window must not be negative, got ", window,
        " (0 stands for no limit)");
  IndexTensor mask(Shape(std::array{targets, sources}, "causal_mask"));
  if (mask.size() == 0) return mask;
  std::int32_t* const to = mask.mutable_data();
  for (Index t = 0; t < targets; ++t) {
    const Index end = std::clamp<Index>(t + sources - targets + 1, 0, sources);
    const Index begin = window > 0 ? std::max<Index>(end - window, 0) : 0;
    std::fill_n(to + t * sources + begin, end - begin, 1);
  }
  return mask;
}

IndexTensor causal_mask(Index targets) { return causal_mask(targets, targets); }

Tensor masked_fill(const Tensor& x, const IndexTensor& mask, Scalar value) {
  require_defined("masked_fill", {{"x", x}, {"mask", mask}});
  check(broadcast_shapes("masked_fill", x.shape(), mask.shape()) == x.shape(),
        "masked_fill: the mask must broadcast to x, got x ", x.shape(), " and mask ", mask.shape());
  return where(mask, scalar(value), x);
}

}  // namespace gradus
