/// @file
/// Google Benchmarks of the ops, the graph and the model, with the sizes in workload.h.
/// --benchmark_filter selects benchmarks.

#include <cstdio>
#include <memory>

#include "autograd/graph.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"
#include "bench/op_bench.h"
#include "cli/program/prepare_process.h"

namespace gradus {
namespace {

using benchmark::Counter;
using benchmark::State;

double bytes_of(const std::vector<Tensor>& tensors) {
  double elements = 0;
  for (const Tensor& x : tensors) {
    elements += static_cast<double>(x.size());
  }
  return elements * sizeof(Scalar);
}

void count(State& state, double flops, double bytes) {
  if (flops > 0) {
    state.counters["FLOP/s"] = Counter(flops, Counter::kIsIterationInvariantRate);
  } else if (bytes > 0) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  }
}

std::vector<Tensor> make_inputs(const OpBench& bench) {
  std::vector<Tensor> inputs;
  for (const Shape& shape : bench.inputs) {
    inputs.push_back(noise(shape));
  }
  return inputs;
}

void time_forward(State& state, const OpBench& bench) {
  const NoGrad no_grad;
  const std::vector<Tensor> inputs = make_inputs(bench);
  const Tensor y = bench.op(inputs);
  bench.op(inputs);  // warm-up: afterwards no memory is requested
  for (auto _ : state) {
    benchmark::DoNotOptimize(bench.op(inputs).data());
  }
  count(state, bench.flops, bytes_of(inputs) + bytes_of({y}));
}

void time_backward(State& state, const OpBench& bench) {
  std::vector<Tensor> inputs = make_inputs(bench);
  for (Tensor& x : inputs) {
    x.set_requires_grad();
  }
  const Tensor y = bench.op(inputs);
  const GradOptions options{.keep_graph = true, .gradients = {noise(y.shape())}};
  grad({y}, inputs, options);
  for (auto _ : state) {
    benchmark::DoNotOptimize(grad({y}, inputs, options).data());
  }
  const int passes = bench.backward == Backward::kFromInputs ? 2 : 1;
  count(state, 2 * bench.flops, passes * bytes_of(inputs) + bytes_of({y}));
}

void describe_machine() {
  const BlasInfo blas = blas_info();
  benchmark::AddCustomContext("gradus", GRADUS_VERSION);
  benchmark::AddCustomContext("threads", std::to_string(num_threads()));
  benchmark::AddCustomContext("blas", blas.name + ", core " + blas.core);
  if (!blas.core_fits) {
    benchmark::AddCustomContext("warning", "the BLAS should use core " + blas.expected_core);
  }
}

}  // namespace

void register_op(const OpBench& bench) {
  const auto add = [&](const char* pass, auto time) {
    benchmark::RegisterBenchmark((bench.name + pass).c_str(),
                                 [bench, time](State& state) { time(state, bench); })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add("/forward", time_forward);
  if (bench.backward != Backward::kNone) {
    add("/backward", time_backward);
  }
}

void register_work(const std::string& name, std::function<std::function<void()>()> prepare,
                   double bytes) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [prepare = std::move(prepare), bytes](State& state) {
                                 const std::function<void()> work = prepare();
                                 work();
                                 for (auto _ : state) {
                                   work();
                                 }
                                 count(state, 0, bytes);
                               })
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

TrainingStep& training_step_of(const Sizes& sizes) {
  static std::string name;
  static std::unique_ptr<TrainingStep> step;
  if (name != sizes.name) {
    step.reset();  // free it before the next one is made
    step = std::make_unique<TrainingStep>(sizes);
    name = sizes.name;
  }
  return *step;
}

}  // namespace gradus

int main(int argc, char** argv) {
  using namespace gradus;
  prepare_process(argv);
  register_memory();
  register_elementwise();
  register_rows();
  register_products();
  register_graph();
  register_gpt();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  describe_machine();
  benchmark::RunSpecifiedBenchmarks();
}
