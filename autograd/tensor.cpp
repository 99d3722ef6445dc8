#include "autograd/tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "autograd/check.h"
#include "autograd/graph.h"

namespace gradus {
using namespace detail;

OutOfMemory::OutOfMemory(const Shape& shape, std::size_t element)
    : message_(
          text("tensor: no memory for shape ", shape, ", which takes ",
               std::ldexp(static_cast<double>(shape.size()) * static_cast<double>(element), -30),
               " GiB (choose smaller sizes)")) {}

void detail::destroy(TensorBody* body) { delete body; }

void detail::set_node(Tensor& x, Ref<Node> node) { x.body("set_node").node = std::move(node); }

Tensor::Tensor(const Shape& shape) {
  auto storage = new_storage<Scalar>(shape);
  body_ = Ref(new detail::TensorBody);
  body_->shape = shape;
  body_->data = storage->data();
  body_->storage = std::move(storage);
}

Tensor::Tensor(const Tensor& x, const Shape& shape, Index offset) : body_(new detail::TensorBody) {
  require_defined("tensor", {{"x", x}});
  check(offset >= 0 && shape.size() <= x.size() - offset, "tensor: shape ", shape, " needs ",
        shape.size(), " elements of x from element ", offset, " on, but x of shape ", x.shape(),
        " has ", x.size());
  body_->shape = shape;
  body_->data = x.body_->data + offset;
  body_->storage = x.body_->storage;
}

void Tensor::fail_undefined(const char* method) {
  detail::fail_undefined<Tensor>(method, "the tensor");
}

Scalar Tensor::item() const {
  const detail::TensorBody& own = body("item");
  check(own.shape.size() == 1, "item: needs exactly one element, got ", own.shape);
  return *own.data;
}

Scalar Tensor::at(std::initializer_list<Index> indices) const {
  const Shape& shape = body("at").shape;
  check(static_cast<int>(indices.size()) == shape.rank(), "at: needs one index for each axis of ",
        shape, ", got ", indices.size());
  Index offset = 0;
  int axis = 0;
  for (Index i : indices) {
    check(i >= 0 && i < shape[axis], "at: index ", i, " is outside axis ", axis, " of ", shape);
    offset = offset * shape[axis++] + i;
  }
  return data()[offset];
}

Tensor& Tensor::set_requires_grad(bool wanted) {
  Ref<Node>& node = body("set_requires_grad").node;
  check(!node || node->is_leaf(), "set_requires_grad: the tensor was made by ",
        node ? node->op : "", " and is not a leaf (detach() it first)");
  if (wanted != requires_grad()) node = wanted ? Ref(new Node(shape())) : Ref<Node>();
  return *this;
}

Node& Tensor::leaf(const char* method) const {
  const detail::TensorBody& own = body(method);
  check(own.node && own.node->is_leaf(), method, ": the tensor of shape ", own.shape,
        own.node ? " was made by an op and keeps no gradient (call grad(outputs, inputs))"
                 : " collects no gradient (call set_requires_grad() before using it)");
  return *own.node;
}

Tensor Tensor::grad() const { return leaf("grad").grad; }

void Tensor::zero_grad() { leaf("zero_grad").grad = Tensor(); }

void Tensor::set_grad(const Tensor& grad) {
  Node& node = leaf("set_grad");
  check(!grad.defined() || grad.shape() == shape(), "set_grad: shapes must be equal, got tensor ",
        shape(), " and gradient ", ShapeOf{grad});
  node.grad = grad.detach();  // grad's graph may lead to this node, a cycle
}

Tensor Tensor::clone() const {
  Tensor copy(body("clone").shape);
  std::copy(begin(), end(), copy.mutable_data());
  return copy;
}

Tensor tensor(const NestedBraces<double>& literal) {
  Tensor result(literal.shape);
  std::copy(literal.values.begin(), literal.values.end(), result.mutable_data());
  return result;
}

Tensor tensor(const Shape& shape, const std::vector<Scalar>& values) {
  check(static_cast<Index>(values.size()) == shape.size(), "tensor: shape ", shape, " needs ",
        shape.size(), " values, got ", values.size());
  Tensor result(shape);
  std::copy(values.begin(), values.end(), result.mutable_data());
  return result;
}

Tensor full(const Shape& shape, Scalar value) {
  Tensor result(shape);
  std::fill_n(result.mutable_data(), result.size(), value);
  return result;
}

Tensor arange(Index count) {
  constexpr Index kMost = (Index{1} << std::numeric_limits<Scalar>::digits) + 1;
  check(count >= 0 && count <= kMost, "arange: needs a count in [0, ", kMost,
        "], as Scalar cannot hold all larger whole numbers, got ", count);
  Tensor result(Shape{count});
  std::iota(result.mutable_data(), result.mutable_data() + count, Scalar(0));
  return result;
}

std::ostream& operator<<(std::ostream& out, const ShapeOf& shape) {
  return shape.x.defined() ? out << shape.x.shape() : out << "none";
}

}  // namespace gradus
