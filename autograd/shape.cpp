#include "autograd/shape.h"

#include <algorithm>
#include <ostream>
#include <type_traits>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

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

Shape Shape::with(int axis, Index size, const char* op) const {
  Shape result = *this;
  result.sizes_[axis_of(axis, op)] = size;
  return Shape(std::span(result.begin(), result.end()), op);
}

Shape Shape::without(int axis) const {
  Shape result = *this;
  const auto gone = result.sizes_.begin() + axis_of(axis);
  std::copy(gone + 1, result.sizes_.end(), gone);
  result.sizes_[--result.rank_] = 0;
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
  for (const Index& size : shape) out << (&size != shape.begin() ? ", " : "") << size;
  return out << ']';
}

Axes::Axes(std::initializer_list<Axis> axes) : count_(static_cast<int>(axes.size())) {
  check(axes.size() <= kMaxRank, "axes: at most ", kMaxRank, " axes, got ", axes.size());
  std::ranges::transform(axes, axes_.begin(), &Axis::axis);
}

unsigned Axes::mask(const char* op, const Shape& shape) const {
  if (count_ < 0) return (1u << shape.rank()) - 1;
  unsigned mask = 0;
  for (int i = 0; i < count_; ++i) {
    const unsigned bit = 1u << shape.axis_of(axes_[i], op);
    check((mask & bit) == 0, op, ": axis ", axes_[i], " of ", shape, " is named twice");
    mask |= bit;
  }
  return mask;
}

Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b) {
  if (a == b) return a;
  const int rank = std::max(a.rank(), b.rank());
  std::array<Index, kMaxRank> sizes{};
  for (int back = 1; back <= rank; ++back) {
    const Index m = back <= a.rank() ? a.end()[-back] : 1;
    const Index n = back <= b.rank() ? b.end()[-back] : 1;
    check(m == n || m == 1 || n == 1, op, ": shapes must broadcast, got ", a, " and ", b, ": ", m,
          " is neither ", n, " nor 1 at axis ", -back);
    sizes[rank - back] = m == 1 ? n : m;
  }
  return Shape(std::span<const Index>(sizes.data(), rank), op);
}

template <class T>
NestedBraces<T>::NestedBraces(std::initializer_list<NestedBraces> rows) {
  const Shape inner = rows.size() > 0 ? rows.begin()->shape : Shape();
  for (const NestedBraces& row : rows) {
    check(row.shape == inner, std::is_integral_v<T> ? "indices" : "tensor",
          ": rows must have one shape, got ", inner, " and ", row.shape);
    values.insert(values.end(), row.values.begin(), row.values.end());
  }
  std::vector<Index> sizes{static_cast<Index>(rows.size())};
  sizes.insert(sizes.end(), inner.begin(), inner.end());
  shape = Shape(sizes);
}
template struct NestedBraces<double>;
template struct NestedBraces<std::int32_t>;

}  // namespace gradus
