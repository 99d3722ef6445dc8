/// @file
/// Times one training step on random tokens: forward, backward, clipping, AdamW, freeing the
/// gradients.
///
/// Also measures the peak memory, and the memory that a step requests from the system after the
/// first two steps, through the tensors' allocator and through operator new.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

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

void run(const TimingOptions& options) {
  TrainingStep step(options.sizes);
  int done = 0;
  double system_before = 0;
  const auto from_system = [] {
    return over_threads(
        [](const AllocatorStats& stats) { return static_cast<double>(stats.system_allocations); });
  };
  std::uint64_t new_inside = 0;  // calls of operator new
  const std::vector<double> milliseconds = time_steps(
      options,
      [&] {
        step.draw();
        if (done == 2) {
          system_before = from_system();
        }
      },
      [&] {
        const std::uint64_t before = new_calls;
        step();
        new_inside += ++done > 2 ? new_calls - before : 0;
      });

  nlohmann::ordered_json more;
  if (done > 2) {
    const double system = from_system() - system_before;
    more["system_allocations_per_step"] = system / (done - 2);
    more["new_calls_per_step"] = static_cast<double>(new_inside) / (done - 2);
  }
  more["peak_tensors_mib"] = peak_tensors_mib();
  more["peak_rss_mib"] = peak_rss_mib();
  print_timing("gradus " GRADUS_VERSION, options, milliseconds, more);
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  gradus::run(gradus::parse_timing_options(argc, argv, "Times one training step of a GPT."));
}
