#include "bench/workload.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numbers>
#include <set>
#include <thread>

#include "autograd/graph.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/random.h"

namespace gradus {
namespace {

RandomKey next_key() {
  static RandomKey key{.seed = 1337};
  ++key.place;
  return key;
}

double in_mib(double bytes) { return std::round(bytes / (1024 * 1024) * 10) / 10; }

}  // namespace

GptConfig Sizes::config() const {
  return {.vocab_size = vocab_size,
          .n_positions = block_size,
          .n_layer = n_layer,
          .n_head = n_head,
          .n_embd = n_embd,
          .dropout = 0};
}

Tensor noise(const Shape& shape) {
  const Scalar bound = std::numbers::sqrt3_v<Scalar>;
  return uniform(shape, next_key(), -bound, bound);
}

IndexTensor random_tokens(const Shape& shape, Index bound) {
  const RandomKey key = next_key();
  IndexTensor tokens(shape);
  for (Index i = 0; i < tokens.size(); ++i) {
    tokens.mutable_data()[i] = static_cast<std::int32_t>(uniform_index(key, i, bound));
  }
  return tokens;
}

TrainingStep::TrainingStep(const Sizes& sizes)
    : gpt(sizes.config(), 1337), optimiser(parameters(gpt), {}) {
  const Shape shape{sizes.batch_size, sizes.block_size};
  inputs = IndexTensor(shape);
  targets = IndexTensor(shape);
  draw();
}

void TrainingStep::draw() {
  for (IndexTensor* tokens : {&inputs, &targets}) {
    *tokens = random_tokens(tokens->shape(), gpt.config.vocab_size);
  }
}

void TrainingStep::learn_from(const Tensor& loss) {
  backward(loss);
  optimiser.step(Scalar(1e-3), clip_scale(optimiser.gradient_norm(), 1));
  optimiser.zero_grad();
}

TimingOptions parse_timing_options(int argc, char** argv, const std::string& description) {
  TimingOptions options;
  options.threads = num_threads();
  CLI::App app(description);
  app.option_defaults()->always_capture_default();
  Sizes& sizes = options.sizes;
  app.add_option("--n_layer", sizes.n_layer)->check(CLI::PositiveNumber);
  app.add_option("--n_head", sizes.n_head)->check(CLI::PositiveNumber);
  app.add_option("--n_embd", sizes.n_embd)->check(CLI::PositiveNumber);
  app.add_option("--block_size", sizes.block_size)->check(CLI::PositiveNumber);
  app.add_option("--batch_size", sizes.batch_size)->check(CLI::PositiveNumber);
  app.add_option("--vocab_size", sizes.vocab_size)->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads)->check(CLI::PositiveNumber);
  app.add_option("--steps", options.steps)->check(CLI::PositiveNumber);
  app.add_option("--warmup", options.warmup, "steps before the clock starts")
      ->check(CLI::NonNegativeNumber);
  std::string dtype = "float32";
  app.add_option("--dtype", dtype, "number type of the operands of matrix products")
      ->check(CLI::IsMember({"float32", "bfloat16"}));
  app.add_flag("--json", options.json, "print one JSON object");
  try {
    app.parse(argc, argv);
    sizes.config().validate();
    if (dtype == "bfloat16") options.precision = ProductPrecision::kBfloat16;
    const ProductPrecisionScope possible(options.precision);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);  // 0 after --help
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(2);
  }
  set_num_threads(options.threads);
  return options;
}

std::vector<double> time_steps(const TimingOptions& options, const std::function<void()>& prepare,
                               const std::function<void()>& work) {
  const ProductPrecisionScope scope(options.precision);
  std::vector<double> milliseconds;
  milliseconds.reserve(static_cast<std::size_t>(options.steps));
  for (int step = -options.warmup; step < options.steps; ++step) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (step >= 0) {
      milliseconds.push_back(time.count());
    }
  }
  return milliseconds;
}

double over_threads(double (*figure)(const AllocatorStats&)) {
  // Each thread waits for the others, so that no thread runs two parts, but at most a second, since
  // the system may grant fewer threads.
  std::mutex mutex;
  std::condition_variable arrived;
  std::set<std::thread::id> threads;
  double sum = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  parallel_parts(num_threads(), [&](int) {
    std::unique_lock lock(mutex);
    if (threads.insert(std::this_thread::get_id()).second) {
      sum += figure(allocator_stats());
      arrived.notify_all();
    }
    arrived.wait_until(lock, end, [&] { return std::ssize(threads) == num_threads(); });
  });
  return sum;
}

double peak_tensors_mib() {
  return in_mib(over_threads(
      [](const AllocatorStats& stats) { return static_cast<double>(stats.peak_bytes_in_use); }));
}

double peak_rss_mib() {
  // Prefer this to getrusage(): on Linux, its figure begins with the parent process's memory.
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      double kib = 0;
      status >> kib;
      return in_mib(kib * 1024);
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return in_mib(static_cast<double>(usage.ru_maxrss));
#else
  return in_mib(static_cast<double>(usage.ru_maxrss) * 1024);
#endif
}

void print_timing(const std::string& program, const TimingOptions& options,
                  std::vector<double> milliseconds, const nlohmann::ordered_json& more) {
  const auto rounded = [](double ms) { return std::round(ms * 1e3) / 1e3; };
  std::sort(milliseconds.begin(), milliseconds.end());
  const std::size_t half = milliseconds.size() / 2;
  const double median = milliseconds.size() % 2 == 1
                            ? milliseconds[half]
                            : (milliseconds[half - 1] + milliseconds[half]) / 2;
  const BlasInfo blas = blas_info();
  nlohmann::ordered_json result = {{"program", program},
                                   {"blas", blas.name + " " + blas.core},
                                   {"n_layer", options.sizes.n_layer},
                                   {"n_head", options.sizes.n_head},
                                   {"n_embd", options.sizes.n_embd},
                                   {"block_size", options.sizes.block_size},
                                   {"batch_size", options.sizes.batch_size},
                                   {"vocab_size", options.sizes.vocab_size},
                                   {"threads", options.threads},
                                   {"steps", options.steps},
                                   {"best_ms", rounded(milliseconds.front())},
                                   {"median_ms", rounded(median)}};
  result.update(more);
  if (options.json) {
    std::printf("%s\n", result.dump().c_str());
    return;
  }
  std::string line = program + ", threads " + std::to_string(options.threads);
  for (const char* key : {"best_ms", "median_ms"}) {
    line += std::string(", ") + key + " " + result[key].dump();
  }
  for (const auto& [key, value] : more.items()) {
    line += ", " + key + " " + value.dump();
  }
  std::printf("%s\n", line.c_str());
}

}  // namespace gradus
