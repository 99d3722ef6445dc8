#include "autograd/more/reductions.h"

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/elementwise.h"

namespace gradus {
using namespace detail;
namespace {

/// The sums along `axis` of all elements up to each one, or of all from it on.
Tensor running_sum(const Tensor& x, int axis, bool from_it_on) {
  Tensor y(x.shape());
  const Index n = x.size(axis), step = x.shape().product(axis + 1, x.rank());
  const auto line = [=, from = x.data(), to = y.mutable_data()](Index, Index first) {
    double total = 0;
    for (Index j = 0; j < n; ++j) {
      const Index at = first + (from_it_on ? n - 1 - j : j) * step;
      to[at] = static_cast<Scalar>(total += from[at]);
    }
  };
  for_each_line(x.shape(), axis, line);
  return record("cumsum", y, {x}, [=](const Tensor& dy) -> Gradients {
    return {running_sum(dy, axis, !from_it_on)};
  });
}

}  // namespace

Tensor min(const Tensor& x, const Axes& axes, ReduceOptions options) {
  filled_axes("min", x, axes);
  const NoGrad no_grad;
  const Tensor best = -max(-x, axes, {.keepdim = true});
  Tensor y = options.keepdim ? best : -max(-x, axes);
  const RecordingScope recording(no_grad.before());
  return record_choice("min", y, x, best.shape());
}

Tensor cumsum(const Tensor& x, int axis) {
  require_defined("cumsum", {{"x", x}});
  return running_sum(x, x.shape().axis_of(axis, "cumsum"), false);
}

Tensor mse_loss(const Tensor& x, const Tensor& target) {
  require_defined("mse_loss", {{"x", x}, {"target", target}});
  check(x.shape() == target.shape(), "mse_loss: shapes must be equal, got x ", x.shape(),
        " and target ", target.shape());
  check(x.size() > 0, "mse_loss: needs at least one element, got ", x.shape());
  const Tensor error = x - target;
  return mean(error * error);
}

}  // namespace gradus
