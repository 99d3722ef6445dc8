#include "autograd/ops/shape.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rearrange.h"

namespace gradus {
namespace {

using Order = std::array<int, kMaxRank>;

/// y = x with axis order[i] as axis i: what `op` does.
Tensor permute(const char* op, const Tensor& x, const Order& order) {
  Tensor y(permute_shape(x.shape(), order));
  permute_elements(x.shape(), order, x.data(), y.mutable_data());
  return record(op, y, {x}, [op, order, rank = x.rank()](const Tensor& dy) -> Gradients {
    Order inverse{};
    for (int axis = 0; axis < rank; ++axis) {
      inverse[order[axis]] = axis;
    }
    return {permute(op, dy, inverse)};
  });
}

/// The same elements under a shape of as many: what `op` does.
Tensor reshape(const char* op, const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) {
    return x;
  }
  const Tensor y(x, shape);
  return record(op, y, {x}, [op, from = x.shape()](const Tensor& dy) -> Gradients {
    return {reshape(op, dy, from)};
  });
}

/// `shape` with one more axis, of size 1, as axis `axis` of the result.
Shape with_axis(const char* op, const Shape& shape, int axis) {
  Shape result = shape.append(1, op);
  for (int at = shape.rank(), to = result.axis_of(axis, op); at > to; --at) {
    const Index size = result[at - 1];
    result = result.with(at - 1, 1).with(at, size);
  }
  return result;
}

/// A position as the caller names it, from the beginning of an axis of size n.
Index from_begin(Index position, Index n) { return position < 0 ? position + n : position; }

/// The range [begin, end) of an axis as the caller names it, counted from its beginning.
std::pair<Index, Index> range_of(const char* op, const Shape& shape, int axis, Index begin,
                                 Index end) {
  const Index n = shape[axis];
  const Index first = from_begin(begin, n), last = end == kToEnd ? n : from_begin(end, n);
  if (first < 0 || first > last || last > n) {
    fail(op, ": [", begin, ", ", end == kToEnd ? "end" : text(end), ") is not within axis ", axis,
         " of ", shape);
  }
  return {first, last};
}

/// The positions [first, last) of one axis: what `op` does.
Tensor cut(const char* op, const Tensor& x, int axis, Index first, Index last) {
  const Index n = x.size(axis);
  const Index inner = x.shape().product(axis + 1, x.rank()), rows = x.shape().product(0, axis);
  const Index run = (last - first) * inner, stride = n * inner, at = first * inner;
  Tensor y(x.shape().with(axis, last - first));
  copy_runs(rows, run, x.data() + at, stride, y.mutable_data(), run);
  return record(op, y, {x},
                [=, after = n - last](const Tensor& dy, const Wanted& wanted) -> Gradients {
                  if (wanted.sum != nullptr) {
                    add_runs(rows, run, dy.data(), run, wanted.sum->mutable_data() + at, stride);
                    return {Tensor()};
                  }
                  return {pad(dy, axis, first, after)};
                });
}

}  // namespace

Tensor reshape(const Tensor& x, const Shape& shape) {
  require_defined("reshape", {{"x", x}});
  check(x.size() == shape.size(), "reshape: the number of elements must stay, got ", x.shape(),
        " to ", shape, ": ", x.size(), " is not ", shape.size());
  return reshape("reshape", x, shape);
}

Tensor reshape(const Tensor& x, std::initializer_list<Index> sizes) {
  require_defined("reshape", {{"x", x}});
  check(sizes.size() <= kMaxRank, "reshape: at most ", kMaxRank, " axes, got ", sizes.size());
  std::array<Index, kMaxRank> full{};
  std::copy(sizes.begin(), sizes.end(), full.begin());
  const std::span<const Index> asked(full.data(), sizes.size());
  const auto open = std::find(full.begin(), full.begin() + sizes.size(), -1);
  if (open != full.begin() + sizes.size()) {
    check(std::find(open + 1, full.begin() + sizes.size(), -1) == full.begin() + sizes.size(),
          "reshape: only one size may be -1, got two or more");
    *open = 1;
    const Index rest = Shape(asked, "reshape").size();
    check(rest > 0 && x.size() % rest == 0, "reshape: ", x.shape(), " of ", x.size(),
          " elements does not divide into parts of ", rest);
    *open = x.size() / rest;
  }
  return reshape(x, Shape(asked, "reshape"));
}

Tensor squeeze(const Tensor& x, int axis) {
  require_defined("squeeze", {{"x", x}});
  axis = x.shape().axis_of(axis, "squeeze");
  check(x.size(axis) == 1, "squeeze: axis ", axis, " of ", x.shape(), " must have size 1");
  return reshape("squeeze", x, x.shape().without(axis));
}

Tensor unsqueeze(const Tensor& x, int axis) {
  require_defined("unsqueeze", {{"x", x}});
  return reshape("unsqueeze", x, with_axis("unsqueeze", x.shape(), axis));
}

Tensor flatten(const Tensor& x, int first, int last) {
  require_defined("flatten", {{"x", x}});
  const Shape& shape = x.shape();
  if (shape.rank() == 0 && first == 0 && last == -1) {
    return unsqueeze(x, 0);
  }
  const int from = shape.axis_of(first, "flatten"), to = shape.axis_of(last, "flatten");
  check(from <= to, "flatten: axis ", first, " of ", shape, " comes after axis ", last);
  Shape flat(std::span(shape.begin(), shape.begin() + from));
  flat = flat.append(shape.product(from, to + 1));
  for (int axis = to + 1; axis < shape.rank(); ++axis) {
    flat = flat.append(shape[axis]);
  }
  return reshape("flatten", x, flat);
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
        " once, got ", axes.size(), " of ", x.rank());
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
  const Shape& first = tensors[0].shape();
  axis = first.axis_of(axis, "concat");
  std::vector<Index> sizes;
  Index total = 0;
  for (const Tensor& x : tensors) {
    check(x.rank() == first.rank() && x.shape().with(axis, first[axis]) == first,
          "concat: sizes must be equal except along axis ", axis, ", got ", first, " and ",
          x.shape());
    sizes.push_back(x.size(axis));
    total += x.size(axis);
  }
  Tensor y(first.with(axis, total));
  const Index rows = first.product(0, axis);
  const Index inner = first.product(axis + 1, first.rank());
  Scalar* to = y.mutable_data();
  for (const Tensor& x : tensors) {
    const Index n = x.size(axis) * inner;
    copy_runs(rows, n, x.data(), n, to, total * inner);
    to += n;
  }
  return record("concat", y, tensors, [sizes, axis](const Tensor& dy, const Wanted& wanted) {
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

Tensor stack(const std::vector<Tensor>& tensors, int axis) {
  require_all_defined("stack", "tensors", tensors);
  check(!tensors.empty(), "stack: needs at least one tensor");
  const Shape& shape = tensors[0].shape();
  const Shape slab = with_axis("stack", shape, axis);
  std::vector<Tensor> slabs;
  for (const Tensor& x : tensors) {
    check(x.shape() == shape, "stack: shapes must be equal, got ", shape, " and ", x.shape());
    slabs.push_back(reshape("stack", x, slab));
  }
  return concat(slabs, slab.axis_of(axis));
}

Tensor slice(const Tensor& x, int axis, Index begin, Index end) {
  require_defined("slice", {{"x", x}});
  axis = x.shape().axis_of(axis, "slice");
  const auto [first, last] = range_of("slice", x.shape(), axis, begin, end);
  return cut("slice", x, axis, first, last);
}

const Tensor Tensor::operator[](std::initializer_list<At> places) const {
  require_defined("index", {{"x", *this}});
  check(std::ssize(places) <= rank(), "index: at most one place for each axis of ", shape(),
        ", got ", places.size());
  Tensor y = *this;
  Shape to;
  int axis = 0;
  for (const At& at : places) {
    const Index n = size(axis), position = from_begin(at.begin, n);
    check(!at.single || (position >= 0 && position < n), "index: position ", at.begin,
          " is outside axis ", axis, " of ", shape());
    const auto [first, last] = at.single ? std::pair(position, position + 1)
                                         : range_of("index", shape(), axis, at.begin, at.end);
    if (at.single || last - first < n) {
      y = cut("index", y, axis, first, last);
    }
    if (!at.single) {
      to = to.append(last - first);
    }
    ++axis;
  }
  for (; axis < rank(); ++axis) {
    to = to.append(size(axis));
  }
  return reshape("index", y, to);
}

const Tensor Tensor::operator[](Index position) const { return (*this)[{At(position)}]; }

std::vector<Tensor> split(const Tensor& x, std::span<const Index> sizes, int axis) {
  require_defined("split", {{"x", x}});
  axis = x.shape().axis_of(axis, "split");
  Index total = 0;
  for (const Index size : sizes) {
    check(size >= 0, "split: sizes must not be negative, got ", size);
    total += size;
  }
  check(total == x.size(axis), "split: sizes must add up to axis ", axis, " of ", x.shape(), ": ",
        total, " is not ", x.size(axis));
  std::vector<Tensor> parts;
  Index begin = 0;
  for (const Index size : sizes) {
    parts.push_back(slice(x, axis, begin, begin + size));
    begin += size;
  }
  return parts;
}

std::vector<Tensor> split(const Tensor& x, std::initializer_list<Index> sizes, int axis) {
  return split(x, std::span(sizes.begin(), sizes.size()), axis);
}

std::vector<Tensor> split(const Tensor& x, Index count, int axis) {
  require_defined("split", {{"x", x}});
  axis = x.shape().axis_of(axis, "split");
  check(count > 0 && x.size(axis) % count == 0, "split: axis ", axis, " of ", x.shape(),
        " does not divide into ", count, " equal parts");
  return split(x, std::vector<Index>(count, x.size(axis) / count), axis);
}

Tensor pad(const Tensor& x, int axis, Index before, Index after, Scalar value) {
  require_defined("pad", {{"x", x}});
  axis = x.shape().axis_of(axis, "pad");
  check(before >= 0 && after >= 0, "pad: counts must not be negative, got ", before, " before and ",
        after, " after");
  const Index n = x.size(axis);
  const Index rows = x.shape().product(0, axis);
  const Index inner = x.shape().product(axis + 1, x.rank());
  Tensor y(x.shape().with(axis, before + n + after));
  const Index row_size = (before + n + after) * inner;
  const Scalar* from = x.data();
  Scalar* to = y.mutable_data();
  parallel_for(rows, row_grain(row_size), [=](Index first, Index last) {
    for (Index row = first; row < last; ++row) {
      Scalar* at = std::fill_n(to + row * row_size, before * inner, value);
      at = std::copy_n(from + row * n * inner, n * inner, at);
      std::fill_n(at, after * inner, value);
    }
  });
  return record("pad", y, {x}, [axis, before, n](const Tensor& dy) -> Gradients {
    return {slice(dy, axis, before, before + n)};
  });
}

}  // namespace gradus
