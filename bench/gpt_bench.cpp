/// @file
/// The model: a training step, the optimiser's pass, and the next token.

#include "autograd/graph.h"
#include "bench/op_bench.h"
#include "nn/generate/sampler.h"

namespace gradus {
namespace {

/// Settings of bench/peers/sample.py.
constexpr SampleOptions kSampling{.temperature = 0.8, .top_k = 200};

/// Times `count` new tokens after `given` ones. Items are tokens; bytes are the weights, read once
/// for each of them.
void register_generate(const std::string& name, const Sizes& sizes, Index given, Index count) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State& state) {
        TrainingStep& step = training_step_of(sizes);
        const std::vector<std::int32_t> prompt = random_tokens({given}, sizes.vocab_size).values();
        for (auto _ : state) {
          benchmark::DoNotOptimize(
              generate(step.gpt, prompt, count, kSampling, {.seed = 1}).data());
        }
        state.SetItemsProcessed(count * state.iterations());
        state.SetBytesProcessed(count * state.iterations() * parameter_count(step.gpt.config) *
                                static_cast<std::int64_t>(sizeof(Scalar)));
      })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_gpt() {
  for (const Sizes& s : kSizes) {
    const std::string size = "/" + s.name;
    register_work("training_step" + size,
                  [s] { return [&step = training_step_of(s)] { step(); }; });
    // Reads parameter, gradient and two moments and writes all but the gradient.
    register_work(
        "adamw" + size,
        [s] {
          TrainingStep& step = training_step_of(s);
          step.optimiser.zero_grad();
          backward(step.gpt.loss(step.inputs, step.targets));
          return [&step] { step.optimiser.step(Scalar(1e-3)); };
        },
        7.0 * sizeof(Scalar) * static_cast<double>(parameter_count(s.config())));
    register_work(
        "gradient_norm" + size,
        [s] {
          TrainingStep& step = training_step_of(s);
          step.optimiser.zero_grad();
          backward(step.gpt.loss(step.inputs, step.targets));
          return [&step] { benchmark::DoNotOptimize(step.optimiser.gradient_norm()); };
        },
        1.0 * sizeof(Scalar) * static_cast<double>(parameter_count(s.config())));
    register_generate("next_token" + size, s, s.block_size, 1);  // with the context full
  }
  // From one token to a full context, and from there on, where it has to slide.
  const Sizes& tiny = kSizes[0];
  register_generate("generate_within/tiny", tiny, 1, tiny.block_size - 1);
  register_generate("generate_beyond/tiny", tiny, tiny.block_size, 500);
  Sizes gpt2 = kSizes[2];
  gpt2.name = "gpt2_1024";
  gpt2.block_size = 1024;
  register_generate("generate_within/gpt2", gpt2, 1, 64);
}

}  // namespace gradus
