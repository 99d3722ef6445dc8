#include "autograd/index_tensor.h"

#include "autograd/check.h"

namespace gradus {
using namespace detail;

IndexTensor::IndexTensor(const Shape& shape)
    : shape_(shape), numbers_(new Numbers{std::vector<std::int32_t>(shape.size())}) {}

IndexTensor::IndexTensor(const Shape& shape, std::span<const std::int32_t> values)
    : shape_(shape), numbers_(new Numbers{{values.begin(), values.end()}}) {
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

IndexTensor indices(const NestedBraces<std::int32_t>& literal) {
  return {literal.shape, literal.values};
}

}  // namespace gradus
