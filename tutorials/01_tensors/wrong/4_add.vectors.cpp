// rejected: memory was taken by operator new
#include "tutorials/01_tensors/exercises.h"

namespace {

/// x's numbers, repeated to `shape`.
std::vector<Scalar> stretched(const Tensor& x, const Shape& shape) {
  std::vector<Scalar> numbers(static_cast<std::size_t>(shape.size()));
  for (Index offset = 0; offset < shape.size(); ++offset) {
    Index rest = offset, place = 0, step = 1;
    for (int back = 1; back <= x.rank(); ++back) {
      if (x.size(-back) != 1) place += rest % shape[-back] * step;
      rest /= shape[-back];
      step *= x.size(-back);
    }
    numbers[static_cast<std::size_t>(offset)] = x.data()[place];
  }
  return numbers;
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast_shapes("add", a.shape(), b.shape());
  std::vector<Scalar> sums = stretched(a, shape);
  const std::vector<Scalar> others = stretched(b, shape);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += others[i];
  return tensor(shape, sums);
}
