/// @file
/// Tensor, the type of the values that all ops compute with.
///
/// Elements are always dense, row-major and contiguous: there are no strides. Ops that would need
/// strides use the BLAS's transpose flags and leading dimensions instead (see matmul and
/// attention). Left out on purpose: other element types (indices are an IndexTensor), devices,
/// in-place ops.
#pragma once

#include <initializer_list>
#include <iosfwd>
#include <vector>

#include "autograd/kernels/storage.h"
#include "autograd/shape.h"

namespace gradus {

/// @addtogroup tensors
/// @{

struct At;    // a place in x[{...}]: see ops/views.h
struct Node;  // where a tensor's gradient arrives: see graph.h
class Tensor;
/// Deletes a node; Ref calls it when the last owner is gone. Uses a list in place of recursion.
void destroy(Node* node);

namespace detail {

/// The shape, elements and node that the handles of one tensor share.
struct TensorBody : Pooled {
  int refs = 0;
  Shape shape;
  Scalar* data = nullptr;        // inside storage
  Ref<Storage<Scalar>> storage;  // other tensors may share it
  Ref<Node> node;                // where its gradient arrives; none if it requires no gradient
};
void destroy(TensorBody* body);

/// Gives a tensor its place in the graph.
void set_node(Tensor& x, Ref<Node> node);

}  // namespace detail

/// An n-dimensional array of Scalars, with a place in the graph if it requires a gradient.
///
/// A Tensor is a cheap handle: a copy refers to the same elements and the same gradient. Ops never
/// change their arguments; an op with nothing to do may return its argument. The results of
/// reshape() and detach() share the elements of the original. A tensor and everything reachable
/// from it belong to one thread at a time.
///
/// @code
/// Tensor x = tensor({{1, 2}, {3, 4}}).set_requires_grad();
/// Tensor y = sum(x * x);
/// backward(y);
/// x.grad();  // [[2, 4], [6, 8]]
/// @endcode
class Tensor {
 public:
  /// An undefined tensor: defined() is false. As an optional argument it means "none".
  Tensor() = default;
  /// A tensor of this shape with uninitialised elements.
  /// @throws OutOfMemory, a std::bad_alloc, if there is not enough memory.
  explicit Tensor(const Shape& shape);
  /// A tensor of this shape that shares the elements of x from number `offset` on. It has no place
  /// in the graph.
  /// @throws std::invalid_argument if x has too few elements.
  Tensor(const Tensor& x, const Shape& shape, Index offset = 0);

  /// Whether there is a tensor: false for Tensor(). Unless stated otherwise, all other members
  /// throw std::invalid_argument if there is none.
  bool defined() const { return static_cast<bool>(body_); }
  /// The sizes of the axes.
  const Shape& shape() const { return body("shape").shape; }
  int rank() const { return body("rank").shape.rank(); }    ///< the number of axes
  Index size() const { return body("size").shape.size(); }  ///< the number of elements
  /// The size of one axis; -1 is the last.
  Index size(int axis) const { return body("size").shape.size_of(axis, "size"); }

  /// The elements in row-major order.
  const Scalar* data() const { return body("data").data; }
  const Scalar* begin() const { return body("begin").data; }       ///< the first element
  const Scalar* end() const { return body("end").data + size(); }  ///< one past the last
  /// The elements, for writing: for optimisers, initialisers and tests. Ops must not call it on
  /// their arguments. A const handle does not make the elements const. Call it for each change: it
  /// increments the version, so that backward() can detect that a saved tensor was changed.
  Scalar* mutable_data() const {
    detail::TensorBody& own = body("mutable_data");
    ++own.storage->version;
    return own.data;
  }
  /// How often mutable_data() was called on these elements, through any tensor that shares them.
  unsigned version() const { return body("version").storage->version; }
  /// The only element.
  /// @throws std::invalid_argument if there is more or less than one.
  Scalar item() const;
  /// The element at these indices, one for each axis. Negative indices are errors here.
  /// @throws std::invalid_argument if there is not one index for each axis, or an index is outside
  /// its axis.
  Scalar at(std::initializer_list<Index> indices) const;
  /// The elements at this position of the first axis, without that axis; position -1 is the last.
  /// An op with a gradient, like slice(). The result is const, because assigning to it would not
  /// change this tensor.
  /// @throws std::invalid_argument if the position is outside the axis.
  const Tensor operator[](Index position) const;
  /// The elements at places on several axes. Each place is a position, `{begin, end}`, or `{}` for
  /// the whole axis; the axes after the last place stay whole. `x[{1, {0, 2}}]` is the first two
  /// columns of row 1. (`ops/views.cpp`)
  /// @throws std::invalid_argument if there are more places than axes, or a place is outside its
  /// axis.
  const Tensor operator[](std::initializer_list<At> places) const;
  /// A copy of all elements.
  std::vector<Scalar> values() const { return {body("values").data, body_->data + size()}; }

  /// Whether gradients flow to or through this tensor.
  bool requires_grad() const { return static_cast<bool>(body("requires_grad").node); }
  /// Makes this tensor a leaf that collects its gradient. (With false it stops being one, and
  /// gradients that arrive from earlier graphs are dropped.)
  /// @throws std::invalid_argument if an op recorded it: the gradient of an op's result is not
  /// kept.
  Tensor& set_requires_grad(bool wanted = true);
  /// The gradient collected so far; undefined before the first backward().
  /// @throws std::invalid_argument if this is not a leaf that requires a gradient.
  Tensor grad() const;
  /// Deletes the gradient collected so far.
  /// @throws std::invalid_argument if this is not a leaf that requires a gradient.
  void zero_grad();
  /// Replaces the gradient collected so far with `grad`, without its graph. If `grad` is undefined,
  /// deletes the gradient.
  /// @throws std::invalid_argument if this is not a leaf that requires a gradient, or the shapes
  /// differ.
  void set_grad(const Tensor& grad);

  /// The same elements, without a place in the graph. An undefined tensor stays undefined.
  Tensor detach() const { return defined() ? Tensor(*this, shape()) : Tensor(); }
  /// A copy with its own elements, without a place in the graph.
  Tensor clone() const;
  /// Whether no other handle, and no other tensor, refers to these elements; false if undefined.
  bool sole_owner() const { return body_.sole() && body_->storage.sole(); }
  /// The tensor's node in the graph; empty if it has none.
  const Ref<Node>& node() const { return body("node").node; }

 private:
  friend void detail::set_node(Tensor& x, Ref<Node> node);

  /// Returns the body. If there is none, throws an error that names `method`.
  detail::TensorBody& body(const char* method) const {
    if (!body_) [[unlikely]] {
      fail_undefined(method);
    }
    return *body_;
  }
  [[noreturn]] static void fail_undefined(const char* method);
  /// Returns the node. If this is not a leaf that requires a gradient, throws an error that names
  /// `method`.
  Node& leaf(const char* method) const;

  Ref<detail::TensorBody> body_;
};

/// The tensor with the numbers in nested braces: `tensor(3)`, `tensor({1, 2})`,
/// `tensor({{1, 2}, {3, 4}})`.
/// @throws std::invalid_argument if rows differ in shape.
Tensor tensor(const NestedBraces<double>& literal);
/// The tensor of this shape with these values in row-major order: `tensor({1, 2}, {3, 4})` is
/// [[3, 4]].
/// @throws std::invalid_argument if the shape needs more or fewer values.
Tensor tensor(const Shape& shape, const std::vector<Scalar>& values);
/// A tensor of this shape, filled with `value`.
Tensor full(const Shape& shape, Scalar value);
/// A tensor of this shape, filled with 0.
inline Tensor zeros(const Shape& shape) { return full(shape, 0); }
/// A tensor of this shape, filled with 1.
inline Tensor ones(const Shape& shape) { return full(shape, 1); }
/// A scalar: a tensor of shape [].
inline Tensor scalar(Scalar value) { return full(Shape(), value); }
/// [0, 1, ..., count - 1].
/// @throws std::invalid_argument if count is negative or so large that Scalar cannot represent
/// every number exactly: beyond 2^24 + 1 in float, 2^53 + 1 in double.
Tensor arange(Index count);

/// For error messages: the shape of x, or "none" if it is undefined.
struct ShapeOf {
  const Tensor& x;  ///< the tensor, which must outlive this
};
/// Prints the shape, or "none".
std::ostream& operator<<(std::ostream& out, const ShapeOf& shape);

/// Prints x as NumPy does: aligned, with long axes shortened to their first and last elements.
/// Defined in `inspect/print.cpp`.
std::ostream& operator<<(std::ostream& out, const Tensor& x);

/// @}

}  // namespace gradus
