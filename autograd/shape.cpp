#include "autograd/shape.h"

#include <algorithm>
#include <ostream>

#include "autograd/check.h"

namespace gradus {

Shape::Shape(std::span<const Index> sizes, const char* op) : rank_(static_cast<int>(sizes.size())) {
  check(sizes.size() <= kMaxRank, op, ": at most ", kMaxRank, " axes, got ", sizes.size());
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
  Index size = 1;
  bool fits = true;
  for (Index n : sizes) {
    check(n >= 0, op, ": sizes must not be negative, got ", *this);
    // A zero elsewhere makes the tensor empty, but its other axes must still be countable.
    fits = fits && !__builtin_mul_overflow(size, std::max<Index>(n, 1), &size);
  }
  check(fits, op, ": too many elements to count, got ", *this);
}

int Shape::axis_of(int axis, const char* op) const {
  check(axis >= -rank_ && axis < rank_, op, ": axis ", axis, " is not an axis of ", *this);
  return axis < 0 ? axis + rank_ : axis;
}

Index Shape::product(int first, int last) const {
  Index product = 1;
  for (int axis = first; axis < last; ++axis) {
    product *= sizes_[axis];
  }
  return product;
}

Shape Shape::with(int axis, Index size) const {
  Shape result = *this;
  result.sizes_[axis_of(axis)] = size;
  return Shape(std::span(result.begin(), result.end()));
}

Shape Shape::without(int axis) const {
  Shape result = *this;
  const int gone = axis_of(axis);
  std::copy(result.sizes_.begin() + gone + 1, result.sizes_.begin() + rank_,
            result.sizes_.begin() + gone);
  --result.rank_;
  return result;
}

Shape Shape::append(Index size, const char* op) const {
  check(rank_ < kMaxRank, op, ": at most ", kMaxRank, " axes, cannot append one to ", *this);
  Shape result = *this;
  result.sizes_[result.rank_++] = size;
  return Shape(std::span(result.begin(), result.end()), op);
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << '[';
  for (int axis = 0; axis < shape.rank(); ++axis) {
    out << (axis > 0 ? ", " : "") << shape.begin()[axis];
  }
  return out << ']';
}

Axes::Axes(std::initializer_list<int> axes) : count_(static_cast<int>(axes.size())) {
  check(axes.size() <= kMaxRank, "axes: at most ", kMaxRank, " axes, got ", axes.size());
  std::copy(axes.begin(), axes.end(), axes_.begin());
}

unsigned Axes::mask(const char* op, const Shape& shape) const {
  if (count_ < 0) {
    return (1u << shape.rank()) - 1;
  }
  unsigned mask = 0;
  for (int i = 0; i < count_; ++i) {
    const int axis = shape.axis_of(axes_[i], op);
    check((mask & (1u << axis)) == 0, op, ": axis ", axes_[i], " of ", shape, " is named twice");
    mask |= 1u << axis;
  }
  return mask;
}

Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b) {
  if (a == b) {
    return a;
  }
  const int rank = std::max(a.rank(), b.rank());
  std::array<Index, kMaxRank> sizes{};
  for (int back = 1; back <= rank; ++back) {
    const Index m = back <= a.rank() ? a.end()[-back] : 1;
    const Index n = back <= b.rank() ? b.end()[-back] : 1;
    check(m == n || m == 1 || n == 1, op, ": shapes must broadcast, got ", a, " and ", b, ": ", m,
          " is neither ", n, " nor 1 at axis ", -back);
    sizes[rank - back] = m == 1 ? n : m;
  }
  return Shape(std::span<const Index>(sizes.data(), rank));
}

}  // namespace gradus
