/// @file
/// Registers benchmarks of ops: the forward pass without a graph, and the backward pass alone.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace gradus {

/// The arrays that the backward pass of an op reads. It always writes dx.
enum class Backward {
  kFromInputs,    ///< x, or y, and dy
  kFromGradient,  ///< dy only
  kNone           ///< nothing to measure: dx is dy
};

/// An op at one size.
struct OpBench {
  std::string name;
  std::vector<Shape> inputs;  ///< filled with noise
  std::function<Tensor(const std::vector<Tensor>&)> op;
  Backward backward = Backward::kFromInputs;
  double flops = 0;  ///< for the forward pass of a product; backward: twice. 0: count bytes
};

/// Registers name/forward and name/backward. Bytes are counted as if each array were read or
/// written once.
void register_op(const OpBench& bench);

/// Registers any other work. `prepare` runs before the timing and returns the work to time.
void register_work(const std::string& name, std::function<std::function<void()>()> prepare,
                   double bytes = 0);

/// Returns the model and batch of this size. Keeps them until another size is requested.
TrainingStep& training_step_of(const Sizes& sizes);

// Each file registers its own benchmarks.
void register_memory();
void register_elementwise();
void register_rows();
void register_products();
void register_graph();
void register_gpt();

}  // namespace gradus
