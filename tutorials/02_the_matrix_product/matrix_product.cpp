// Chapter 02: the matrix product, from three loops to sgemm.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>

#include "pocket/matmul.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/time.h"

using namespace pocket;
using course::Part;

#include "cache.h"

// [by_hand]
void by_hand() {
  const Part part("by_hand");
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}});       // [2, 3]
  const Tensor b = tensor({{1, 0}, {10, 1}, {100, 1}});  // [3, 2]
  const Index m = 2, inner = 3, n = 2;
  Tensor y({m, n});
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index k = 0; k < inner; ++k)
        y.mutable_data()[i * n + j] += a.data()[i * inner + k] * b.data()[k * n + j];
  std::cout << y << "\n";
}
// [by_hand]

// [orders]
// c = a b for square matrices of n rows. a, b and c are pointers, or anything else with []. down
// and right are b's strides, n and 1. With 1 and n, ijk reads b transposed.
void ijk(Index n, auto a, auto b, auto c, Index down, Index right) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Scalar sum = 0;
      for (Index k = 0; k < n; ++k) sum += a[i * n + k] * b[k * down + j * right];
      c[i * n + j] = sum;
    }
}

void ikj(Index n, auto a, auto b, auto c) {
  for (Index i = 0; i < n * n; ++i) c[i] = 0;
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < n; ++k) {
      const Scalar factor = a[i * n + k];
      for (Index j = 0; j < n; ++j) c[i * n + j] += factor * b[k * n + j];
    }
}
// [orders]

// [tiles]
// The same for n a multiple of 32: a tile of sums with 32 columns, while k runs over `depth` rows
// of b.
template <Index rows>
void tiles(Index n, Index depth, auto a, auto b, auto c) {
  for (Index i = 0; i < n * n; ++i) c[i] = 0;
  for (Index first = 0; first < n; first += depth)
    for (Index i = 0; i < n; i += rows)
      for (Index j = 0; j < n; j += 32) {
        Scalar sum[rows][32] = {};
        for (Index k = first; k < std::min(first + depth, n); ++k)
          for (Index r = 0; r < rows; ++r) {
            const Scalar factor = a[(i + r) * n + k];
            for (Index s = 0; s < 32; ++s) sum[r][s] += factor * b[k * n + j + s];
          }
        for (Index r = 0; r < rows; ++r)
          for (Index s = 0; s < 32; ++s) c[(i + r) * n + j + s] += sum[r][s];
      }
}
// [tiles]

// [fetched]
void count(const char* name, Index n, auto loops) {
  Tensor a = ones({n, n}), b = ones({n, n}), c({n, n});
  std::printf("%4d  %-14s", int(n), name);
  for (const Index sets : {8, 64}) {
    Cache cache(sets);
    const auto watch = [&](Tensor& x, Index line) {
      return Watched{x.mutable_data(), line, &cache};
    };
    loops(n, watch(a, 10000), watch(b, 20000), watch(c, 30000));
    std::printf("%12.2f", 16.0 * double(cache.fetched) / double(n * n * n));
  }
  std::printf("\n");
}

void fetched() {
  const char* const head = "   n  loops             64 lines   512 lines\n";
  {
    const Part part("fetched");
    std::printf("%s", head);
    for (const Index n : {128, 160}) {
      count("ijk", n, [](Index n, auto... x) { ijk(n, x..., n, 1); });
      count("ikj", n, [](auto... x) { ikj(x...); });
    }
  }
  const Part part("fetched_by_tiles");
  std::printf("%s", head);
  count("4 rows", 160, [](Index n, auto... x) { tiles<4>(n, n, x...); });
  count("8 rows", 160, [](Index n, auto... x) { tiles<8>(n, n, x...); });
  count("blocks of 32", 160, [](Index n, auto... x) { tiles<8>(n, 32, x...); });
}
// [fetched]

// [columns]
// A sum down the first 64 numbers of a column, again and again, and the slots that their lines can
// use in a cache of 512.
void columns() {
  const Part part("columns");
  std::printf("   n  lines apart   slots   ns for each number\n");
  for (const Index n : {256, 512, 544, 768, 1536}) {
    const Tensor x = ones({64, n});
    volatile Scalar total = 0;
    const double seconds = course::shortest_seconds(1000, [&] {
      Scalar sum = 0;
      for (int times = 0; times < 100; ++times)
        for (Index k = 0; k < 64; ++k) sum += x.data()[k * n];
      total = sum;
    });
    const Index apart = n / 16, slots = 512 / std::gcd(apart, Index(64));
    std::printf("%4d %12d %7d %20.1f\n", int(n), int(apart), int(slots), seconds * 1e9 / 6400);
  }
}
// [columns]

// [most]
// Multiplications and additions alone: 128 sums that stay in registers.
double most() {
  Tensor x({128});
  Scalar sum[128];
  const Scalar factor = ones({1}).item();
  const Index times = 1000000;
  const double seconds = course::shortest_seconds(10, [&] {
    std::copy(x.begin(), x.end(), sum);
    for (Index k = 0; k < times; ++k)
      for (Scalar& each : sum) each += each * factor;
    std::copy(sum, sum + 128, x.mutable_data());
  });
  return 2 * 128 * double(times) / seconds / 1e9;
}
// [most]

// [speed]
void sgemm(Index n, const Scalar* a, const Scalar* b, Scalar* c) {
  gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}

void speed() {
  const Part part("speed");
  using Way = void (*)(Index, const Scalar*, const Scalar*, Scalar*);
  const Way ways[] = {[](Index n, auto... x) { ijk(n, x..., n, 1); },
                      [](Index n, auto... x) { ijk(n, x..., 1, n); },
                      ikj,
                      [](Index n, auto... x) { tiles<4>(n, n, x...); },
                      [](Index n, auto... x) { tiles<8>(n, n, x...); },
                      [](Index n, auto... x) { tiles<8>(n, 128, x...); },
                      sgemm};
  std::printf("GFLOP/s  ijk  ijk b^T      ikj   4 rows   8 rows   blocks    sgemm\n");
  for (const Index n : {256, 512, 544, 2080}) {
    const Tensor a = ones({n, n}), b = ones({n, n});  // b is its own transpose
    Tensor c({n, n});
    double best[7] = {}, spent[7] = {};
    for (int round = 0; round < 20; ++round)  // in turns, so that a busy moment hits all of them
      for (int way = 0; way < 7; ++way) {
        if (spent[way] > 0.05 || (n > 1000 && way < 2)) continue;  // ijk would take 9 s
        const double seconds = course::shortest_seconds(
            1, [&] { ways[way](n, a.data(), b.data(), c.mutable_data()); });
        spent[way] += seconds;
        best[way] = std::max(best[way], 2 * double(n * n * n) / seconds / 1e9);
        if (*std::min_element(c.begin(), c.end()) != Scalar(n)) std::exit(1);  // ones times ones
      }
    std::printf("%4d", int(n));
    for (const double each : best) each > 0 ? std::printf("%9.1f", each) : std::printf("%9s", "-");
    std::printf("\n");
  }
  std::printf("the most that this processor can do: %.1f\n", most());
}
// [speed]

// [flags]
void flags() {
  const Part part("flags");
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}});         // [2, 3]
  const Tensor b = tensor({{1, 10, 100}, {0, 1, 1}});      // [2, 3]
  std::cout << product(a, b, {.b = true}) << "\n";         // a times b^T
  const Tensor rows(a, {2, 1, 3}), columns(b, {2, 3, 1});  // two of each
  std::cout << product(rows, columns) << "\n";
}
// [flags]

// [main]
int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  by_hand(), fetched(), columns(), speed(), flags();
}
// [main]
