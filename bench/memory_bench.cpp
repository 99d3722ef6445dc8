/// @file
/// Measures the memory bandwidth with plain loops over arrays larger than the caches, on all
/// threads. It is the limit for kernels with little arithmetic. Bytes are counted as in op_bench.h,
/// without the cache line that a processor reads before it writes to the line.

#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "bench/op_bench.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Index kElements = Index{1} << 24;  // 64 MiB
constexpr double kBytes = static_cast<double>(kElements) * sizeof(Scalar);
/// Half a GiB, like the weights of GPT-2: a large cache would hold a good part of a smaller array.
constexpr Index kReadElements = 8 * kElements;

}  // namespace

void register_memory() {
  register_work(
      "memory/read",
      [] {
        return [x = noise({kReadElements}), sums = Tensor(Shape{num_threads(), 16})] {
          const int parts = num_threads();
          parallel_parts(parts, [&](int part) {
            const Index begin = part_begin(kReadElements, part, parts);
            const Index end = part_begin(kReadElements, part + 1, parts);
            sums.mutable_data()[part * 16] = row_sum(x.data() + begin, end - begin);
          });
          benchmark::DoNotOptimize(sums.data());
          benchmark::ClobberMemory();
        };
      },
      8 * kBytes);
  register_work(
      "memory/scale",
      [] {
        return [x = noise({kElements}), y = noise({kElements})] {
          map(kElements, x.data(), y.mutable_data(), [](Scalar v) { return Scalar(0.5) * v; });
          benchmark::ClobberMemory();
        };
      },
      2 * kBytes);
  register_work(
      "memory/triad",
      [] {
        return [a = noise({kElements}), b = noise({kElements}), y = noise({kElements})] {
          map(kElements, a.data(), b.data(), y.mutable_data(),
              [](Scalar p, Scalar q) { return p + Scalar(0.5) * q; });
          benchmark::ClobberMemory();
        };
      },
      3 * kBytes);
}

}  // namespace gradus
