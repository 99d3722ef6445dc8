/// @file
/// Times one training step on random tokens: forward, backward, clipping, AdamW, freeing the
/// gradients.
///
/// Also measures the peak memory, and the memory that a step requests from the system after the
/// first two steps, through the tensors' allocator and through operator new.

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <set>
#include <thread>

#include "autograd/kernels/allocator.h"
#include "autograd/kernels/parallel_for.h"
#include "bench/workload.h"
#include "cli/program/prepare_process.h"

namespace {

std::atomic<std::uint64_t> new_calls{0};

}  // namespace

void* operator new(std::size_t bytes) {
  ++new_calls;
  void* block = std::malloc(bytes);
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace gradus {
namespace {

constexpr double kMib = 1024 * 1024;

/// Returns the sum of one of the allocator's figures over all threads. Each thread waits for the
/// others, so that no thread runs two parts, but at most a second, since the system may grant fewer
/// threads.
template <class Figure>
double over_threads(Figure AllocatorStats::*figure) {
  std::mutex mutex;
  std::condition_variable arrived;
  std::set<std::thread::id> threads;
  double sum = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  parallel_parts(num_threads(), [&](int) {
    std::unique_lock lock(mutex);
    if (threads.insert(std::this_thread::get_id()).second) {
      sum += static_cast<double>(allocator_stats().*figure);
      arrived.notify_all();
    }
    arrived.wait_until(lock, end, [&] { return std::ssize(threads) == num_threads(); });
  });
  return sum;
}

/// Returns the peak memory of this process, in MiB.
double peak_rss_mib() {
  // Prefer this to getrusage(): on Linux, its figure begins with the parent process's memory.
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      double kib = 0;
      status >> kib;
      return kib / 1024;
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / kMib;
#else
  return static_cast<double>(usage.ru_maxrss) / 1024;
#endif
}

void run(const TimingOptions& options) {
  TrainingStep step(options.sizes);
  int done = 0;
  double system_before = 0;
  std::uint64_t new_inside = 0;  // calls of operator new
  const std::vector<double> milliseconds = time_steps(
      options,
      [&] {
        step.draw();
        if (done == 2) {
          system_before = over_threads(&AllocatorStats::system_allocations);
        }
      },
      [&] {
        const std::uint64_t before = new_calls;
        step();
        new_inside += ++done > 2 ? new_calls - before : 0;
      });

  nlohmann::ordered_json more;
  if (done > 2) {
    const double system = over_threads(&AllocatorStats::system_allocations) - system_before;
    more["system_allocations_per_step"] = system / (done - 2);
    more["new_calls_per_step"] = static_cast<double>(new_inside) / (done - 2);
  }
  const auto rounded = [](double mib) { return std::round(mib * 10) / 10; };
  more["peak_tensors_mib"] = rounded(over_threads(&AllocatorStats::peak_bytes_in_use) / kMib);
  more["peak_rss_mib"] = rounded(peak_rss_mib());
  print_timing("gradus " GRADUS_VERSION, options, milliseconds, more);
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  gradus::run(gradus::parse_timing_options(argc, argv, "Times one training step of a GPT."));
}
