//! [01 numbers]
// Arrays of numbers with a shape, and how two shapes meet.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace pocket {

#ifdef GRADUS_DOUBLE
using Scalar = double;  // chapter 05 needs it
#else
using Scalar = float;
#endif
using Index = std::int64_t;  // signed, so that differences are safe

/// Throws unless `ok`, with the other arguments joined as the message.
template <class... Parts>
void check(bool ok, const Parts&... parts) {
  if (!ok) throw std::invalid_argument((std::ostringstream() << ... << parts).str());
}
//! [01 numbers]

//! [01 Shape]
/// The sizes of a tensor's axes, outermost first. [] is the shape of a single number.
struct Shape : std::vector<Index> {
  using std::vector<Index>::vector;
  int rank() const { return static_cast<int>(std::vector<Index>::size()); }
  Index size() const { return std::accumulate(begin(), end(), Index{1}, std::multiplies<>()); }
  int axis_of(int axis) const {  // -1 is the last
    check(-rank() <= axis && axis < rank(), "shape: no axis ", axis, " in ", rank(), " axes");
    return axis < 0 ? axis + rank() : axis;
  }
  Index operator[](int axis) const { return data()[axis_of(axis)]; }
  Shape with(int axis, Index size) const {  // a copy with one size changed
    Shape shape = *this;
    shape.data()[axis_of(axis)] = size;
    return shape;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << "[";
  for (int axis = 0; axis < shape.rank(); ++axis) out << (axis > 0 ? ", " : "") << shape[axis];
  return out << "]";
}
//! [01 Shape]

//! [01 strides]
using Strides = std::vector<Index>;

/// The distance in memory between neighbours along each axis: [2, 3] has the strides 3 and 1.
inline Strides strides_of(const Shape& shape) {
  //! [01.1]
  Strides strides(shape.rank(), 1);
  for (int axis = shape.rank() - 1; axis > 0; --axis)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
  //! [01.1]
}
//! [01 strides]

//! [01 Tensor]
struct Node;  // chapter 04: where a tensor's gradient arrives

/// Numbers in row-major order, and their shape. A copy is a handle to the same numbers.
class Tensor {
 public:
  Tensor() = default;  // none: defined() is false
  explicit Tensor(const Shape& shape)
      : shape_(shape), elements_(std::make_shared<std::vector<Scalar>>(shape.size())) {}
  /// x's numbers under another shape.
  Tensor(const Tensor& x, const Shape& shape, std::shared_ptr<Node> node = nullptr)
      : shape_(shape), elements_(x.elements_), node_(std::move(node)) {
    check(shape.size() == x.size(), "tensor: ", x.shape(), " does not fit ", shape);
  }
  bool defined() const { return elements_ != nullptr; }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  Index size() const { return shape_.size(); }
  Index size(int axis) const { return shape_[axis]; }
  const Scalar* data() const {
    check(defined(), "tensor: is undefined");
    return elements_->data();
  }
  const Scalar* begin() const { return data(); }
  const Scalar* end() const { return data() + size(); }
  Scalar* mutable_data() { return const_cast<Scalar*>(data()); }  // checks as data() does
  Scalar item() const {
    check(size() == 1, "item: needs one element, got ", shape());
    return *data();
  }
  Tensor detach() const { return Tensor(*this, shape_); }  // the same numbers without a node
  const std::shared_ptr<Node>& node() const { return node_; }
  bool requires_grad() const { return node_ != nullptr; }
  Tensor& set_requires_grad(bool wanted = true);  // chapter 04, as the next two
  Tensor grad() const;
  void zero_grad();

 private:
  Shape shape_;
  std::shared_ptr<std::vector<Scalar>> elements_;
  std::shared_ptr<Node> node_;
};
//! [01 Tensor]

//! [01 tensor]
inline Tensor tensor(const Shape& shape, const std::vector<Scalar>& values) {
  Tensor x(shape);
  check(x.size() == std::ssize(values), "tensor: ", values.size(), " numbers for ", shape);
  std::copy(values.begin(), values.end(), x.mutable_data());
  return x;
}
inline Tensor full(const Shape& shape, Scalar value) {
  return tensor(shape, std::vector<Scalar>(shape.size(), value));
}
inline Tensor zeros(const Shape& shape) { return Tensor(shape); }
inline Tensor ones(const Shape& shape) { return full(shape, 1); }
inline Tensor scalar(Scalar value) { return full({}, value); }

/// Numbers in nested braces, {{1, 2}, {3, 4}}: a Nested is a number, or a list of Nested.
struct Nested {
  Nested(Scalar value) : values{value} {}
  Nested(std::initializer_list<Nested> rows) {
    for (const Nested& row : rows) {
      check(row.shape == rows.begin()->shape, "tensor: rows of different shapes");
      values.insert(values.end(), row.values.begin(), row.values.end());
      shape = row.shape;
    }
    shape.insert(shape.begin(), std::ssize(rows));
  }
  std::vector<Scalar> values;
  Shape shape;
};
inline Tensor tensor(const Nested& x) { return tensor(x.shape, x.values); }
//! [01 tensor]

//! [01 print]
inline std::ostream& operator<<(std::ostream& out, const Tensor& x) {
  const Strides strides = strides_of(x.shape());
  for (Index i = 0; i < x.size(); ++i) {
    int begun = 0, ended = 0;  // how many axes begin with this element, and how many end
    for (int axis = 0; axis < x.rank(); ++axis) {
      begun += i % (strides[axis] * x.size(axis)) == 0;
      ended += (i + 1) % (strides[axis] * x.size(axis)) == 0;
    }
    if (i > 0) out << (begun > 0 ? ",\n" + std::string(x.rank() - begun, ' ') : ", ");
    out << std::string(begun, '[') << x.data()[i] << std::string(ended, ']');
  }
  return x.size() > 0 ? out : out << "[]";
}
//! [01 print]

//! [01 for_each_element]
/// Calls visit(i, at_a, at_b) for every element i in order; strides a and b lead to at_a and at_b.
template <class Visit>
void for_each_element(const Shape& shape, const Strides& a, const Strides& b, Visit visit) {
  if (shape.rank() == 0) return visit(0, 0, 0);
  Index i = 0;
  std::function<void(int, Index, Index)> loop = [&](int axis, Index at_a, Index at_b) {
    const Index n = shape[axis], step_a = a[axis], step_b = b[axis];
    if (axis + 1 < shape.rank()) {  // calls itself for the next axis: the number of axes varies
      for (Index k = 0; k < n; ++k) loop(axis + 1, at_a + k * step_a, at_b + k * step_b);
    } else {
      for (Index k = 0; k < n; ++k) visit(i++, at_a + k * step_a, at_b + k * step_b);
    }
  };
  loop(0, 0, 0);
}
//! [01 for_each_element]

//! [01 broadcast_shapes]
/// The shape that a and b broadcast to. Aligned at the last axis, sizes are equal or one is 1.
inline Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b) {
  //! [01.2]
  Shape shape = a.rank() < b.rank() ? b : a;
  for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
    check(a[axis] == b[axis] || a[axis] == 1 || b[axis] == 1, op, ": ", a, " and ", b,
          " do not broadcast: ", a[axis], " is not ", b[axis]);
    shape = shape.with(axis, a[axis] == 1 ? b[axis] : a[axis]);
  }
  return shape;
  //! [01.2]
}
//! [01 broadcast_shapes]

//! [01 broadcast_strides]
/// The strides that read a tensor of shape `from` as if its shape were `to`: 0 where it repeats.
inline Strides broadcast_strides(const Shape& from, const Shape& to) {
  //! [01.3]
  Strides strides = strides_of(from);
  for (int axis = 0; axis < from.rank(); ++axis) strides[axis] *= from[axis] != 1;
  strides.insert(strides.begin(), to.rank() - from.rank(), 0);  // axes that `from` does not have
  return strides;
  //! [01.3]
}
//! [01 broadcast_strides]

//! [01 elementwise]
/// y = f(a, b), element by element with broadcasting.
template <class F>
Tensor elementwise(const char* op, const Tensor& a, const Tensor& b, F f) {
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()));
  const Strides of_a = broadcast_strides(a.shape(), y.shape());
  const Strides of_b = broadcast_strides(b.shape(), y.shape());
  const Scalar *from_a = a.data(), *from_b = b.data();
  Scalar* to = y.mutable_data();
  for_each_element(y.shape(), of_a, of_b,
                   [=](Index i, Index at_a, Index at_b) { to[i] = f(from_a[at_a], from_b[at_b]); });
  return y;
}
//! [01 elementwise]

//! [07 IndexTensor]
/// Whole numbers with a shape: tokens, labels, masks. They have no gradient.
class IndexTensor {
 public:
  IndexTensor() = default;  // none: the shape [] without its number
  IndexTensor(const Shape& shape, const std::vector<std::int32_t>& values)
      : shape_(shape), values_(values) {
    check(defined(), "indices: ", values.size(), " numbers for ", shape);
  }
  bool defined() const { return size() == std::ssize(values_); }
  const Shape& shape() const { return shape_; }
  Index size() const { return shape_.size(); }
  Index size(int axis) const { return shape_[axis]; }
  const std::int32_t* data() const { return values_.data(); }
  const std::int32_t* begin() const { return data(); }
  const std::int32_t* end() const { return data() + values_.size(); }

 private:
  Shape shape_;
  std::vector<std::int32_t> values_;
};

inline IndexTensor indices(const Nested& x) {
  return IndexTensor(x.shape, {x.values.begin(), x.values.end()});
}
//! [07 IndexTensor]

//! [01 end]
}  // namespace pocket
//! [01 end]
