/// @file
/// What the benchmarks share: three sizes of GPT, a training step, and how a program times it.
#pragma once

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "autograd/kernels/blas.h"
#include "nn/models/gpt.h"
#include "nn/optim/adamw.h"

namespace gradus {

/// A GPT and a batch for it.
struct Sizes {
  std::string name;
  int n_layer, n_head;
  Index n_embd, block_size, batch_size, vocab_size;

  Index tokens() const { return batch_size * block_size; }
  Index head_width() const { return n_embd / n_head; }
  GptConfig config() const;
};

/// nanoGPT's two for characters, on a CPU and on a GPU, and GPT-2 with 124M parameters.
inline const std::array<Sizes, 3> kSizes = {{{"tiny", 4, 4, 128, 64, 12, 65},
                                             {"small", 6, 6, 384, 256, 16, 65},
                                             {"gpt2", 12, 12, 768, 64, 4, 50257}}};

/// Different numbers at each call, of mean 0 and variance 1.
Tensor noise(const Shape& shape);
/// Different numbers at each call, uniform in [0, bound).
IndexTensor random_tokens(const Shape& shape, Index bound);

/// A GPT, its optimiser and a batch of random tokens; without dropout.
struct TrainingStep {
  Gpt gpt;
  AdamW optimiser;
  IndexTensor inputs, targets;

  explicit TrainingStep(const Sizes& sizes);
  /// Another batch.
  void draw();
  /// Forward, backward, clipping to 1, AdamW, gradients dropped.
  void operator()() { learn_from(gpt.loss(inputs, targets)); }
  /// The same after forward.
  void learn_from(const Tensor& loss);
};

/// What the command line of a timing program says; flags are those of bench/peers/train_step.py.
struct TimingOptions {
  Sizes sizes = kSizes[0];
  int threads, steps = 50, warmup = 10;
  ProductPrecision precision = ProductPrecision::kFull;
  bool json = false;
};

/// Reads the command line, sets the threads; ends the program after --help or wrong use.
TimingOptions parse_timing_options(int argc, char** argv, const std::string& description);

/// The milliseconds of each of options.steps calls of work(), after options.warmup calls that do
/// not count. prepare() comes before each call, with the clock stopped.
std::vector<double> time_steps(const TimingOptions& options, const std::function<void()>& prepare,
                               const std::function<void()>& work);

/// Prints what was timed with best and median, and `more`: as one JSON object, or as a line to
/// read.
void print_timing(const std::string& program, const TimingOptions& options,
                  std::vector<double> milliseconds, const nlohmann::ordered_json& more);

}  // namespace gradus
