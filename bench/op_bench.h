/// @file
/// Registers benchmarks of ops: forward without a graph, and backward alone.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace gradus {

/// What the backward of an op has to touch, besides dx which it writes.
enum class Backward {
  kFromInputs,    ///< x, or y, and dy
  kFromGradient,  ///< dy alone
  kNone           ///< nothing to measure: it passes dy on
};

/// An op at one size.
struct OpBench {
  std::string name;
  std::vector<Shape> inputs;  ///< filled with noise
  std::function<Tensor(const std::vector<Tensor>&)> op;
  Backward backward = Backward::kFromInputs;
  double flops = 0;  ///< of forward, for products: backward does twice as much. 0: count bytes
};

/// Registers name/forward and name/backward. Bytes are counted as if each array that is touched
/// were read or written once.
void register_op(const OpBench& bench);

/// Registers any other work. `prepare` makes what is timed, right before it is.
void register_work(const std::string& name, std::function<std::function<void()>()> prepare,
                   double bytes = 0);

/// The model and batch of this size; one is kept until another size is asked for.
TrainingStep& training_step_of(const Sizes& sizes);

// Each file registers its own.
void register_memory();
void register_elementwise();
void register_rows();
void register_products();
void register_graph();
void register_gpt();

}  // namespace gradus
