/// @file
/// Shared by the benchmarks: three sizes of GPT, a training step, and its timing.
#pragma once

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "autograd/kernels/allocator.h"
#include "autograd/kernels/blas.h"
#include "nn/models/gpt.h"
#include "nn/optim/adamw.h"

namespace gradus {

/// The sizes of a GPT and of a batch.
struct Sizes {
  std::string name;
  int n_layer, n_head;
  Index n_embd, block_size, batch_size, vocab_size;

  Index tokens() const { return batch_size * block_size; }
  Index head_width() const { return n_embd / n_head; }
  GptConfig config() const;
};

/// nanoGPT's two models of characters, for a CPU and for a GPU, and GPT-2 with 124M parameters.
inline const std::array<Sizes, 3> kSizes = {{{"tiny", 4, 4, 128, 64, 12, 65},
                                             {"small", 6, 6, 384, 256, 16, 65},
                                             {"gpt2", 12, 12, 768, 64, 4, 50257}}};

/// Returns random numbers with mean 0 and variance 1, different ones in each call.
Tensor noise(const Shape& shape);
/// Returns uniform random tokens in [0, bound), different ones in each call.
IndexTensor random_tokens(const Shape& shape, Index bound);

/// A GPT without dropout, its optimiser and a batch of random tokens.
struct TrainingStep {
  Gpt gpt;
  AdamW optimiser;
  IndexTensor inputs, targets;

  explicit TrainingStep(const Sizes& sizes);
  /// Draws another batch.
  void draw();
  /// Does a training step: forward, backward, clipping to 1, AdamW, freeing the gradients.
  void operator()() { learn_from(gpt.loss(inputs, targets)); }
  /// Does the rest of the step, after the forward pass.
  void learn_from(const Tensor& loss);
};

/// The options of a timing program, with the flags of bench/peers/train_step.py.
struct TimingOptions {
  Sizes sizes = kSizes[0];
  int threads, steps = 50, warmup = 10;
  ProductPrecision precision = ProductPrecision::kFull;
  bool json = false;
};

/// Reads the command line and sets the number of threads. Ends the program after --help or wrong
/// usage.
TimingOptions parse_timing_options(int argc, char** argv, const std::string& description);

/// Returns the milliseconds of each of options.steps calls of work(), after options.warmup calls
/// that do not count. Calls prepare() before each call of work(), outside the timing.
std::vector<double> time_steps(const TimingOptions& options, const std::function<void()>& prepare,
                               const std::function<void()>& work);

/// Returns the sum of one of the allocator's figures over all threads.
double over_threads(double (*figure)(const AllocatorStats&));
/// Returns the peak memory of all tensors and graph nodes, and of this process, in MiB.
double peak_tensors_mib();
double peak_rss_mib();

/// Prints the options, the best and median time, and `more`: as one JSON object or as a line of
/// text.
void print_timing(const std::string& program, const TimingOptions& options,
                  std::vector<double> milliseconds, const nlohmann::ordered_json& more);

}  // namespace gradus
