// Chapter 22: the same step of training on pocket and on gradus, and what lies between them.
#include <malloc.h>

#include "loops.h"
#include "steps.h"
#include "tutorials/common/plot.h"

// Written in exercise 22.7: by ./run chapter 22 --mine, the reader's own answer.
#if __has_include("22.7_blocks.cpp")
#include "22.7_blocks.cpp"
#else
#include "solutions/7_blocks.cpp"
#endif

namespace {

// [roofline]
/// GB/s of y = a + b / 2 over arrays of n floats.
double bandwidth(Index n) {
  const std::vector<Scalar> a(n, 1), b(n, 1);
  std::vector<Scalar> y(n);
  const double ms = shortest_ms({[&] {
                                  for (Index i = 0; i < n; ++i) y[i] = a[i] + b[i] / 2;
                                }},
                                n > 100000 ? 3 : 200)[0];
  return 12e-6 * double(n) / ms;
}

/// Returns the ns of an addition in pocket, with known strides, into a new array.
double roofline(double peak) {
  const Part part("roofline");
  const std::vector<Measured> own = ops(), other = gradus_ops();
  std::vector<Reached> reached;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto ms = shortest_ms({own[i].run, other[i].run}, 5);
    const double millions = own[i].operations / 1e6;
    reached.push_back(
        {own[i].name, own[i].operations / own[i].bytes, millions / ms[0], millions / ms[1]});
    peak = std::max({peak, reached[i].pocket, reached[i].gradus});
  }
  const Tensor a = ones({512, 64}), b = ones({512, 64}), row = ones({4096}),
               weight = ones({4096, 4096});
  Tensor y({512, 64}), out({4096});
  const auto add_there = [&] {  // into an array that is there already
    const Scalar *from_a = a.data(), *from_b = b.data();
    Scalar* to = y.mutable_data();
    for_each_element(y.shape(), strides_of(a.shape()), strides_of(b.shape()),
                     [=](Index i, Index at_a, Index at_b) { to[i] = from_a[at_a] + from_b[at_b]; });
  };
  with.strides = true;
  const auto adds = shortest_ms({own[0].run, add_there}, 30);
  with = {};
  const double row_ms =
      shortest_ms({[&] {
                    cblas_sgemv(CblasRowMajor, CblasTrans, 4096, 4096, 1, weight.data(), 4096,
                                row.data(), 1, 0, out.mutable_data(), 1);
                  }},
                  5)[0];
  const double small_us =
      1e3 * shortest_ms({[&] {
                          gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 1, 256, 64, 1, row.data(),
                               64, weight.data(), 256, 0, out.mutable_data(), 256);
                        }},
                        30)[0];
  const double from_memory = bandwidth(1 << 24), from_third = bandwidth(1 << 19),
               from_cache = bandwidth(512 * 64);  // 201, 6.3 and 0.4 MB
  std::printf("products %.0f GFLOP/s\n", peak);
  std::printf("GB/s: second cache %.0f, third %.0f, memory %.0f\n", from_cache, from_third,
              from_memory);
  std::printf("ridge, operations a byte: second cache %.1f, third %.1f, memory %.1f\n",
              peak / from_cache, peak / from_third, peak / from_memory);
  std::printf("           operations a byte   line  pocket  gradus\n");
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double slope = own[i].bytes > 32e6 ? from_memory : from_cache;
    std::printf("%-10s %17.2f %6.1f %7.1f %7.1f\n", own[i].name.c_str(), reached[i].intensity,
                std::min(peak, reached[i].intensity * slope), reached[i].pocket, reached[i].gradus);
  }
  std::printf("add, pocket with known strides: %.1f; into an array that is there: %.1f\n",
              own[0].operations / adds[0] / 1e6, own[0].operations / adds[1] / 1e6);
  std::printf("one row, microseconds: pocket %.1f, gradus %.1f, its product alone %.1f\n",
              own[1].operations / reached[1].pocket / 1e3,
              own[1].operations / reached[1].gradus / 1e3, small_us);
  std::printf("large row, by the BLAS's product with a vector: %.1f\n",
              own[2].operations / row_ms / 1e6);
  draw_roofline(reached, peak, {from_cache, from_third, from_memory},
                own[0].operations / adds[0] / 1e6, own[0].operations / adds[1] / 1e6);
  return 1e6 * adds[0] / own[0].operations;
}
// [roofline]

// [quadratic]
/// The most memory, in MB, that f has in use at one time.
double most_memory(const std::function<void()>& f) {
  const double before = memory.in_use;
  memory.most = before;
  f();
  return memory.most - before;
}

std::vector<Attention> quadratic() {
  const Part part("quadratic");
  std::vector<Attention> rows;
  std::printf("   T   pocket, MB   by blocks   gradus\n");
  for (const int length : {64, 128, 256, 512, 1024}) {
    std::vector<Tensor> x;
    for (std::uint64_t i = 0; i < 3; ++i)
      x.push_back(normal({4, length, 16}, {.seed = i}).set_requires_grad());
    const auto run = [&](const auto& attention, Remedies remedies = {}, bool reuse = true) {
      return [&, remedies, reuse] {
        with = remedies, memory.reuse = reuse;
        for (Tensor& each : x) each.zero_grad();
        backward(sum(attention(x[0], x[1], x[2])));
        with = {}, memory.reuse = false;
      };
    };
    const auto of_pocket = [](const Tensor& q, const Tensor& k, const Tensor& v) {
      return scaled_dot_product_attention(q, k, v, {.causal = true});
    };
    const std::vector<std::function<void()>> all = {
        run(of_pocket), run(attention_by_blocks), gradus_attention(length),
        run(of_pocket, {}, false), run(attention_by_blocks, kAll)};
    Attention row{length, shortest_ms(all, 2), {}, {}, 0, -pages_taken()};
    all[3](), row.pages += pages_taken();
    for (const auto& each : {all[0], all[1]}) {
      row.mb.push_back(most_memory(each));
      row.operations.push_back(sum_of(products_of(each)).operations / 1e6);
    }
    std::map<Product, Products> fastest;  // of each size
    for (int round = 0; round < 2; ++round) {
      for (const auto& [sizes, count] : products_of(all[4])) {
        double& seconds = fastest.try_emplace(sizes, count).first->second.seconds;
        seconds = std::min(seconds, count.seconds);
      }
    }
    row.in_products = 1e3 * sum_of(fastest).seconds;
    row.mb.push_back(gradus_most(all[2]));
    if (length == 1024) {  // the last: malloc shall give nothing back to the system
      mallopt(M_TRIM_THRESHOLD, 1 << 30), mallopt(M_MMAP_THRESHOLD, 1 << 30);
      all[3](), row.kept_pages = -pages_taken();
      row.kept_ms = shortest_ms({all[3]}, 2)[0], row.kept_pages += pages_taken();
    }
    std::printf("%4d %12.2f %11.2f %8.2f\n", length, row.mb[0], row.mb[1], row.mb[2]);
    rows.push_back(row);
  }
  draw_quadratic(rows);
  return rows;
}
// [quadratic]

// [quadratic_time]
void quadratic_time(const std::vector<Attention>& rows) {
  const Part part("quadratic_time");
  std::printf("      operations, millions         with malloc            ms with our lists\n");
  std::printf(
      "   T    pocket  by blocks    pages     ms  us a page   pocket  by blocks  changed  products "
      " "
      "gradus\n");
  for (const Attention& row : rows) {
    std::printf("%4d %9.1f %10.1f %8ld %6.1f", row.length, row.operations[0], row.operations[1],
                row.pages, row.ms[3]);
    row.pages < 1000 ? std::printf("          -")
                     : std::printf(" %10.1f", 1e3 * (row.ms[3] - row.ms[0]) / double(row.pages));
    std::printf(" %8.2f %10.2f %8.2f %9.2f %7.2f\n", row.ms[0], row.ms[1], row.ms[4],
                row.in_products, row.ms[2]);
  }
  std::printf("malloc that gives nothing back to the system, T = %d: %ld pages, %.1f ms\n",
              rows.back().length, rows.back().kept_pages, rows.back().kept_ms);
}
// [quadratic_time]

}  // namespace

// [main]
int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  std::printf("OpenBLAS's products are those for %s\n", openblas_get_corename());
  side_by_side(), same(), work(), pages(), passes();
  const OfExponential exponential = vectors();
  const OfSum of_sum = sums();
  const double by_products = shapes();
  const double fastest = cuts();
  const Known known{by_products, threads(), exponential, of_sum};
  const LeftOut left_out = causes(known);
  rest(), beside_vectors(left_out, known, roofline(fastest));
  quadratic_time(quadratic());
}
// [main]
