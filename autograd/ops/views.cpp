#include "autograd/ops/views.h"

#include "autograd/check.h"
#include "autograd/graph.h"

namespace gradus {
using namespace detail;
namespace {

/// `shape` with one more axis: axis `axis` of the result has size 1.
Shape with_axis(const char* op, const Shape& shape, int axis) {
  Shape result = shape.append(1, op);
  for (int at = shape.rank(), to = result.axis_of(axis, op); at > to; --at) {
    const Index size = result[at - 1];
    result = result.with(at - 1, 1).with(at, size);
  }
  return result;
}

}  // namespace

Tensor squeeze(const Tensor& x, int axis) {
  require_defined("squeeze", {{"x", x}});
  axis = x.shape().axis_of(axis, "squeeze");
  check(x.size(axis) == 1, "squeeze: axis ", axis, " of ", x.shape(), " must have size 1");
  return reshape_for("squeeze", x, x.shape().without(axis));
}

Tensor unsqueeze(const Tensor& x, int axis) {
  require_defined("unsqueeze", {{"x", x}});
  return reshape_for("unsqueeze", x, with_axis("unsqueeze", x.shape(), axis));
}

Tensor flatten(const Tensor& x, int first, int last) {
  require_defined("flatten", {{"x", x}});
  const Shape& shape = x.shape();
  if (shape.rank() == 0 && first == 0 && last == -1) {
    return unsqueeze(x, 0);
  }
  const int from = shape.axis_of(first, "flatten"), to = shape.axis_of(last, "flatten");
  check(from <= to, "flatten: first must not be after last, got axes ", first, " and ", last,
        " of ", shape);
  Shape flat(std::span(shape.begin(), shape.begin() + from));
  flat = flat.append(shape.product(from, to + 1));
  for (int axis = to + 1; axis < shape.rank(); ++axis) {
    flat = flat.append(shape[axis]);
  }
  return reshape_for("flatten", x, flat);
}

Tensor stack(const std::vector<Tensor>& tensors, int axis) {
  require_all_defined("stack", "tensors", tensors);
  check(!tensors.empty(), "stack: needs at least one tensor");
  const Shape& shape = tensors[0].shape();
  const Shape slab = with_axis("stack", shape, axis);
  std::vector<Tensor> slabs;
  for (const Tensor& x : tensors) {
    check(x.shape() == shape, "stack: shapes must be equal, got ", shape, " and ", x.shape());
    slabs.push_back(reshape_for("stack", x, slab));
  }
  return concat_for("stack", slabs, slab.axis_of(axis));
}

const Tensor Tensor::operator[](std::initializer_list<At> places) const {
  require_defined("index", {{"x", *this}});
  check(std::ssize(places) <= rank(), "index: at most one position or range for each axis of ",
        shape(), ", got ", places.size());
  Tensor y = *this;
  Shape to;
  int axis = 0;
  for (const At& at : places) {
    const Index n = size(axis);
    const auto from_begin = [n](Index position) { return position < 0 ? position + n : position; };
    const Index first = from_begin(at.begin);
    check(!at.single || (first >= 0 && first < n), "index: position ", at.begin,
          " is outside axis ", axis, " of ", shape());
    const Index last = at.single ? first + 1 : at.end == kToEnd ? n : from_begin(at.end);
    check(first >= 0 && first <= last && last <= n, "index: [", at.begin, ", ",
          at.end == kToEnd ? "end" : text(at.end), ") is not within axis ", axis, " of ", shape());
    if (at.single || last - first < n) {
      y = slice_for("index", y, axis, first, last);
    }
    if (!at.single) {
      to = to.append(last - first);
    }
    ++axis;
  }
  for (; axis < rank(); ++axis) {
    to = to.append(size(axis));
  }
  return reshape_for("index", y, to);
}

const Tensor Tensor::operator[](Index position) const { return (*this)[{At(position)}]; }

std::vector<Tensor> split_sizes(const Tensor& x, std::span<const Index> sizes, int axis) {
  require_defined("split_sizes", {{"x", x}});
  axis = x.shape().axis_of(axis, "split_sizes");
  const Index n = x.size(axis);
  Index total = 0;
  for (const Index size : sizes) {
    check(size >= 0 && size <= n, "split_sizes: sizes must be between 0 and axis ", axis, " of ",
          x.shape(), ", got ", size);
    total += size;
  }
  check(total == n, "split_sizes: sizes must add up to axis ", axis, " of ", x.shape(), ": ", total,
        " is not ", n);
  std::vector<Tensor> parts;
  Index begin = 0;
  for (const Index size : sizes) {
    parts.push_back(slice(x, axis, begin, begin + size));
    begin += size;
  }
  return parts;
}

std::vector<Tensor> split_sizes(const Tensor& x, std::initializer_list<Index> sizes, int axis) {
  return split_sizes(x, std::span(sizes.begin(), sizes.size()), axis);
}

}  // namespace gradus
