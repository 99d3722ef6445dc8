/// @file
/// Times text that a GPT writes token by token, with random weights kept in float32, bfloat16 and
/// int8: GPT-2 with 124 million parameters, and a Llama with TinyLlama's 1.1 billion.
///
/// Each token needs all weights. So it takes at least the time in which memory delivers them. The
/// same process measures memory's rate too: after each token, all threads sum an array of as many
/// bytes, at most 1 GB. Each row of the table is a process of its own, so that its peak memory is
/// its own.

#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/kernels/parallel_for.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/random.h"
#include "bench/workload.h"
#include "cli/program/prepare_process.h"
#include "nn/generate/inference_session.h"
#include "nn/names.h"

namespace gradus {
namespace {

struct Contestant {
  const char* name;
  GptConfig config;
};

const std::vector<Contestant>& contestants() {
  static const std::vector<Contestant> all = {{"gpt2",
                                               {.vocab_size = 50257,
                                                .n_positions = 1024,
                                                .n_layer = 12,
                                                .n_head = 12,
                                                .n_embd = 768,
                                                .dropout = 0,
                                                .bias = true}},
                                              {"llama",
                                               {.vocab_size = 32000,
                                                .n_positions = 2048,
                                                .n_layer = 22,
                                                .n_head = 32,
                                                .n_embd = 2048,
                                                .dropout = 0,
                                                .n_inner = 5632,
                                                .activation = Activation::kSwiGlu,
                                                .position = Position::kRotary,
                                                .norm = NormKind::kRms,
                                                .tied = false,
                                                .n_kv_head = 4}}};
  return all;
}

struct Options {
  std::string model = "all", dtype = "all";
  int threads = num_threads(), rounds = 5, tokens = 16;
};

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A model with random weights.
Gpt drawn_model(const GptConfig& config, WeightType type) {
  Gpt model(config, 1, type);
  auto draw = [place = std::uint32_t{0}](const std::string&, auto& weight, Role) mutable {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(weight)>, NarrowMatrix>) {
      constexpr Index kRows = 256;  // drawn at once: so little memory that the peak is the model's
      for (Index first = 0; first < weight.rows(); first += kRows) {
        const Shape shape{std::min(kRows, weight.rows() - first), weight.columns()};
        weight.set_rows(first,
                        uniform(shape, {.seed = 1, .place = place++}, Scalar(-0.03), Scalar(0.03)));
      }
    }
  };
  visit_parameters(model, draw);
  return model;
}

/// The bytes of the weights that a token needs: all weights except tables, which give one row.
double bytes_per_token(Gpt& model) {
  double bytes = 0;
  const auto add = [&](const std::string& name, const auto& weight, Role) {
    const bool is_table = name == "transformer.wpe.weight" ||
                          (name == "transformer.wte.weight" && !model.config.tied);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(weight)>, NarrowMatrix>) {
      bytes += is_table ? 0 : static_cast<double>(weight.bytes());
    } else {
      bytes += is_table ? 0 : static_cast<double>(weight.size()) * sizeof(Scalar);
    }
  };
  visit_parameters(model, add);
  return bytes;
}

/// Measures a row of the table and prints it.
void measure(const Contestant& contestant, WeightType type, const Options& options) {
  set_num_threads(options.threads);
  Gpt model = drawn_model(contestant.config, type);
  const double bytes = bytes_per_token(model);
  InferenceSession session(model);
  session.step(random_tokens({1, 8}, contestant.config.vocab_size));
  const auto write = [&] { session.step(random_tokens({1, 1}, contestant.config.vocab_size)); };
  write();
  const double peak = peak_rss_mib();  // before there is a second array of this size
  const double array_bytes = std::min(bytes, 1e9);
  const Tensor array = full({static_cast<Index>(array_bytes / sizeof(Scalar))}, 1);
  const Tensor sums(Shape{num_threads(), 16});
  const auto read = [&] {
    const int parts = num_threads();
    parallel_parts(parts, [&, to = sums.mutable_data()](int part) {
      const Index begin = part_begin(array.size(), part, parts);
      const Index end = part_begin(array.size(), part + 1, parts);
      to[part * 16] = detail::row_sum(array.data() + begin, end - begin);
    });
  };
  read();
  double reading = 1e9, writing = 1e9;  // the shortest mean times in a round
  for (int round = 0; round < options.rounds; ++round) {
    double arrays = 0, tokens = 0;
    for (int i = 0; i < options.tokens; ++i) {  // in turn: memory's rate changes within seconds
      arrays += seconds_of(read);
      tokens += seconds_of(write);
    }
    reading = std::min(reading, arrays / options.tokens);
    writing = std::min(writing, tokens / options.tokens);
  }
  if (!(sums.data()[0] > 0)) throw std::runtime_error("the sum of ones must be above 0");
  const double rate = bytes / writing / 1e9, read_rate = array_bytes / reading / 1e9;
  std::printf("%-6s  %-9s  %8.1f  %8.2f  %8.1f  %8.1f  %8.1f  %7.0f%%\n", contestant.name,
              name_of(type), peak, bytes / 1e9, 1 / writing, rate, read_rate,
              100 * rate / read_rate);
  std::fflush(stdout);
}

/// Runs measure() in a process of its own. Returns whether it succeeded.
bool measured_apart(const Contestant& contestant, WeightType type, const Options& options) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) {
    try {
      measure(contestant, type, options);
      std::_Exit(0);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s in %s: %s\n", contestant.name, name_of(type), error.what());
      std::_Exit(1);
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int run(const Options& options) {
  std::printf("%d threads, best of %d rounds of %d tokens\n\n", options.threads, options.rounds,
              options.tokens);
  std::printf("%-6s  %-9s  %8s  %8s  %8s  %8s  %8s  %8s\n", "model", "weights", "peak MiB",
              "GB/token", "tokens/s", "GB/s", "read GB/s", "of read");
  bool good = true;
  for (const Contestant& contestant : contestants()) {
    for (const WeightType type : {WeightType::kFloat32, WeightType::kBfloat16, WeightType::kInt8}) {
      if ((options.model == "all" || options.model == contestant.name) &&
          (options.dtype == "all" || options.dtype == name_of(type))) {
        good = measured_apart(contestant, type, options) && good;
      }
    }
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  gradus::Options options;
  CLI::App app("Times text that a GPT writes token by token, by the type of its weights.");
  app.option_defaults()->always_capture_default();
  app.add_option("--model", options.model)->check(CLI::IsMember({"all", "gpt2", "llama"}));
  app.add_option("--dtype", options.dtype, "of the weights in memory")
      ->check(CLI::IsMember({"all", "float32", "bfloat16", "int8"}));
  app.add_option("--threads", options.threads)->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.rounds)->check(CLI::PositiveNumber);
  app.add_option("--tokens", options.tokens, "in a round")->check(CLI::Range(1, 100));
  try {
    app.parse(argc, argv);
    return gradus::run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;  // 0 after --help
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
