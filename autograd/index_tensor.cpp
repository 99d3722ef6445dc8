#include "autograd/index_tensor.h"

#include <algorithm>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

IndexTensor::IndexTensor(const Shape& shape)
    : shape_(shape), storage_(new_storage<std::int32_t>(shape)) {
  std::fill_n(storage_->data(), shape.size(), 0);
}

IndexTensor::IndexTensor(const Shape& shape, std::span<const std::int32_t> values) : shape_(shape) {
  check(static_cast<Index>(values.size()) == shape.size(), "indices: shape ", shape, " needs ",
        shape.size(), " values, got ", values.size());
  storage_ = new_storage<std::int32_t>(shape);
  std::ranges::copy(values, storage_->data());
}

void IndexTensor::fail_undefined(const char* method) {
  detail::fail_undefined<IndexTensor>(method, "the index tensor");
}

IndexTensor IndexTensor::reshape(const Shape& shape) const {
  check(shape.size() == own("reshape").size(), "reshape: sizes must be equal, got ", shape_,
        " and ", shape);
  IndexTensor same = *this;
  same.shape_ = shape;
  return same;
}

IndexTensor indices(const NestedBraces<std::int32_t>& literal) {
  return {literal.shape, literal.values};
}

}  // namespace gradus
