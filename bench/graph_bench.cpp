/// @file
/// Measures the cost of the graph itself, with a chain of scalars, whose arithmetic takes almost no
/// time.

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "bench/op_bench.h"

namespace gradus {
namespace {

constexpr int kNodes = 1000;

/// Builds, differentiates and frees a chain of `one` and `other` in turn.
template <class One, class Other>
void register_chain(const char* name, One one, Other other) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    Tensor x = scalar(1).set_requires_grad();
    for (auto _ : state) {
      Tensor y = x;
      for (int i = 0; i < kNodes; i += 2) {
        y = other(one(y));
      }
      backward(y);
      x.zero_grad();
    }
    using benchmark::Counter;
    state.counters["s_per_node"] =
        Counter(kNodes, Counter::kIsIterationInvariantRate | Counter::kInvert);
  })->Unit(benchmark::kMicrosecond);
}

}  // namespace

void register_graph() {
  const Scalar close_to_one = Scalar(1.0001);
  register_chain(
      "graph/numbers", [=](const Tensor& y) { return y * close_to_one; },
      [](const Tensor& y) { return y + Scalar(0.001); });
  register_chain(
      "graph/tensors",
      [w = scalar(close_to_one).set_requires_grad()](const Tensor& y) { return y * w; },
      [b = scalar(Scalar(0.001)).set_requires_grad()](const Tensor& y) { return y + b; });
}

}  // namespace gradus
