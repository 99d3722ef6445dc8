/// @file
/// A second implementation of the ops, as slow and as plain as possible: loops over indices, on
/// numbers that carry their derivatives along. Nothing here uses the engine's kernels or rules.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "autograd/shape.h"

namespace gradus {

/// A number with its slopes along two directions of the inputs, and the slope of one slope along
/// the other direction. Rules of calculus for each operation give first and second derivatives
/// without finite differences.
template <class Real>
struct Dual {
  Real value = 0, slope_u = 0, slope_v = 0, slope_uv = 0;
};

/// f(x) for a function with this value, slope and second derivative at x.
template <class Real>
Dual<Real> chain(const Dual<Real>& x, double value, double slope, double second) {
  const Real d = static_cast<Real>(slope);
  return {static_cast<Real>(value), d * x.slope_u, d * x.slope_v,
          d * x.slope_uv + static_cast<Real>(second) * x.slope_u * x.slope_v};
}
template <class Real>
Dual<Real> operator+(const Dual<Real>& x, const Dual<Real>& y) {
  return {x.value + y.value, x.slope_u + y.slope_u, x.slope_v + y.slope_v, x.slope_uv + y.slope_uv};
}
template <class Real>
Dual<Real> operator*(const Dual<Real>& x, const Dual<Real>& y) {
  return {
      x.value * y.value, x.slope_u * y.value + x.value * y.slope_u,
      x.slope_v * y.value + x.value * y.slope_v,
      x.slope_uv * y.value + x.slope_u * y.slope_v + x.slope_v * y.slope_u + x.value * y.slope_uv};
}
template <class Real>
Dual<Real> times(const Dual<Real>& x, double s) {
  return chain(x, static_cast<double>(x.value) * s, s, 0);
}
template <class Real>
Dual<Real> operator-(const Dual<Real>& x, const Dual<Real>& y) {
  return x + times(y, -1);
}
template <class Real>
Dual<Real> inverse(const Dual<Real>& x) {
  const double r = 1 / static_cast<double>(x.value);
  return chain(x, r, -r * r, 2 * r * r * r);
}
template <class Real>
Dual<Real> exponential(const Dual<Real>& x) {
  const double y = std::exp(static_cast<double>(x.value));
  return chain(x, y, y, y);
}
template <class Real>
Dual<Real> logarithm(const Dual<Real>& x) {
  const double v = static_cast<double>(x.value);
  return chain(x, std::log(v), 1 / v, -1 / (v * v));
}
template <class Real>
Dual<Real> power(const Dual<Real>& x, double n) {
  const double v = static_cast<double>(x.value);
  const double slope = n == 0 ? 0 : n * std::pow(v, n - 1);
  const double second = n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(v, n - 2);
  return chain(x, std::pow(v, n), slope, second);
}

/// A position along each axis.
using Place = std::vector<Index>;

/// Calls body(place) for each place of a shape, in row-major order.
template <class Body>
void for_each_place(const Shape& shape, Body body) {
  if (shape.size() == 0) return;
  Place place(shape.rank(), 0);
  while (true) {
    body(place);
    int axis = shape.rank() - 1;
    while (axis >= 0 && ++place[axis] == shape[axis]) place[axis--] = 0;
    if (axis < 0) return;
  }
}

/// The position in row-major order. An axis of size 1 is repeated, and axes that the place has
/// before all of the shape's axes are ignored: NumPy's rule of broadcasting.
inline Index offset_of(const Shape& shape, const Place& place) {
  Index offset = 0;
  const std::size_t first = place.size() - shape.rank();
  for (int axis = 0; axis < shape.rank(); ++axis) {
    offset = offset * shape[axis] + (shape[axis] == 1 ? 0 : place[first + axis]);
  }
  return offset;
}

inline Shape shape_of(const Place& sizes) { return Shape(std::span<const Index>(sizes)); }
inline Place sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// The shape to which both broadcast.
inline Shape common_shape(const Shape& a, const Shape& b) {
  Place sizes(std::max(a.rank(), b.rank()), 1);
  for (const Shape* shape : {&a, &b}) {
    for (int i = 1; i <= shape->rank(); ++i) {
      Index& size = sizes[sizes.size() - i];
      if (size == 1) size = (*shape)[-i];
    }
  }
  return shape_of(sizes);
}

/// Whether a comparison could end otherwise after rounding: then a graph shows nothing about
/// slopes. Set by compared(), and cleared by whoever asks.
inline thread_local bool is_undecided = false;
/// The distance of two numbers below which rounding may decide.
inline thread_local double nearness = 1e-9;

/// A tensor.
template <class Real>
struct Naive {
  Shape shape;
  std::vector<Dual<Real>> elements = {};
  bool is_exact = false;  ///< whether no element was rounded, so that equal ones are surely equal

  Naive() = default;
  explicit Naive(const Shape& of, bool exact = false)
      : shape(of), elements(of.size()), is_exact(exact) {}
  /// The elements at each place of a shape.
  template <class At>
  static Naive from(const Shape& shape, bool exact, At at) {
    Naive y(shape, exact);
    Index i = 0;
    for_each_place(shape, [&](const Place& place) { y.elements[i++] = at(place); });
    return y;
  }
  const Dual<Real>& operator()(const Place& place) const {
    return elements[offset_of(shape, place)];
  }
};

/// -1, 0 or 1 for x < y, x == y, x > y.
template <class Real>
int compared(const Dual<Real>& x, const Dual<Real>& y, bool exact) {
  const double a = x.value, b = y.value;
  const bool is_near = std::abs(a - b) <= nearness * std::max({1.0, std::abs(a), std::abs(b)});
  if (is_near && !exact) is_undecided = true;
  return a < b ? -1 : a > b ? 1 : 0;
}

template <class Real, class F>
Naive<Real> naive_map(const Naive<Real>& x, F f, bool exact = false) {
  return Naive<Real>::from(x.shape, exact && x.is_exact, [&](const Place& p) { return f(x(p)); });
}

template <class Real, class F>
Naive<Real> naive_zip(const Naive<Real>& a, const Naive<Real>& b, F f, bool exact = false) {
  return Naive<Real>::from(common_shape(a.shape, b.shape), exact && a.is_exact && b.is_exact,
                           [&](const Place& p) { return f(a(p), b(p)); });
}

/// The larger (sign 1) or smaller (sign -1) of two numbers; the mean of two equal ones, whose
/// slopes are shared.
template <class Real>
Dual<Real> chosen(const Dual<Real>& a, const Dual<Real>& b, int sign, bool exact) {
  const int order = sign * compared(a, b, exact);
  return order > 0 ? a : order < 0 ? b : times(a + b, 0.5);
}

/// Calls body(place in y, elements of x) for each element of y, where the axes in `mask` are
/// reduced; with keepdim they stay with size 1.
template <class Real, class F>
Naive<Real> naive_reduce(const Naive<Real>& x, unsigned mask, bool keepdim, F f,
                         bool exact = false) {
  Place kept, short_sizes;
  for (int axis = 0; axis < x.shape.rank(); ++axis) {
    const bool is_reduced = (mask >> axis & 1U) != 0;
    kept.push_back(is_reduced ? 1 : x.shape[axis]);
    if (!is_reduced) short_sizes.push_back(x.shape[axis]);
  }
  std::vector<std::vector<Dual<Real>>> groups(shape_of(kept).size());
  for_each_place(x.shape,
                 [&](const Place& p) { groups[offset_of(shape_of(kept), p)].push_back(x(p)); });
  Naive<Real> y(shape_of(keepdim ? kept : short_sizes), exact && x.is_exact);
  for (std::size_t i = 0; i < groups.size(); ++i) y.elements[i] = f(groups[i]);
  return y;
}

template <class Real>
Dual<Real> total(const std::vector<Dual<Real>>& all) {
  Dual<Real> sum;
  for (const Dual<Real>& each : all) sum = sum + each;
  return sum;
}

template <class Real>
Dual<Real> average(const std::vector<Dual<Real>>& all) {
  return times(total(all), 1 / static_cast<double>(all.size()));
}

/// The largest (sign 1) or smallest (sign -1); equal ones share the slope.
template <class Real>
Dual<Real> extreme(const std::vector<Dual<Real>>& all, int sign, bool exact) {
  std::vector<Dual<Real>> best;
  for (const Dual<Real>& each : all) {
    const int order = best.empty() ? 1 : sign * compared(each, best[0], exact);
    if (order > 0) best.clear();
    if (order >= 0) best.push_back(each);
  }
  return average(best);
}

template <class Real>
Dual<Real> variance_of(const std::vector<Dual<Real>>& all) {
  const Dual<Real> mean = average(all);
  std::vector<Dual<Real>> squares;
  for (const Dual<Real>& each : all) squares.push_back((each - mean) * (each - mean));
  return average(squares);
}

/// x with two axes exchanged.
template <class Real>
Naive<Real> naive_transpose(const Naive<Real>& x, int a, int b) {
  Place sizes = sizes_of(x.shape);
  std::swap(sizes[a], sizes[b]);
  return Naive<Real>::from(shape_of(sizes), x.is_exact, [&](Place p) {
    std::swap(p[a], p[b]);
    return x(p);
  });
}

template <class Real>
Naive<Real> naive_reshape(Naive<Real> x, const Shape& shape) {
  x.shape = shape;
  return x;
}

template <class Real>
Naive<Real> naive_slice(const Naive<Real>& x, int axis, Index begin, Index end) {
  return Naive<Real>::from(x.shape.with(axis, end - begin), x.is_exact, [&](Place p) {
    p[axis] += begin;
    return x(p);
  });
}

template <class Real>
Naive<Real> naive_concat(const std::vector<Naive<Real>>& all, int axis) {
  Index size = 0;
  bool exact = true;
  for (const auto& x : all) size += x.shape[axis], exact = exact && x.is_exact;
  return Naive<Real>::from(all[0].shape.with(axis, size), exact, [&](Place p) {
    std::size_t i = 0;
    while (p[axis] >= all[i].shape[axis]) p[axis] -= all[i++].shape[axis];
    return all[i](p);
  });
}

/// The product over the last two axes; the others broadcast.
template <class Real>
Naive<Real> naive_matmul(const Naive<Real>& a, const Naive<Real>& b) {
  const Index inner = a.shape[-1];
  const auto batch = [](const Shape& s) { return shape_of({s.begin(), s.end() - 2}); };
  Place sizes = sizes_of(common_shape(batch(a.shape), batch(b.shape)));
  sizes.push_back(a.shape[-2]);
  sizes.push_back(b.shape[-1]);
  return Naive<Real>::from(shape_of(sizes), false, [&](const Place& p) {
    Dual<Real> sum;
    Place left = p, right = p;
    for (Index i = 0; i < inner; ++i) {
      left[left.size() - 1] = i;
      right[right.size() - 2] = i;
      sum = sum + a(left) * b(right);
    }
    return sum;
  });
}

/// The probabilities along an axis, of the elements for which `is_seen` holds; zeros if of none.
template <class Real, class Seen>
Naive<Real> naive_softmax(const Naive<Real>& x, int axis, Seen is_seen) {
  return Naive<Real>::from(x.shape, false, [&](const Place& p) {
    double largest = -INFINITY;
    Place q = p;
    for (q[axis] = 0; q[axis] < x.shape[axis]; ++q[axis]) {
      if (is_seen(q)) largest = std::max(largest, static_cast<double>(x(q).value));
    }
    if (!is_seen(p)) return Dual<Real>();
    const Dual<Real> shift{static_cast<Real>(-largest)};
    Dual<Real> sum;
    for (q[axis] = 0; q[axis] < x.shape[axis]; ++q[axis]) {
      if (is_seen(q)) sum = sum + exponential(x(q) + shift);
    }
    return exponential(x(p) + shift) * inverse(sum);
  });
}

template <class Real>
Naive<Real> naive_softmax(const Naive<Real>& x, int axis) {
  return naive_softmax(x, axis, [](const Place&) { return true; });
}

template <class Real>
Naive<Real> naive_log_softmax(const Naive<Real>& x, int axis) {
  return naive_map(naive_softmax(x, axis), [](const auto& e) { return logarithm(e); });
}

/// Rows of the last axis, each changed by f(row).
template <class Real, class F>
Naive<Real> naive_rows(const Naive<Real>& x, F f) {
  Naive<Real> y(x.shape);
  const Index width = x.shape[-1];
  for (Index begin = 0; width > 0 && begin < x.shape.size(); begin += width) {
    const auto from = x.elements.begin() + begin;
    const std::vector<Dual<Real>> row = f(std::vector<Dual<Real>>(from, from + width));
    std::copy(row.begin(), row.end(), y.elements.begin() + begin);
  }
  return y;
}

}  // namespace gradus
