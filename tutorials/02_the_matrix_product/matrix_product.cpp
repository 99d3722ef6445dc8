// Chapter 02: the matrix product, from three loops to BLAS, transposed and in part without a copy.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "autograd/kernels/allocator.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/tensor.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"
#include "tutorials/common/time.h"

using namespace gradus;

// Each number of the result is a row times a column.
void by_hand() {
  const Part part("by_hand");
  // [by_hand]
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}});       // [2, 3]
  const Tensor b = tensor({{1, 0}, {10, 1}, {100, 1}});  // [3, 2]
  const Index m = 2, k = 3, n = 2;
  Tensor y = zeros({m, n});
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index l = 0; l < k; ++l) {
        y.mutable_data()[i * n + j] += a.data()[i * k + l] * b.data()[l * n + j];
      }
    }
  }
  // [by_hand]
  std::cout << y << "\n";
  must_equal("three loops, and matmul(a, b) of the library", y, matmul(a, b));
}

// What a product does with each number, beside what an addition does.
void work() {
  const Part part("work");
  std::printf("   n   operations   numbers   operations a number\n");
  for (const Index n : {64, 256, 1024}) {
    // [work]
    const Index operations = 2 * n * n * n;  // a product [n, n] [n, n]
    const Index numbers = 3 * n * n;         // a, b and the result
    // [work]
    std::printf("%4d %12lld %9lld %14.1f\n", static_cast<int>(n),
                static_cast<long long>(operations), static_cast<long long>(numbers),
                static_cast<double>(operations) / static_cast<double>(numbers));
  }
}

// [orders]
// c = a b for square matrices of n rows. Whatever can be indexed will do.
void ijk(Index n, auto a, auto b, auto c) {
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      Scalar sum = 0;
      for (Index k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

void ikj(Index n, auto a, auto b, auto c) {
  for (Index i = 0; i < n * n; ++i) c[i] = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      const Scalar factor = a[i * n + k];
      for (Index j = 0; j < n; ++j) c[i * n + j] += factor * b[k * n + j];
    }
  }
}
// [orders]

// [tiles]
// The same, for n a multiple of 32: sums of 4 rows and 32 columns stay
// in registers while k runs.
void tiles(Index n, auto a, auto b, auto c) {
  for (Index i = 0; i < n; i += 4) {
    for (Index j = 0; j < n; j += 32) {
      Scalar sum[4][32] = {};
      for (Index k = 0; k < n; ++k) {
        for (Index r = 0; r < 4; ++r) {
          const Scalar factor = a[(i + r) * n + k];
          for (Index s = 0; s < 32; ++s) sum[r][s] += factor * b[k * n + j + s];
        }
      }
      for (Index r = 0; r < 4; ++r) {
        for (Index s = 0; s < 32; ++s) c[(i + r) * n + j + s] = sum[r][s];
      }
    }
  }
}
// [tiles]

// [cache]
// A small cache: 64 lines of 16 neighbouring numbers. What is not there is
// fetched, and takes the place of what was not used for the longest time.
struct Cache {
  std::array<Index, 64> lines{}, used{};
  Index clock = 0, fetched = 0;

  void touch(Index line) {
    std::size_t oldest = 0;
    ++clock;
    for (std::size_t i = 0; i < 64; ++i) {
      if (lines[i] == line) {
        used[i] = clock;
        return;
      }
      if (used[i] < used[oldest]) oldest = i;
    }
    ++fetched;
    lines[oldest] = line;
    used[oldest] = clock;
  }
};

// A pointer that tells the cache what is read or written through it.
struct Watched {
  Scalar* data;
  Index first_line;  // the numbers of different matrices lie in different lines
  Cache* cache;

  Scalar& operator[](Index i) const {
    cache->touch(first_line + i / 16);
    return data[i];
  }
};
// [cache]

void fetched() {
  const Part part("fetched");
  const Index n = 128;
  const Tensor a = normal({n, n}, {.seed = 1}), b = normal({n, n}, {.seed = 2});
  const auto count = [&](const char* name, auto loops) {
    const Tensor c({n, n});
    Cache cache;
    loops(n, Watched{a.mutable_data(), 1000, &cache}, Watched{b.mutable_data(), 3000, &cache},
          Watched{c.mutable_data(), 5000, &cache});
    std::printf("%-6s %9d lines fetched: %5.2f numbers for each multiplication\n", name,
                static_cast<int>(cache.fetched),
                16.0 * static_cast<double>(cache.fetched) / static_cast<double>(n * n * n));
    must_equal("       its result, and that of matmul", c, matmul(a, b), 1e-3);
  };
  count("ijk", [](auto... x) { ijk(x...); });
  count("ikj", [](auto... x) { ikj(x...); });
  count("tiles", [](auto... x) { tiles(x...); });

  // The first eight readings of b, in a matrix of eight columns and lines of four numbers.
  std::vector<std::vector<Cell>> cells(8, std::vector<Cell>(17));
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 4; ++j) cells[i][j].colour = 1;
    cells[i][0].text = std::to_string(i);
    cells[0][9 + i] = {std::to_string(i), 0};
  }
  for (auto& row : cells) {
    for (std::size_t j = 0; j < 17; ++j) {
      if (j != 8 && row[j].text.empty()) row[j].text = "·";
    }
  }
  plot_cells("readings", "The first eight readings of b: ijk and ikj", std::vector<std::string>(8),
             cells);
}

// How fast each way is, at growing sizes.
void speed() {
  const Part part("speed");
  std::vector<Series> curves = {
      {"ijk", {}, {}}, {"ikj", {}, {}}, {"tiles", {}, {}}, {"BLAS", {}, {}}};
  set_num_threads(1);
  std::printf("GFLOP/s\n   n");
  for (const Series& curve : curves) std::printf("  %7s", curve.name.c_str());
  std::printf("\n");
  for (Index n = 64; n <= 512; n *= 2) {
    // [speed]
    const Tensor a = normal({n, n}, {.seed = 1}), b = normal({n, n}, {.seed = 2});
    const Tensor c({n, n});
    const auto gflops = [&](auto loops) {
      const auto run = [&] { loops(n, a.data(), b.data(), c.mutable_data()); };
      const double operations = 2 * static_cast<double>(n * n * n);
      return operations / shortest_seconds(3, run) / 1e9;
    };
    const auto blas = [](Index n, const Scalar* a, const Scalar* b, Scalar* c) {
      gemm(n, n, n, 1, {.data = a, .ld = n}, {.data = b, .ld = n}, 0, c, n);
    };
    // [speed]
    const std::vector<double> found = {gflops([](auto... x) { ijk(x...); }),
                                       gflops([](auto... x) { ikj(x...); }),
                                       gflops([](auto... x) { tiles(x...); }), gflops(blas)};
    std::printf("%4d", static_cast<int>(n));
    for (std::size_t i = 0; i < found.size(); ++i) {
      curves[i].x.push_back(static_cast<double>(n));
      curves[i].y.push_back(found[i]);
      std::printf("  %7.1f", found[i]);
    }
    std::printf("\n");
  }
  plot_lines("speed",
             {.title = "The same product, on one thread",
              .x = "n",
              .y = "GFLOP/s",
              .log_x = true,
              .log_y = true},
             curves);
}

// A transposed argument: by a copy, and by a flag.
void transposed() {
  const Part part("transposed");
  // [transposed]
  const Tensor a = normal({64, 128}, {.seed = 1});
  const Tensor b = normal({96, 128}, {.seed = 2});
  const auto taken = [](const auto& make) {  // bytes of memory
    reset_peak_memory();
    const std::ptrdiff_t before = allocator_stats().bytes_in_use;
    const Tensor made = make();
    return allocator_stats().peak_bytes_in_use - before;
  };
  const auto copied = taken([&] { return matmul(a, transpose(b)); });
  const auto by_flag = taken([&] { return matmul(a, b, {.b = true}); });
  // [transposed]
  std::printf("the result has %d bytes, b has %d\n", 64 * 96 * 4, 96 * 128 * 4);
  std::printf("memory taken with transpose(b):  %d bytes\n", static_cast<int>(copied));
  std::printf("memory taken with {.b = true}:   %d bytes\n", static_cast<int>(by_flag));
  must_equal("both products", matmul(a, transpose(b)), matmul(a, b, {.b = true}), 1e-4);
}

// [flag]
// y = a b, b taken transposed or not: b's two steps change places.
Tensor product(const Tensor& a, const Tensor& b, bool b_transposed) {
  const Index m = a.size(0), k = a.size(1);
  const Index n = b.size(b_transposed ? 0 : 1), ld = b.size(1);
  const Index down = b_transposed ? 1 : ld;    // from l to l + 1
  const Index across = b_transposed ? ld : 1;  // from j to j + 1
  const Tensor y = zeros({m, n});
  for (Index i = 0; i < m; ++i) {
    for (Index l = 0; l < k; ++l) {
      for (Index j = 0; j < n; ++j) {
        const Scalar right = b.data()[l * down + j * across];
        y.mutable_data()[i * n + j] += a.data()[i * k + l] * right;
      }
    }
  }
  return y;
}
// [flag]

void flag() {
  const Part part("flag");
  const Tensor a = normal({5, 7}, {.seed = 1}), b = normal({7, 3}, {.seed = 2});
  const Tensor turned = transpose(b);  // [3, 7]
  must_equal("a b, by loops and by the library", product(a, b, false), matmul(a, b));
  must_equal("a times b transposed", product(a, turned, true), matmul(a, turned, {.b = true}));
}

// [columns]
// c = a b as Fortran has it, for a [m, k] and b [k, n]: the columns of
// each matrix lie one after the other.
void fortran_product(Index m, Index n, Index k, auto a, auto b, auto c) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) {
      Scalar sum = 0;
      for (Index l = 0; l < k; ++l) sum += a[l * m + i] * b[j * k + l];
      c[j * m + i] = sum;
    }
  }
}

// Row-major [M, K] times [K, N] by the same routine: b first, a second.
Tensor by_columns(const Tensor& a, const Tensor& b) {
  const Index m = a.size(0), k = a.size(1), n = b.size(1);
  const Tensor y({m, n});
  fortran_product(n, m, k, b.data(), a.data(), y.mutable_data());
  return y;
}
// [columns]

void columns() {
  const Part part("columns");
  const Tensor a = normal({5, 7}, {.seed = 1}), b = normal({7, 3}, {.seed = 2});
  must_equal("columns only, on row-major data, and the library", by_columns(a, b), matmul(a, b));
}

// The library's own call, and a block of a matrix in place.
void block() {
  const Part part("block");
  // [block]
  const Tensor x = reshape(arange(48), {6, 8});
  const Tensor w = tensor({{1, 0}, {1, 0}, {0, 1}, {0, 1}});  // [4, 2]
  const Tensor y({3, 2});
  const MatrixView part_of_x{.data = x.data() + 1 * 8 + 2, .ld = 8};
  gemm(3, 2, 4, 1, part_of_x, {.data = w.data(), .ld = 2}, 0, y.mutable_data(), 2);
  // [block]
  std::cout << y << "\n";
  const Tensor copied = slice(slice(x, 0, 1, 4), 1, 2, 6);  // rows 1 to 3, columns 2 to 5
  must_equal("in place, and by slices that copy", y, matmul(copied, w));
  std::vector<std::vector<Cell>> cells(6);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 8; ++j) {
      const bool inside = i >= 1 && i < 4 && j >= 2 && j < 6;
      cells[static_cast<std::size_t>(i)].push_back({std::to_string(i * 8 + j), inside ? 0 : -1});
    }
  }
  plot_cells("block", "A block [3, 4] of a matrix [6, 8]: offsets",
             {"row 0", "row 1", "row 2", "row 3", "row 4", "row 5"}, cells);
}

// [batches]
// a [B, M, K] times b [B, K, N]: B products, matrix by matrix.
Tensor batched(const Tensor& a, const Tensor& b) {
  const Index batches = a.size(0), m = a.size(1), k = a.size(2), n = b.size(2);
  const Tensor y({batches, m, n});
  for (Index i = 0; i < batches; ++i) {
    gemm(m, n, k, 1, {.data = a.data() + i * m * k, .ld = k},
         {.data = b.data() + i * k * n, .ld = n}, 0, y.mutable_data() + i * m * n, n);
  }
  return y;
}
// [batches]

void batches() {
  const Part part("batches");
  const Tensor a = normal({2, 30, 40}, {.seed = 1}), b = normal({2, 40, 50}, {.seed = 2});
  must_equal("two products, and matmul", batched(a, b), matmul(a, b), 1e-4);
  std::printf("%-16s %-16s %-16s %s\n", "a", "b", "matmul(a, b)", "operations");
  const std::vector<std::pair<Shape, Shape>> pairs = {{{30, 40}, {40, 50}},
                                                      {{2, 30, 40}, {2, 40, 50}},
                                                      {{2, 30, 40}, {40, 50}},
                                                      {{2, 5, 30, 40}, {2, 5, 40, 50}},
                                                      {{2, 1, 30, 40}, {5, 40, 50}}};
  for (const auto& [of_a, of_b] : pairs) {
    const std::uint64_t before = flops_counted();
    count_flops(true);
    const Tensor y = matmul(zeros(of_a), zeros(of_b));
    count_flops(false);
    std::printf("%-16s %-16s %-16s %d\n", words(of_a).c_str(), words(of_b).c_str(),
                words(y.shape()).c_str(), static_cast<int>(flops_counted() - before));
  }
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  by_hand();
  work();
  fetched();
  speed();
  transposed();
  flag();
  columns();
  block();
  batches();
}
