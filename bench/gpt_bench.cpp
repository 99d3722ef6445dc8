/// @file
/// Benchmarks of the model: a training step, the optimiser's step, and generation.

#include <memory>

#include "autograd/graph.h"
#include "bench/op_bench.h"
#include "nn/generate/sampler.h"

namespace gradus {
namespace {

/// The settings of bench/peers/sample.py.
constexpr SampleOptions kSampling{.temperature = 0.8, .top_k = 200};

/// Returns the model of this size, without an optimiser. Keeps it until another size is requested.
const Gpt& gpt_of(const Sizes& sizes) {
  static std::string name;
  static std::unique_ptr<Gpt> gpt;
  if (name != sizes.name) {
    gpt.reset();  // free it before the next one is made
    gpt = std::make_unique<Gpt>(sizes.config(), 1337);
    name = sizes.name;
  }
  return *gpt;
}

/// The bytes of the weights that each token reads: all except the position vectors, of which it
/// reads one. (The token embedding is the output layer too.)
std::int64_t weight_bytes(const GptConfig& config) {
  return (parameter_count(config) - config.n_positions * config.n_embd) *
         static_cast<std::int64_t>(sizeof(Scalar));
}

/// Times `count` new tokens after `given` tokens, in a batch of `samples` rows. Items are tokens.
/// Bytes are the weights, read once per token for all rows.
void register_generate(const std::string& name, const Sizes& sizes, Index given, Index count,
                       std::uint32_t samples = 1) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State& state) {
        const Gpt& gpt = gpt_of(sizes);
        const std::vector<std::int32_t> prompt = random_tokens({given}, sizes.vocab_size).values();
        std::vector<RandomKey> keys;
        for (std::uint32_t i = 0; i < samples; ++i) {
          keys.push_back({.seed = 1, .place = i});
        }
        for (auto _ : state) {
          benchmark::DoNotOptimize(generate_batch(gpt, prompt, count, kSampling, keys).data());
        }
        state.SetItemsProcessed(samples * count * state.iterations());
        state.SetBytesProcessed(count * state.iterations() * weight_bytes(gpt.config));
      })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

/// Returns the training step of this size after its backward pass.
TrainingStep& step_with_gradients(const Sizes& sizes) {
  TrainingStep& step = training_step_of(sizes);
  step.optimiser.zero_grad();
  backward(step.gpt.loss(step.inputs, step.targets));
  return step;
}

}  // namespace

void register_gpt() {
  for (const Sizes& s : kSizes) {
    const std::string size = "/" + s.name;
    register_work("training_step" + size,
                  [s] { return [&step = training_step_of(s)] { step(); }; });
    // Reads parameter, gradient and two moments; writes all except the gradient.
    register_work(
        "adamw" + size,
        [s] {
          TrainingStep& step = step_with_gradients(s);
          return [&step] { step.optimiser.step(Scalar(1e-3)); };
        },
        7.0 * sizeof(Scalar) * static_cast<double>(parameter_count(s.config())));
    register_work(
        "gradient_norm" + size,
        [s] {
          TrainingStep& step = step_with_gradients(s);
          return [&step] { benchmark::DoNotOptimize(step.optimiser.gradient_norm()); };
        },
        1.0 * sizeof(Scalar) * static_cast<double>(parameter_count(s.config())));
    register_generate("first_token" + size, s, s.block_size, 1);  // after a full context
  }
  // From one token to a full context, beyond a full context, where the window slides, and eight
  // rows at once.
  const Sizes& tiny = kSizes[0];
  register_generate("generate_within/tiny", tiny, 1, tiny.block_size - 1);
  register_generate("generate_beyond/tiny", tiny, tiny.block_size, 500);
  register_generate("generate_eight/tiny", tiny, 1, tiny.block_size - 1, 8);
  Sizes gpt2 = kSizes[2];
  gpt2.name = "gpt2_1024";
  gpt2.block_size = 1024;
  register_generate("generate_within/gpt2", gpt2, 1, 64);
  register_generate("generate_eight/gpt2", gpt2, 1, 64, 8);
}

}  // namespace gradus
