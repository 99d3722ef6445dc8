#include "autograd/ops/shape.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rearrange.h"

namespace gradus {
using namespace detail;
namespace {

using Order = std::array<int, kMaxRank>;

/// Computes y = x with axis order[i] as axis i, as op `op`.
Tensor permute(const char* op, const Tensor& x, const Order& order) {
  Tensor y(permute_shape(x.shape(), order));
  permute_elements(x.shape(), order, x.data(), y.mutable_data());
  return record(op, y, {x}, [op, order, rank = x.rank()](const Tensor& dy) {
    Order inverse{};
    for (int axis = 0; axis < rank; ++axis) inverse[order[axis]] = axis;
    return permute(op, dy, inverse);
  });
}

}  // namespace

Tensor detail::reshape_for(const char* op, const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  check(x.size() == shape.size(), op, ": the number of elements must not change, got ", x.shape(),
        " to ", shape, ": ", x.size(), " is not ", shape.size());
  const Tensor y(x, shape);
  return record(op, y, {x},
                [op, from = x.shape()](const Tensor& dy) { return reshape_for(op, dy, from); });
}

Tensor reshape(const Tensor& x, const Shape& shape) {
  require_defined("reshape", {{"x", x}});
  return reshape_for("reshape", x, shape);
}

Tensor reshape(const Tensor& x, std::initializer_list<Index> sizes) {
  require_defined("reshape", {{"x", x}});
  check(sizes.size() <= kMaxRank, "reshape: at most ", kMaxRank, " axes, got ", sizes.size());
  std::array<Index, kMaxRank> space{};  // a vector would allocate
  const std::span full(space.data(), sizes.size());
  std::copy(sizes.begin(), sizes.end(), full.begin());
  const auto open = std::find(full.begin(), full.end(), -1);
  if (open != full.end()) {
    check(std::find(open + 1, full.end(), -1) == full.end(),
          "reshape: only one size may be -1, got two or more");
    *open = 1;
    const Index rest = Shape(full, "reshape").size();
    check(rest > 0 && x.size() % rest == 0,
          "reshape: the product of the given sizes must divide the ", x.size(), " elements of ",
          x.shape(), ", got ", rest);
    *open = x.size() / rest;
  }
  return reshape(x, Shape(full, "reshape"));
}

Tensor transpose(const Tensor& x, int axis_a, int axis_b) {
  require_defined("transpose", {{"x", x}});
  const int a = x.shape().axis_of(axis_a, "transpose");
  const int b = x.shape().axis_of(axis_b, "transpose");
  Order order{};
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[a], order[b]);
  return permute("transpose", x, order);
}

Tensor permute(const Tensor& x, std::span<const int> axes) {
  require_defined("permute", {{"x", x}});
  check(static_cast<int>(axes.size()) == x.rank(), "permute: needs every axis of ", x.shape(),
        " once, got ", axes.size(), " axes instead of ", x.rank());
  Order order{};
  unsigned seen = 0;
  for (int i = 0; i < x.rank(); ++i) {
    order[i] = x.shape().axis_of(axes[i], "permute");
    check((seen >> order[i] & 1) == 0, "permute: needs every axis of ", x.shape(), " once, got ",
          axes[i], " twice");
    seen |= 1u << order[i];
  }
  return permute("permute", x, order);
}

Tensor permute(const Tensor& x, std::initializer_list<int> axes) {
  return permute(x, std::span(axes.begin(), axes.size()));
}

Tensor concat(const std::vector<Tensor>& tensors, int axis) {
  require_all_defined("concat", "tensors", tensors);
  check(!tensors.empty(), "concat: needs at least one tensor");
  return concat_for("concat", tensors, tensors[0].shape().axis_of(axis, "concat"));
}

Tensor detail::concat_for(const char* op, const std::vector<Tensor>& tensors, int axis) {
  const Shape& first = tensors[0].shape();
  std::vector<Index> sizes;
  Index total = 0;
  for (const Tensor& x : tensors) {
    check(x.rank() == first.rank() && x.shape().with(axis, first[axis], op) == first, op,
          ": sizes must be equal except along axis ", axis, ", got ", first, " and ", x.shape());
    sizes.push_back(x.size(axis));
    check(sizes.back() <= std::numeric_limits<Index>::max() - total, op,
          ": sizes must add up to less than 2^63 along axis ", axis);
    total += sizes.back();
  }
  Tensor y(first.with(axis, total, op));
  const Index rows = first.product(0, axis);
  const Index inner = first.product(axis + 1, first.rank());
  Scalar* to = y.mutable_data();
  for (const Tensor& x : tensors) {
    const Index n = x.size(axis) * inner;
    copy_runs(rows, n, x.data(), n, to, total * inner);
    to += n;
  }
  return record(op, y, tensors, [sizes, axis](const Tensor& dy, const Wanted& wanted) {
    Gradients gradients;
    Index begin = 0;
    for (const Index size : sizes) {
      const bool is_wanted = wanted[gradients.size()];
      gradients.push_back(is_wanted ? slice(dy, axis, begin, begin + size) : Tensor());
      begin += size;
    }
    return gradients;
  });
}

Tensor detail::slice_for(const char* op, const Tensor& x, int axis, Index begin, Index end) {
  const Index n = x.size(axis);
  const Index first = begin < 0 ? begin + n : begin;
  const Index last = end == kToEnd ? n : end < 0 ? end + n : end;
  if (first < 0 || first > last || last > n) {  // not check(): text(end) would be built each time
    fail(op, ": [", begin, ", ", end == kToEnd ? "end" : text(end), ") is not within axis ", axis,
         " of ", x.shape());
  }
  const Index inner = x.shape().product(axis + 1, x.rank()), rows = x.shape().product(0, axis);
  const Index run = (last - first) * inner, stride = n * inner, at = first * inner;
  Tensor y(x.shape().with(axis, last - first));
  copy_runs(rows, run, x.data() + at, stride, y.mutable_data(), run);
  return record(op, y, {x},
                [axis, first, after = n - last, rows, run, at, stride](
                    const Tensor& dy, const Wanted& wanted) -> Gradients {
                  if (wanted.sum != nullptr) {
                    add_runs(rows, run, dy.data(), run, wanted.sum->mutable_data() + at, stride);
                    return {Tensor()};  // its part is in the sum
                  }
                  return {pad(dy, axis, first, after)};
                });
}

Tensor slice(const Tensor& x, int axis, Index begin, Index end) {
  require_defined("slice", {{"x", x}});
  return slice_for("slice", x, x.shape().axis_of(axis, "slice"), begin, end);
}

std::vector<Tensor> split(const Tensor& x, Index count, int axis) {
  require_defined("split", {{"x", x}});
  axis = x.shape().axis_of(axis, "split");
  check(count > 0 && x.size(axis) % count == 0, "split: axis ", axis, " of ", x.shape(),
        " does not divide into ", count, " equal parts");
  const Index size = x.size(axis) / count;
  std::vector<Tensor> parts;
  for (Index part = 0; part < count; ++part) {
    parts.push_back(slice(x, axis, part * size, (part + 1) * size));
  }
  return parts;
}

Tensor pad(const Tensor& x, int axis, Index before, Index after, Scalar value) {
  require_defined("pad", {{"x", x}});
  axis = x.shape().axis_of(axis, "pad");
  const Index n = x.size(axis), room = std::numeric_limits<Index>::max() - n;
  check(before >= 0 && after >= 0 && before <= room && after <= room - before,
        "pad: counts must not be negative or beyond 2^63, got ", before, " before and ", after,
        " after");
  const Index rows = x.shape().product(0, axis);
  const Index inner = x.shape().product(axis + 1, x.rank());
  Tensor y(x.shape().with(axis, before + n + after, "pad"));
  pad_runs(rows, n * inner, x.data(), before * inner, after * inner, value, y.mutable_data());
  return record("pad", y, {x}, [axis, before, n](const Tensor& dy) {
    return slice(dy, axis, before, before + n);
  });
}

}  // namespace gradus
