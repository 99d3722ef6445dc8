#include "autograd/index_tensor.h"

#include <algorithm>

#include "autograd/check.h"

namespace gradus {

IndexLiteral::IndexLiteral(std::initializer_list<IndexLiteral> rows) {
  const Shape inner = rows.size() > 0 ? rows.begin()->shape : Shape();
  for (const IndexLiteral& row : rows) {
    check(row.shape == inner, "indices: rows must have one shape, got ", inner, " and ", row.shape);
    values.insert(values.end(), row.values.begin(), row.values.end());
  }
  std::vector<Index> sizes{static_cast<Index>(rows.size())};
  sizes.insert(sizes.end(), inner.begin(), inner.end());
  shape = Shape(sizes);
}

IndexTensor::IndexTensor(const Shape& shape)
    : shape_(shape), values_(std::make_shared<std::vector<std::int32_t>>(shape.size())) {}

IndexTensor::IndexTensor(const Shape& shape, std::span<const std::int32_t> values)
    : shape_(shape),
      values_(std::make_shared<std::vector<std::int32_t>>(values.begin(), values.end())) {
  check(static_cast<Index>(values.size()) == shape.size(), "indices: shape ", shape, " needs ",
        shape.size(), " values, got ", values.size());
}

void IndexTensor::fail_undefined(const char* method) {
  fail(method, ": the index tensor is undefined (", kUndefinedIs, ")");
}

IndexTensor IndexTensor::reshape(const Shape& shape) const {
  numbers("reshape");
  check(shape.size() == shape_.size(), "reshape: sizes must be equal, got ", shape_, " and ",
        shape);
  IndexTensor same = *this;
  same.shape_ = shape;
  return same;
}

IndexTensor indices(const IndexLiteral& literal) { return {literal.shape, literal.values}; }

}  // namespace gradus
