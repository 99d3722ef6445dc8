#include "cli/program/machine.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string_view>

#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace gradus {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The shortest time of one call of `work`, which is called again and again for about `seconds`.
template <class Work>
double shortest_time(double seconds, Work work) {
  const double start = seconds_now();
  double best = 1e9;
  do {
    const double begin = seconds_now();
    work();
    best = std::min(best, seconds_now() - begin);
  } while (seconds_now() - start < seconds);
  return best;
}

/// The number at the start of a file, such as a cgroup's memory.max; -1 if there is none.
double number_in(const char* path) {
  std::ifstream file(path);
  double number = -1;
  return file >> number ? number : -1;
}

// Twelve accumulators hide the latency of two multiply-add units, four cycles each.
constexpr int kChains = 12;
constexpr int kRounds = 200'000;

/// kRounds rounds of kChains independent vector multiply-adds. Always inlined, so that it is
/// compiled for the instruction set of its caller.
template <class Vector>
[[gnu::always_inline]] inline float multiply_add_chains() {
  Vector sums[kChains];
  for (int i = 0; i < kChains; ++i) {
    sums[i] = Vector{} + static_cast<float>(i);
  }
  volatile float factor = 0.999F;
  const Vector a = Vector{} + factor;
  const Vector b = Vector{} + factor;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kChains; ++i) {
      sums[i] = sums[i] * a + b;
    }
  }
  float total = 0;
  for (const Vector& sum : sums) {
    total += sum[0];
  }
  return total;
}

template <int kBytes>
struct VectorOf {
  typedef float Type __attribute__((vector_size(kBytes)));
};

#ifdef __x86_64__
[[gnu::target("avx512f")]] float chains_avx512() {
  return multiply_add_chains<VectorOf<64>::Type>();
}
[[gnu::target("avx2,fma")]] float chains_avx2() {
  return multiply_add_chains<VectorOf<32>::Type>();
}
#endif
float chains_plain() { return multiply_add_chains<VectorOf<16>::Type>(); }

}  // namespace

Memory memory() {
  Memory result;
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  result.total = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * page;
  result.available = result.total;
  std::ifstream info("/proc/meminfo");
  std::string name, unit;
  double value = 0;
  while (info >> name >> value && std::getline(info, unit)) {
    if (name == "MemAvailable:") {
      result.available = value * 1024;
    }
  }
  const double limit = number_in("/sys/fs/cgroup/memory.max");
  if (limit > 0 && limit < result.total) {
    result.total = limit;
    const double used = std::max(0.0, number_in("/sys/fs/cgroup/memory.current"));
    result.available = std::min(result.available, limit - used);
  }
  return result;
}

double measured_gemm_gflops(int threads, double seconds, ProductPrecision precision) {
  const ProductPrecisionScope scope(precision);
  constexpr Index kSize = 512;
  const std::vector<Scalar> a(kSize * kSize, Scalar(0.5)), b(kSize * kSize, Scalar(0.25));
  std::vector<Scalar> c(kSize * kSize);
  const int before = num_threads();
  set_num_threads(threads);
  const double time = shortest_time(seconds, [&] {
    gemm(kSize, kSize, kSize, 1, {a.data(), kSize}, {b.data(), kSize}, 0, c.data(), kSize);
  });
  set_num_threads(before);
  return 2e-9 * kSize * kSize * kSize / time;
}

double measured_fma_gflops() {
  float (*chains)() = chains_plain;
  double lanes = 4;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) {
    chains = chains_avx512;
    lanes = 16;
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    chains = chains_avx2;
    lanes = 8;
  }
#endif
  volatile float sink = 0;
  const double time = shortest_time(0.3, [&] { sink = chains(); });
  return 2e-9 * lanes * kChains * kRounds / time;
}

double measured_triad_gbps() {
  constexpr Index kSize = Index{1} << 24;
  std::vector<float> a(kSize), b(kSize, 1), c(kSize, 2);
  const double time = shortest_time(0.2, [&] {
    parallel_for(kSize, 1 << 16, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        a[static_cast<std::size_t>(i)] =
            b[static_cast<std::size_t>(i)] + 3 * c[static_cast<std::size_t>(i)];
      }
    });
  });
  return 3e-9 * sizeof(float) * kSize / time;
}

std::vector<std::string> cpu_instructions() {
  std::vector<std::string> names;
#ifdef __x86_64__
  const auto add = [&](bool has, const char* name) {
    if (has) {
      names.emplace_back(name);
    }
  };
  add(__builtin_cpu_supports("avx"), "avx");
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
  add(__builtin_cpu_supports("avx512vl"), "avx512vl");
#elif defined(__aarch64__)
  names.emplace_back("neon");
#endif
  return names;
}

std::vector<std::string> build_instructions() {
  std::vector<std::string> names;
#ifdef __AVX__
  names.emplace_back("avx");
#endif
#ifdef __AVX2__
  names.emplace_back("avx2");
#endif
#ifdef __FMA__
  names.emplace_back("fma");
#endif
#ifdef __AVX512F__
  names.emplace_back("avx512f");
#endif
#ifdef __AVX512VL__
  names.emplace_back("avx512vl");
#endif
#ifdef __ARM_NEON
  names.emplace_back("neon");
#endif
  return names;
}

double load_of_others() {
  std::ifstream file("/proc/loadavg");
  double minute = 0, longer = 0, longest = 0, running = 0;
  file >> minute >> longer >> longest >> running;
  const double half = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)) / 2;
  return file && minute >= half && running - num_threads() >= half ? minute : 0;
}

std::string cpu_name() {
#ifdef __APPLE__
  char name[256] = "";
  std::size_t size = sizeof name;
  sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0);
  return name;
#else
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      return line.substr(line.find(':') + 2);
    }
  }
  return "unknown";
#endif
}

std::vector<std::string> loaded_libraries(const std::string& part) {
  std::vector<std::string> paths;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && line.find(part, path) != std::string::npos &&
        std::ranges::find(paths, line.substr(path)) == paths.end()) {
      paths.push_back(line.substr(path));
    }
  }
  return paths;
}

}  // namespace gradus
