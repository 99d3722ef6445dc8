#include "autograd/kernels/blas.h"

#include <cblas.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "autograd/check.h"
#include "autograd/kernels/few_rows.h"
#include "autograd/kernels/gemm_bf16.h"
#include "autograd/kernels/parallel_for.h"

// Internal functions of OpenBLAS, in no header and not in every build. They allocate and free a
// working buffer, as each product does.
extern "C" [[gnu::weak]] void* blas_memory_alloc(int position);
extern "C" [[gnu::weak]] void blas_memory_free(void* buffer);

namespace gradus {
using namespace detail;
namespace {

/// Products with fewer multiplications are not worth a second thread.
constexpr Index kProductGrain = 32 * 1024;

/// With fewer multiplications, rounding the operands takes longer than it saves.
constexpr Index kLeastForBf16 = 64 * 64 * 64;

/// Keeps the BLAS at one thread: its threads and ours would spin against each other.
[[maybe_unused]] const bool kSingleThreaded = [] {
  openblas_set_num_threads(1);
  return true;
}();

// Shared by all threads, because products inside a parallel_for run on its threads.
std::atomic<int> flop_counters = 0;
std::atomic<std::uint64_t> flops = 0;

int blas_int(Index value) {
  check(value <= std::numeric_limits<int>::max(), "gemm: a size of ", value,
        " is too large for the BLAS (at most 2^31 - 1)");
  return static_cast<int>(value);
}

void single_gemm(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
                 Scalar beta, Scalar* c, Index ldc) {
#ifdef GRADUS_DOUBLE
  constexpr auto product = cblas_dgemm;
#else
  constexpr auto product = cblas_sgemm;
#endif
  // The BLAS rejects leading dimensions below 1, which empty matrices would have.
  product(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
          b.transposed ? CblasTrans : CblasNoTrans, blas_int(m), blas_int(n), blas_int(k), alpha,
          a.data, blas_int(std::max<Index>(a.ld, 1)), b.data, blas_int(std::max<Index>(b.ld, 1)),
          beta, c, blas_int(std::max<Index>(ldc, 1)));
}

MatrixView rows_from(const MatrixView& x, Index row) {
  return {x.data + (x.transposed ? row : row * x.ld), x.ld, x.transposed};
}

MatrixView columns_from(const MatrixView& x, Index column) {
  return {x.data + (x.transposed ? column * x.ld : column), x.ld, x.transposed};
}

}  // namespace

void gemm(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
          Scalar beta, Scalar* c, Index ldc) {
  if (m == 0 || n == 0) {
    return;
  }
  if (flop_counters.load(std::memory_order_relaxed) > 0) [[unlikely]] {
    flops.fetch_add(2 * static_cast<std::uint64_t>(m * n * k), std::memory_order_relaxed);
  }
  if (has_few_rows(m, n, k, a, b)) {
    few_rows_product(m, n, k, alpha, a, b, beta, c, ldc);
    return;
  }
  const bool full = product_precision == ProductPrecision::kFull;
  const auto product = full || m * n * k < kLeastForBf16 ? single_gemm : gemm_bf16;
  const int parts = parts_for(m * n * std::max<Index>(k, 1), kProductGrain);
  parallel_parts(parts, [&](int part) {
    if (m >= n) {
      const Index begin = part_begin(m, part, parts);
      const Index end = part_begin(m, part + 1, parts);
      product(end - begin, n, k, alpha, rows_from(a, begin), b, beta, c + begin * ldc, ldc);
    } else {
      const Index begin = part_begin(n, part, parts);
      const Index end = part_begin(n, part + 1, parts);
      product(m, end - begin, k, alpha, a, columns_from(b, begin), beta, c + begin, ldc);
    }
  });
}

ProductPrecisionScope::ProductPrecisionScope(ProductPrecision precision)
    : ValueScope(product_precision, precision) {
  const char* const obstacle = precision == ProductPrecision::kFull ? nullptr : bfloat16_obstacle();
  check(obstacle == nullptr, "bfloat16: ", obstacle == nullptr ? "" : obstacle,
        " (use float32: --dtype=float32)");
}

void count_flops(bool on) { flop_counters.fetch_add(on ? 1 : -1, std::memory_order_relaxed); }

std::uint64_t flops_counted() { return flops.load(std::memory_order_relaxed); }

BlasInfo blas_info() {
  BlasInfo info;
  const std::string config = openblas_get_config();
  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": the name ends at the second space.
  info.name = config.substr(0, config.find(' ', config.find(' ') + 1));
  info.core = openblas_get_corename();
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
    info.expected_core = "SkylakeX";
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    info.expected_core = "Haswell";
  }
  constexpr std::string_view kFallbacks[] = {"Prescott", "Core2",   "Penryn",   "Dunnington",
                                             "Nehalem",  "Opteron", "Barcelona"};
  const bool slow =
      std::find(std::begin(kFallbacks), std::end(kFallbacks), info.core) != std::end(kFallbacks);
  info.core_fits = info.expected_core.empty() || !slow;
#endif
  return info;
}

bool address_space_is_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void claim_blas_memory() {
  if (!address_space_is_limited()) {
    return;
  }
  constexpr std::size_t kBuffer = std::size_t{128} << 20;
  const auto threads = static_cast<std::size_t>(num_threads());
  void* room = mmap(nullptr, threads * kBuffer, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) {
    throw std::runtime_error(text(
        "the address space is limited, and matrix products take 128 MiB of it for each of the ",
        threads, threads == 1 ? " thread" : " threads", " (raise the limit of ulimit -v",
        threads == 1 ? "" : ", or set OMP_NUM_THREADS=1", ")"));
  }
  munmap(room, threads * kBuffer);
  if (blas_memory_alloc != nullptr && blas_memory_free != nullptr) {
    std::vector<void*> buffers(threads);  // all at once: OpenBLAS keeps mapped memory
    for (void*& buffer : buffers) buffer = blas_memory_alloc(0);
    for (void* buffer : buffers) blas_memory_free(buffer);
  }
}

}  // namespace gradus
