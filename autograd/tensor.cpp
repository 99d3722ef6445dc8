#include "autograd/tensor.h"

#include <algorithm>
#include <limits>
#include <new>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/allocator.h"

namespace gradus {
namespace {

constexpr std::size_t kHeader = 64;  // keeps the elements aligned like the block
static_assert(sizeof(Storage) <= kHeader);

std::size_t storage_bytes(Index size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(size), sizeof(Scalar), &bytes) ||
      __builtin_add_overflow(bytes, kHeader, &bytes)) {
    throw std::bad_alloc();
  }
  return bytes;
}

}  // namespace

Ref<Storage> Storage::make(Index size) {
  auto* storage = new (allocate(storage_bytes(size))) Storage;
  storage->size = size;
  return Ref<Storage>(storage);
}

void destroy(Storage* storage) {
  const std::size_t bytes = storage_bytes(storage->size);
  storage->~Storage();
  deallocate(storage, bytes);
}

void destroy(TensorBody* body) {
  body->~TensorBody();
  deallocate(body, sizeof(TensorBody));
}

Tensor::Tensor(const Shape& shape) : Tensor(shape, Storage::make(shape.size()), 0) {}

Tensor::Tensor(const Shape& shape, Ref<Storage> storage, Index offset)
    : body_(new (allocate(sizeof(TensorBody))) TensorBody) {
  body_->shape = shape;
  body_->data = storage->data() + offset;
  body_->storage = std::move(storage);
}

void Tensor::fail_undefined(const char* method) {
  fail(method, ": the tensor is undefined (", kUndefinedIs, ")");
}

Scalar Tensor::item() const {
  const TensorBody& own = body("item");
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
    offset = offset * shape[axis] + i;
    ++axis;
  }
  return data()[offset];
}

Tensor& Tensor::set_requires_grad(bool wanted) {
  body("set_requires_grad");
  check(!requires_grad() || node()->is_leaf(), "set_requires_grad: the tensor was made by ",
        requires_grad() ? node()->op : "", " and is no leaf (detach() it first)");
  if (wanted != requires_grad()) {
    body_->node = wanted ? make_leaf(shape()) : Ref<Node>();
  }
  return *this;
}

Tensor Tensor::grad() const {
  body("grad");
  check(requires_grad() && node()->is_leaf(), "grad: the tensor of shape ", shape(),
        requires_grad() ? " was made by an op and keeps no gradient (ask grad(outputs, inputs))"
                        : " collects no gradient (call set_requires_grad() before using it)");
  return node()->grad;
}

void Tensor::zero_grad() {
  body("zero_grad");
  set_grad(Tensor());
}

void Tensor::set_grad(const Tensor& grad) {
  body("set_grad");
  check(requires_grad() && node()->is_leaf(), "set_grad: the tensor of shape ", shape(),
        " is not a leaf that collects a gradient (call set_requires_grad() on it)");
  check(!grad.defined() || grad.shape() == shape(), "set_grad: shapes must be equal, got tensor ",
        shape(), " and gradient ", grad.defined() ? grad.shape() : Shape());
  node()->grad = grad;
}

Tensor Tensor::detach() const { return defined() ? with_node(Ref<Node>()) : Tensor(); }

Tensor Tensor::with_node(Ref<Node> node) const {
  const TensorBody& own = body("with_node");
  Tensor same(own.shape, own.storage, own.data - own.storage->data());
  same.body_->node = std::move(node);
  return same;
}

void Tensor::attach(Ref<Node> node) { body("attach").node = std::move(node); }

Tensor Tensor::clone() const {
  Tensor copy(body("clone").shape);
  std::copy(begin(), end(), copy.data());
  return copy;
}

Literal::Literal(std::initializer_list<Literal> rows) {
  const Shape inner = rows.size() > 0 ? rows.begin()->shape : Shape();
  for (const Literal& row : rows) {
    check(row.shape == inner, "tensor: rows must have one shape, got ", inner, " and ", row.shape);
    values.insert(values.end(), row.values.begin(), row.values.end());
  }
  std::vector<Index> sizes{static_cast<Index>(rows.size())};
  sizes.insert(sizes.end(), inner.begin(), inner.end());
  shape = Shape(sizes);
}

Tensor tensor(const Literal& literal) {
  Tensor result(literal.shape);
  std::copy(literal.values.begin(), literal.values.end(), result.data());
  return result;
}

Tensor tensor(const Shape& shape, const std::vector<Scalar>& values) {
  check(static_cast<Index>(values.size()) == shape.size(), "tensor: shape ", shape, " needs ",
        shape.size(), " values, got ", values.size());
  Tensor result(shape);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

Tensor zeros(const Shape& shape) { return full(shape, 0); }

Tensor ones(const Shape& shape) { return full(shape, 1); }

Tensor full(const Shape& shape, Scalar value) {
  Tensor result(shape);
  std::fill(result.begin(), result.end(), value);
  return result;
}

Tensor arange(Index count) {
  constexpr Index kMost = (Index{1} << std::numeric_limits<Scalar>::digits) + 1;
  check(count >= 0 && count <= kMost, "arange: needs a count in [0, ", kMost,
        "], as there are no more whole numbers in a row, got ", count);
  Tensor result(Shape{count});
  for (Index i = 0; i < count; ++i) {
    result.data()[i] = static_cast<Scalar>(i);
  }
  return result;
}

Tensor scalar(Scalar value) { return full(Shape(), value); }

}  // namespace gradus
