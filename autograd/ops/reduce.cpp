#include "autograd/ops/reduce.h"

#include <bit>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/reductions.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/one_pass.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;
namespace {

/// `shape` reduced over the axes in `mask`, which are kept with size 1 or removed.
Shape reduced_shape(const Shape& shape, unsigned mask, bool keepdim) {
  Shape result = shape;
  for (int axis = shape.rank(); axis-- > 0;) {
    if ((mask >> axis & 1) != 0) result = keepdim ? result.with(axis, 1) : result.without(axis);
  }
  return result;
}

/// The number of elements that are reduced to each element of the result.
Index reduced_count(const Shape& shape, unsigned mask) {
  Index count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    count *= (mask >> axis & 1) != 0 ? shape[axis] : 1;
  }
  return count;
}

/// x reduced over the axes in `mask`: each run of adjacent axes in one go, from the last run to the
/// first. The result has the shape `to`, which may leave out or keep the reduced axes.
template <class Reduction>
Tensor reduce(const Tensor& x, unsigned mask, const Shape& to) {
  if (mask == 0) return x.clone();  // record() needs a new tensor; `to` is x's shape
  Tensor y = x.detach();
  for (Shape kept = x.shape(); mask != 0;) {
    const int last = std::bit_width(mask);
    int first = last - 1;
    while (first > 0 && (mask >> (first - 1) & 1) != 0) --first;
    mask &= (1u << first) - 1;
    const Index n = kept.product(first, last);
    for (int axis = first; axis < last; ++axis) kept = kept.with(axis, 1);
    const Tensor from = y;
    y = Tensor(mask == 0 ? to : kept);
    reduce_middle<Reduction>(from.data(), y.mutable_data(), kept.product(0, first), n,
                             kept.product(last, kept.rank()));
  }
  return y;
}

/// The sum over the axes in `mask`, divided by `count`, in the shape `to`: x's shape with the
/// reduced axes dropped or of size 1. Recorded as `op`.
Tensor sum_over(const char* op, const Tensor& x, unsigned mask, Scalar count, const Shape& to) {
  const Tensor y = reduced_count(x.shape(), mask) == 0 ? zeros(to) : reduce<Sum>(x, mask, to);
  if (count != 1) {
    map(y.size(), y.data(), y.mutable_data(), [count](Scalar v) { return v / count; });
  }
  return record(
      op, y, {x},
      [count, shape = x.shape(), kept = reduced_shape(x.shape(), mask, true)](const Tensor& dy) {
        const Tensor d = reshape(dy, kept);
        return broadcast_to(count == 1 ? d : d / count, shape);
      });
}

}  // namespace

unsigned detail::filled_axes(const char* op, const Tensor& x, const Axes& axes) {
  require_defined(op, {{"x", x}});
  const unsigned mask = axes.mask(op, x.shape());
  check(reduced_count(x.shape(), mask) > 0, op, ": needs at least one element to reduce, got ",
        x.shape());
  return mask;
}

Tensor sum(const Tensor& x, const Axes& axes, ReduceOptions options) {
  require_defined("sum", {{"x", x}});
  const unsigned mask = axes.mask("sum", x.shape());
  return sum_over("sum", x, mask, 1, reduced_shape(x.shape(), mask, options.keepdim));
}

Tensor mean(const Tensor& x, const Axes& axes, ReduceOptions options) {
  const unsigned mask = filled_axes("mean", x, axes);
  const auto count = static_cast<Scalar>(reduced_count(x.shape(), mask));
  return sum_over("mean", x, mask, count, reduced_shape(x.shape(), mask, options.keepdim));
}

Tensor max(const Tensor& x, const Axes& axes, ReduceOptions options) {
  const unsigned mask = filled_axes("max", x, axes);
  Tensor y = reduce<Largest>(x, mask, reduced_shape(x.shape(), mask, options.keepdim));
  return record_choice("max", y, x, reduced_shape(x.shape(), mask, true));
}

Tensor detail::record_choice(const char* op, const Tensor& y, const Tensor& x, const Shape& kept) {
  return record(op, y, {x}, [x = Saved(x), kept](const Tensor& dy, const Tensor& y) {
    const Tensor chosen = combine("choice", x, Tensor(y, kept), [](Scalar v, Scalar best) {
      return Scalar(v == best || v != v);  // NaN is chosen where there is one
    });
    const Tensor each = broadcast_to(reshape(dy, kept) / sum_to(chosen, kept), chosen.shape());
    return by_case("choice gradient", each, chosen,
                   [](Scalar d, Scalar c) { return c != 0 ? d : 0; });
  });
}

Tensor variance(const Tensor& x, const Axes& axes, ReduceOptions options) {
  filled_axes("variance", x, axes);
  const Tensor centred = x - mean(x, axes, {.keepdim = true});
  return mean(centred * centred, axes, options);
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  require_defined("sum_to", {{"x", x}});
  if (x.shape() == shape) return x;
  check(broadcast_shapes("sum_to", x.shape(), shape) == x.shape(), "sum_to: ", shape,
        " does not broadcast to ", x.shape());
  const int extra = x.rank() - shape.rank();
  unsigned mask = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis < extra || (shape[axis - extra] == 1 && x.size(axis) != 1)) mask |= 1u << axis;
  }
  return sum_over("sum_to", x, mask, 1, shape);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  require_defined("broadcast_to", {{"x", x}});
  if (x.shape() == shape) return x;
  check(broadcast_shapes("broadcast_to", x.shape(), shape) == shape, "broadcast_to: ", x.shape(),
        " does not broadcast to ", shape);
  Tensor y(shape);
  broadcast_copy(shape, x.shape(), x.data(), y.mutable_data());
  return record("broadcast_to", y, {x},
                [from = x.shape()](const Tensor& dy) { return sum_to(dy, from); });
}

Tensor min(const Tensor& x, const Axes& axes, ReduceOptions options) {
  filled_axes("min", x, axes);
  const NoGrad no_grad;
  const Tensor best = -max(-x, axes, {.keepdim = true});
  Tensor y = options.keepdim ? best : -max(-x, axes);
  const RecordingScope recording(no_grad.before());
  return record_choice("min", y, x, best.shape());
}

namespace {

/// The running sums along `axis`: each element becomes the sum of all elements up to it, or of all
/// from it on.
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
  return record("cumsum", y, {x},
                [=](const Tensor& dy) { return running_sum(dy, axis, !from_it_on); });
}

}  // namespace

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
