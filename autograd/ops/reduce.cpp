#include "autograd/ops/reduce.h"

#include <algorithm>
#include <bit>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/reductions.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"

namespace gradus {
namespace {

/// `shape` reduced over the axes in `mask`, which stay with size 1 or go.
Shape reduced_shape(const Shape& shape, unsigned mask, bool keepdim) {
  Shape result = shape;
  for (int axis = shape.rank(); axis-- > 0;) {
    if ((mask >> axis & 1) != 0) {
      result = keepdim ? result.with(axis, 1) : result.without(axis);
    }
  }
  return result;
}

/// The number of elements behind each element of a reduction's result.
Index reduced_count(const Shape& shape, unsigned mask) {
  Index count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    count *= (mask >> axis & 1) != 0 ? shape[axis] : 1;
  }
  return count;
}

/// The axes of a reduction that needs something to reduce, as a mask.
unsigned filled_axes(const char* op, const Tensor& x, const Axes& axes) {
  require_defined(op, {{"x", x}});
  const unsigned mask = axes.mask(op, x.shape());
  check(reduced_count(x.shape(), mask) > 0, op, ": needs at least one element to reduce, got ",
        x.shape());
  return mask;
}

/// x reduced over the axes in `mask`, one group of neighbours at a time, the last ones first. The
/// result has the shape `to`, which may leave out or keep the reduced axes.
template <class Reduction>
Tensor reduce(const Tensor& x, unsigned mask, const Shape& to) {
  Tensor y = x.detach();
  for (Shape kept = x.shape(); mask != 0;) {
    const int last = std::bit_width(mask);
    const int first = last - std::countl_one(mask << (32 - last));
    mask &= (1u << first) - 1;
    const Index n = kept.product(first, last);
    for (int axis = first; axis < last; ++axis) {
      kept = kept.with(axis, 1);
    }
    const Tensor from = y;
    y = Tensor(mask == 0 ? to : kept);
    reduce_middle<Reduction>(from.data(), y.mutable_data(), kept.product(0, first), n,
                             kept.product(last, kept.rank()));
  }
  return y;
}

/// What `op` does: the sum over the axes in `mask` times `scale`, in the shape `to`, which differs
/// from the kept shape at most in axes of size 1.
Tensor scaled_sum(const char* op, const Tensor& x, unsigned mask, Scalar scale, const Shape& to) {
  if (mask == 0) {
    return reshape(x, to);
  }
  const Tensor y = reduced_count(x.shape(), mask) == 0 ? zeros(to) : reduce<Sum>(x, mask, to);
  if (scale != 1) {
    map(y.size(), y.data(), y.mutable_data(), [scale](Scalar v) { return v * scale; });
  }
  return record(op, y, {x},
                [scale, shape = x.shape(),
                 kept = reduced_shape(x.shape(), mask, true)](const Tensor& dy) -> Gradients {
                  const Tensor d = reshape(dy, kept);
                  return {broadcast_to(scale == 1 ? d : d * scale, shape)};
                });
}

/// What max() does, and min().
template <bool kLargest>
Tensor extreme(const char* op, const Tensor& x, const Axes& axes, const ReduceOptions& options) {
  const unsigned mask = filled_axes(op, x, axes);
  return record(
      op, reduce<Extreme<kLargest>>(x, mask, reduced_shape(x.shape(), mask, options.keepdim)), {x},
      [x = Saved(x), mask](const Tensor& dy, const Tensor& y) -> Gradients {
        const Shape& shape = x->shape();
        const Shape kept = reduced_shape(shape, mask, true);
        Tensor chosen(shape);  // 1 at each element that is y, else 0
        broadcast_map(shape, shape, x->data(), kept, y.data(), chosen.mutable_data(),
                      [](Scalar v, Scalar best) { return static_cast<Scalar>(v == best); });
        const Tensor count = scaled_sum("sum", chosen, mask, 1, kept);
        return {chosen * (reshape(dy, kept) / count)};
      });
}

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

Tensor sum(const Tensor& x, const Axes& axes, ReduceOptions options) {
  require_defined("sum", {{"x", x}});
  const unsigned mask = axes.mask("sum", x.shape());
  return scaled_sum("sum", x, mask, 1, reduced_shape(x.shape(), mask, options.keepdim));
}

Tensor mean(const Tensor& x, const Axes& axes, ReduceOptions options) {
  const unsigned mask = filled_axes("mean", x, axes);
  const Scalar scale = Scalar(1) / static_cast<Scalar>(reduced_count(x.shape(), mask));
  return scaled_sum("mean", x, mask, scale, reduced_shape(x.shape(), mask, options.keepdim));
}

Tensor max(const Tensor& x, const Axes& axes, ReduceOptions options) {
  return extreme<true>("max", x, axes, options);
}

Tensor min(const Tensor& x, const Axes& axes, ReduceOptions options) {
  return extreme<false>("min", x, axes, options);
}

Tensor variance(const Tensor& x, const Axes& axes, ReduceOptions options) {
  filled_axes("variance", x, axes);
  const Tensor centred = x - mean(x, axes, {.keepdim = true});
  return mean(centred * centred, axes, options);
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

Tensor sum_to(const Tensor& x, const Shape& shape) {
  require_defined("sum_to", {{"x", x}});
  if (x.shape() == shape) {
    return x;
  }
  check(broadcast_shapes("sum_to", x.shape(), shape) == x.shape(), "sum_to: ", shape,
        " does not broadcast to ", x.shape());
  const int extra = x.rank() - shape.rank();
  unsigned mask = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis < extra || (shape[axis - extra] == 1 && x.size(axis) != 1)) {
      mask |= 1u << axis;
    }
  }
  return scaled_sum("sum_to", x, mask, 1, shape);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  require_defined("broadcast_to", {{"x", x}});
  if (x.shape() == shape) {
    return x;
  }
  check(broadcast_shapes("broadcast_to", x.shape(), shape) == shape, "broadcast_to: ", x.shape(),
        " does not broadcast to ", shape);
  Tensor y(shape);
  Scalar* const to = y.mutable_data();
  const BroadcastPlan<1> plan(shape, {&x.shape()});
  if (repeats_short_row(plan, 0)) {
    short_row_runs(plan, 0, x.data(),
                   [&](Index at, const Scalar* row, Index n) { std::copy_n(row, n, to + at); });
  } else {
    broadcast_runs(plan, [&](Index offset, const std::array<Index, 1>& at, Index n) {
      const Scalar* from = x.data() + at[0];
      if (plan.strides[0][0] == 0) {
        std::fill_n(to + offset, n, *from);
      } else {
        std::copy_n(from, n, to + offset);
      }
    });
  }
  return record("broadcast_to", y, {x},
                [from = x.shape()](const Tensor& dy) -> Gradients { return {sum_to(dy, from)}; });
}

}  // namespace gradus
