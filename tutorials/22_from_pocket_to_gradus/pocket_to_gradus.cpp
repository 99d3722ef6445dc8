// Chapter 22: the same step of training on pocket and on gradus, and the differences between them.
#include <fstream>

#include "loops.h"
#include "steps.h"
#include "tutorials/common/plot.h"

// Written in exercise 22.7: by ./run chapter 22 --mine, the reader's own answer.
#if __has_include("22.7_blocks.cpp")
#include "22.7_blocks.cpp"
#else
#include "exercises/7_blocks/answer.cpp"
#endif

namespace {

// [machine]
/// Prints the processor from /proc/cpuinfo, and the kernels that OpenBLAS chose.
void machine() {
  const Part part("machine");
  std::map<std::string, std::string> said;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    said.try_emplace(line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1),
                     line.substr(colon + 2));
  }
  const auto value = [&](const char* name) {
    return said.contains(name) ? said.at(name) : std::string("not known");
  };
  std::printf("processor: %s, family %s, model %s, clock %s MHz\n", value("model name").c_str(),
              value("cpu family").c_str(), value("model").c_str(), value("cpu MHz").c_str());
  std::printf("OpenBLAS's products are those for %s\n", openblas_get_corename());
}
// [machine]

// [peak]
/// Returns GFLOP/s of one thread, for multiply-adds that wait for neither memory nor each other.
double peak() {
  using Wide [[gnu::vector_size(__BIGGEST_ALIGNMENT__)]] = float;  // a register of this processor
  constexpr int kSums = 12, kTimes = 100000;
  volatile float given = 0.5f;  // volatile: the compiler cannot compute in advance
  const auto multiply_and_add = [&] {
    const Wide a = Wide{} + given, b = a;
    Wide sums[kSums];
    for (int k = 0; k < kSums; ++k) sums[k] = a * float(k);
    for (int i = 0; i < kTimes; ++i) {
      for (Wide& sum : sums) sum = sum * a + b;
    }
    for (const Wide& sum : sums) given = sum[0];  // otherwise nothing would be computed
  };
  const double ms = shortest_ms({multiply_and_add}, 30)[0];
  return 2e-6 * kTimes * kSums * double(sizeof(Wide) / sizeof(float)) / ms;
}
// [peak]

// [roofline]
/// GB/s of y = a + b / 2 over arrays of n floats, which fit into a cache.
double bandwidth(Index n) {
  const std::vector<Scalar> a(n, 1), b(n, 1);
  std::vector<Scalar> y(n);
  const double ms = shortest_ms({[&] {
                                  for (Index i = 0; i < n; ++i) y[i] = a[i] + b[i] / 2;
                                }},
                                n > 100000 ? 10 : 200)[0];
  return 12e-6 * double(n) / ms;
}

/// The sum of two arrays of n numbers, read together: that is faster than reading one array.
Scalar sum_of_both(const Scalar* a, const Scalar* b, Index n) {
  Scalar sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += a[i] + b[i];
  return sum;
}

/// GB/s of reading n floats from memory.
double reading(Index n) {
  const std::vector<Scalar> a(n / 2, 1), b(n / 2, 1);
  volatile Scalar sum = 0;  // otherwise nothing would be read
  const auto read = [&] { sum = sum_of_both(a.data(), b.data(), n / 2); };
  return 4e-6 * double(n) / shortest_ms({read}, 10)[0];
}

void roofline() {
  const Part part("roofline");
  const std::vector<Measured> own = ops(), other = gradus_ops();
  std::vector<Reached> reached;
  double best = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto ms = shortest_ms({own[i].run, other[i].run}, 6);
    const double millions = own[i].operations / 1e6;
    reached.push_back(
        {own[i].name, own[i].operations / own[i].bytes, millions / ms[0], millions / ms[1]});
    best = std::max({best, reached[i].pocket, reached[i].gradus});
  }
  // The addition with known strides; the same loop into an existing array; and as one row.
  const Tensor a = ones({512, 64}), b = ones({512, 64});
  Tensor y(a.shape());
  const auto known_alone = [&, to = y.mutable_data()](const Shape& shape) {
    for_known_strides(
        shape, strides_of(shape), strides_of(shape),
        [to, x = a.data(), z = b.data()](Index i, Index at, Index of) { to[i] = x[at] + z[of]; });
  };
  with.strides = true;
  const auto known = shortest_ms({own[0].run, [&] { known_alone(a.shape()); },
                                  [&] {
                                    known_alone({1, a.size()});
                                  }},
                                 30);
  with = {};
  const auto reaches = [&](double ms) { return own[0].operations / 1e6 / ms; };
  const double limit = peak(), from_memory = reading(1 << 24), from_third = bandwidth(1 << 19),
               from_cache = bandwidth(512 * 64);  // 67, 6.3 and 0.4 MB
  std::printf("GFLOP/s: the processor %.0f, the best product %.0f, %.0f%%\n", limit, best,
              100 * best / limit);
  std::printf("GB/s: second cache %.0f, third %.0f, memory %.0f\n", from_cache, from_third,
              from_memory);
  std::printf("           operations a byte  bound  pocket  gradus\n");
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double slope = own[i].bytes > 32e6 ? from_memory : from_cache;
    const double bound = std::min(limit, reached[i].intensity * slope);
    std::printf("%-10s %17.2f %6.1f %7.1f %7.1f\n", own[i].name.c_str(), reached[i].intensity,
                bound, reached[i].pocket, reached[i].gradus);
  }
  std::printf("add, pocket with known strides: %.1f; into an array that is there: %.1f",
              reaches(known[0]), reaches(known[1]));
  std::printf("; as one row: %.1f\n", reaches(known[2]));
  draw_roofline(reached, limit, {from_cache, from_third, from_memory}, reaches(known[0]));
}
// [roofline]

// [quadratic]
std::vector<Attention> attention() {
  std::vector<Attention> rows;
  for (const int length : {64, 128, 256, 512, 1024}) {
    std::vector<Tensor> x;
    for (std::uint64_t i = 0; i < 3; ++i)
      x.push_back(normal({4, length, 16}, {.seed = i}).set_requires_grad());
    const auto run = [&](const auto& attention, Remedies remedies = {}, bool reuse = true) {
      return [&, remedies, reuse] {
        with = remedies, memory.reuse = reuse;
        backward(sum(attention(x[0], x[1], x[2])));
        for (Tensor& each : x) each.zero_grad();  // so that each run begins without gradients
        with = {}, memory.reuse = false;
      };
    };
    const auto of_pocket = [](const Tensor& q, const Tensor& k, const Tensor& v) {
      return scaled_dot_product_attention(q, k, v, {.causal = true});
    };
    const std::vector<std::function<void()>> all = {
        run(of_pocket), run(attention_by_blocks), gradus_attention(length),
        run(of_pocket, {}, false), run(attention_by_blocks, kAll)};
    Attention row{length, shortest_ms(all, length < 512 ? 6 : 2), {}, {}, -pages_taken()};
    all[3](), row.pages += pages_taken();
    for (const auto& each : {all[0], all[1]}) {
      row.mb.push_back(most_memory(each));
      row.operations.push_back(million_operations(each));
    }
    row.mb.push_back(gradus_most(all[2]));
    rows.push_back(row);
    if (length < 1024) continue;
    keep_memory();
    all[3](), rows.back().kept_pages = -pages_taken();
    rows.back().kept_ms = shortest_ms({all[3]}, 2)[0], rows.back().kept_pages += pages_taken();
  }
  return rows;
}

void quadratic(const std::vector<Attention>& rows) {
  const Part part("quadratic");
  std::printf("   T   pocket, MB   by blocks   gradus\n");
  for (const Attention& row : rows) {
    std::printf("%4d %12.2f %11.2f %8.2f\n", row.length, row.mb[0], row.mb[1], row.mb[2]);
  }
  draw_quadratic(rows);
}
// [quadratic]

// [quadratic_time]
void quadratic_time(const std::vector<Attention>& rows) {
  const Part part("quadratic_time");
  std::printf("      operations, millions      with malloc         ms with our lists\n");
  std::printf("   T    pocket  by blocks    pages     ms  pocket  by blocks  changed  gradus\n");
  for (const Attention& row : rows) {
    std::printf("%4d %9.1f %10.1f %8ld %6.1f %7.2f %10.2f %8.2f %7.2f\n", row.length,
                row.operations[0], row.operations[1], row.pages, row.ms[3], row.ms[0], row.ms[1],
                row.ms[4], row.ms[2]);
  }
  std::printf("a malloc that gives nothing back to the system, T = %d: %ld pages, %.1f ms\n",
              rows.back().length, rows.back().kept_pages, rows.back().kept_ms);
  const Attention& last = rows.back();
  const double more = last.ms[3] - last.kept_ms;
  std::printf("new pages at T = %d cost %.1f ms, %.1f us each\n", last.length, more,
              1e3 * more / double(last.pages - last.kept_pages));
}
// [quadratic_time]

}  // namespace

// [main]
int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  const Alone alone = steps_alone();  // while malloc is unchanged
  const std::vector<double> reused = lines_alone(true), by_malloc = lines_alone(false);
  const std::vector<Attention> of_lengths = attention();  // from here on malloc keeps its memory
  machine(), side_by_side(alone), same(), by_op(), work();
  const double by_products = shapes();
  causes(alone, by_products, threads()), memory_alone(alone);
  three_lines(reused, by_malloc);
  loops(), passes(), roofline(), quadratic(of_lengths), quadratic_time(of_lengths);
}
// [main]
