#include "autograd/ops/softmax.h"

#include <limits>

#include "autograd/check.h"
#include "autograd/fused/fused.h"
#include "autograd/fused/softmax.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"

namespace gradus {
using namespace detail;
namespace {

/// The axis of `op`, counted from the first.
int axis_of(const char* op, const Tensor& x, int axis) {
  require_defined(op, {{"x", x}});
  return x.shape().axis_of(axis, op);
}

/// x less its largest element along the axis, so that nothing overflows. Nothing is subtracted
/// where all is -inf: that would be NaN.
Tensor shifted(const Tensor& x, int axis) {
  constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();
  const Tensor top = max(x.detach(), axis, {.keepdim = true});
  return x - where(equal(top, -kInfinity), scalar(0), top);
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  axis = axis_of("softmax", x, axis);
  if (uses_fused() || x.size() == 0) return fused::softmax(x, axis);  // max() refuses none
  const Tensor e = exp(shifted(x, axis));
  const Tensor total = sum(e, axis, {.keepdim = true});
  return e / where(equal(total, 0), scalar(1), total);  // 0 where all is masked
}

Tensor log_softmax(const Tensor& x, int axis) {
  axis = axis_of("log_softmax", x, axis);
  if (uses_fused() || x.size() == 0) return fused::log_softmax(x, axis);  // max() refuses none
  const Tensor below = shifted(x, axis);
  return below - log(sum(exp(below), axis, {.keepdim = true}));
}

}  // namespace gradus
