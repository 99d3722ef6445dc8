// Compiled with either engine: on_gradus/engine.h gives the results of gradus's engine another
// name.
#include "ops.h"
#include "results.h"

namespace pocket {

std::vector<Result> run_ops() {
  std::vector<Result> results;
  for (const OpCase& op : op_cases()) {
    std::vector<Tensor> x;
    for (const Shape& shape : op.shapes) {
      const auto place = static_cast<std::uint32_t>(x.size());
      x.push_back(uniform(shape, {.seed = 1, .place = place}, -2, 2).set_requires_grad());
    }
    const Tensor y = op.f(x);
    backward(y, normal(y.shape(), {.seed = 2}));
    results.push_back({op.name, {y.begin(), y.end()}});
    for (const Tensor& leaf : x) {
      results.push_back({op.name + " gradient", {leaf.grad().begin(), leaf.grad().end()}});
    }
  }
  const Tensor rows = softmax(tensor({{1, 2}, {-INFINITY, 0}, {-INFINITY, -INFINITY}}));
  results.push_back({"masked softmax", {rows.begin(), rows.end()}});
  const IndexTensor best = argmax(tensor({{1, 5, 3}, {9, 8, 9}}), -1);
  results.push_back({"argmax", {best.begin(), best.end()}});
  const IndexTensor mask = causal_mask(3, 5);
  results.push_back({"causal_mask", {mask.begin(), mask.end()}});
  for (Index i = 0; i < 7; ++i) {
    const auto n = static_cast<double>(uniform_index({.seed = 5, .step = 2}, i, 1000003));
    results.push_back({"uniform_index", {n}});
  }
  return results;
}

}  // namespace pocket
