#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "tutorials/04_gradients_of_tensors/exercises.h"
#include "tutorials/common/compare.h"

namespace {

using gradus::Shape, gradus::Scalar, gradus::Tensor;

/// The numbers of a are about `of_a`, those of b about `of_b`.
void try_out(const std::string& name, const Shape& a, const Shape& b, Scalar of_a = 0,
             Scalar of_b = 0) {
  const auto right = [](const std::vector<Tensor>& x) {
    const Tensor larger = maximum(x[0], x[1]).detach();
    return log(exp(x[0] - larger) + exp(x[1] - larger)) + larger;
  };
  compare(
      name, {normal(a, {.seed = 1}, of_a), normal(b, {.seed = 2}, of_b)},
      [](const auto& x) { return logaddexp(x[0], x[1]); }, right);
}

}  // namespace

CHECK_ANSWER() {
  try_out("two rows [3]", {3}, {3});
  try_out("[2, 3] and [3]", {2, 3}, {3});
  try_out("[5] and [2, 7, 1]", {5}, {2, 7, 1});
  try_out("about 100000", {2, 3}, {3}, 1e5, 1e5);
  try_out("about -100000", {3}, {2, 3}, -1e5, -1e5);
  try_out("-100000 and 100000", {3}, {3}, -1e5, 1e5);
  try_out("100000 and -100000", {3}, {3}, 1e5, -1e5);
}
