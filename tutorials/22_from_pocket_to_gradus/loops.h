/// @file
/// Chapter 22: measurements of single ops: their passes, loops and products.
#pragma once

#include "steps.h"

// [passes]
/// Counts the arrays of an op, forward and backward, in arrays of the size of x.
inline void passes() {
  const Part part("passes");
  Tensor x = normal({64, 32, 32}, {.seed = 1}), weight = ones({32}), bias = zeros({32});
  const Tensor dy = normal(x.shape(), {.seed = 2});
  const auto row = [&](const char* name, const std::function<Tensor()>& op) {
    std::printf("%-13s", name);
    for (const bool fused : {false, true}) {
      with.fused = fused;
      x.set_requires_grad(), weight.set_requires_grad(), bias.set_requires_grad();
      const Index nodes = nodes_made;
      const double before = memory.megabytes;
      const Tensor y = op();
      const double forward = memory.megabytes - before, one = 4e-6 * double(x.size());
      const int made = int(nodes_made - nodes);
      backward(y, y.size() > 1 ? dy : Tensor());
      const double all = memory.megabytes - before;
      std::printf("%9d %8.0f %9.0f", made, forward / one, (all - forward) / one);
    }
    std::printf("\n"), with = {};
  };
  std::printf("                         pocket                      fused\n");
  std::printf("                 nodes  forward  backward    nodes  forward  backward\n");
  row("softmax", [&] { return softmax(x); });
  row("gelu", [&] { return gelu(x); });
  row("layer_norm", [&] { return layer_norm(x, weight, bias); });
  const IndexTensor targets({64, 32}, std::vector<std::int32_t>(64 * 32, 7));
  row("cross_entropy", [&] { return cross_entropy(x, targets); });
  double taken[2];
  for (const bool fused : {false, true}) {
    const Step step = pocket_step({}, {.fused = fused});
    step();
    const double before = memory.megabytes;
    step();
    taken[fused] = memory.megabytes - before;
  }
  std::printf("a step takes %.1f MB, fused %.1f\n", taken[0], taken[1]);
}
// [passes]

// [loops]
/// Loops over [512, 64]: pocket's, one that becomes vectors, and the same loop with an empty asm,
/// which prevents vectors.
inline void loops() {
  const Tensor x = uniform({512, 64}, {.seed = 1}) * 40 - 20, z = ones({512, 64});
  const Index rows = x.size(0), n = x.size(1);
  Tensor y(x.shape()), of_rows({rows, 1});
  const Scalar *a = x.data(), *b = z.data();
  Scalar *to = y.mutable_data(), *sums = of_rows.mutable_data();
  const Strides whole = strides_of(x.shape());
  const Strides by_row = broadcast_strides(of_rows.shape(), x.shape());
  const auto sum_in_memory = [=](Index i, Index at, Index) { sums[at] += a[i]; };
  const auto sum_singly = [=](const Scalar* row) {
    Scalar sum = 0;
    for (Index k = 0; k < n; ++k) {
      asm volatile("");
      sum += row[k];
    }
    return sum;
  };
  const auto sum_by = [=](const auto& sum_of_row) {
    return [=] {
      for (Index i = 0; i < rows; ++i) sums[i] = sum_of_row(a + i * n);
    };
  };
  const auto sum_at_known_stride = [=] {  // but in memory, which this asm may change
    std::fill_n(sums, rows, Scalar(0));
    for (Index i = 0; i < rows; ++i) {
      for (Index k = 0; k < n; ++k) {
        sums[i] += a[i * n + k];
        asm volatile("" ::: "memory");
      }
    }
  };
  const auto centre = [=](Index i, Index at, Index row) { to[i] = a[at] - sums[row]; };
  const auto add = [=](Index i, Index at_a, Index at_b) { to[i] = a[at_a] + b[at_b]; };
  const auto singly = [](const auto& visit) {
    return [=](Index i, Index at_a, Index at_b) {
      asm volatile("");
      visit(i, at_a, at_b);
    };
  };
  const auto over = [=](const Scalar* from, auto f) {
    return [=] { std::transform(from, from + rows * n, to, f); };
  };
  const auto exp_singly = [](float v) {
    asm volatile("");
    return fast_exp(v);
  };
  const Tensor inputs = normal(x.shape(), {.seed = 2});  // of gelu, of the size that it has there
  const Scalar* v = inputs.data();
  const auto slope = [=](auto gelu) {
    const auto f = [=](Scalar v, Scalar y) { return gelu.slope(v, y); };
    return [=] { std::transform(v, v + rows * n, b, to, f); };
  };
  const auto exp_by_call = [](float v) { return std::exp(v); };
  const auto exp_fast = [](float v) { return fast_exp(v); };
  const std::vector<std::function<void()>> ways = {
      [&] { plain_for_each_element(x.shape(), by_row, by_row, sum_in_memory); },
      sum_by(sum_singly),
      sum_by([=](const Scalar* row) { return row_sum(row, n); }),
      [&] { plain_for_each_element(x.shape(), whole, by_row, centre); },
      [&] { for_known_strides(x.shape(), whole, by_row, singly(centre)); },
      [&] { for_known_strides(x.shape(), whole, by_row, centre); },
      [&] { plain_for_each_element(x.shape(), whole, whole, add); },
      [&] { for_known_strides(x.shape(), whole, whole, singly(add)); },
      [&] { for_known_strides(x.shape(), whole, whole, add); },
      over(a, exp_by_call),
      over(a, exp_singly),
      over(a, exp_fast),
      over(v, GeluBy{exp_by_call}),
      over(v, GeluBy{exp_singly}),
      over(v, GeluBy{exp_fast}),
      slope(GeluBy{exp_by_call}),
      slope(GeluBy{exp_singly}),
      slope(GeluBy{exp_fast}),
      sum_at_known_stride};
  const std::vector<double> ms = shortest_ms(ways, 30);
  const double ns = 1e6 / double(x.size());
  {
    const Part part("loops");
    const char* names[] = {"sum of a row", "x - its row's mean", "a + b", "e^x",
                           "gelu",         "its slope"};
    std::printf("ns a number           pocket  one by one  vectors\n");
    for (int i = 0; i < 6; ++i) {
      const double* each = &ms[3 * i];
      std::printf("%-19s %8.2f %11.2f %8.2f\n", names[i], each[0] * ns, each[1] * ns, each[2] * ns);
    }
    std::printf("sum of a row in memory, at a known stride: %.2f\n", ms.back() * ns);
  }
  const Part part("exponentials");
  const auto saves = [&](int i) { return (ms[3 * i] - ms[3 * i + 2]) * ns; };
  const Sizes s;
  const double hidden = double(s.layers * s.rows * s.length * 4 * s.channels) / 1e6;
  const Step step = pocket_step({}, kFastLoops);
  summed = exponentials = 0, step();
  std::printf("a step sums %.2f million numbers along rows, and takes %.2f million exponentials\n",
              summed / 1e6, exponentials / 1e6);
  std::printf("exponentials alone save %.1f ms of it; the rest of gelu and its slope saves %.1f\n",
              exponentials / 1e6 * saves(3), hidden * (saves(4) + saves(5) - 2 * saves(3)));
  double worst = 0;
  for (const Scalar v : x) worst = std::max(worst, std::abs(fast_exp(v) / std::exp(double(v)) - 1));
  std::printf("fast_exp: wrong by at most %.0e for x in [-20, 20]; of -inf, inf, NaN: %g, %g, %g\n",
              worst, fast_exp(-INFINITY), fast_exp(INFINITY), std::abs(fast_exp(NAN)));
}
// [loops]

// [shapes]
/// ms for `count` products of these sizes, on different matrices, as in a step.
inline double ms_of(const Product& p, int count) {
  const Tensor x = normal({count, p.m, p.k}, {.seed = 1}),
               w = normal({count, p.k, p.n}, {.seed = 2});
  Tensor y({count, p.m, p.n});
  const blasint across_x = p.a == CblasTrans ? p.m : p.k, across_w = p.b == CblasTrans ? p.k : p.n;
  return shortest_ms({[&] {
                       for (Index i = 0; i < count; ++i) {
                         gemm(CblasRowMajor, p.a, p.b, p.m, p.n, p.k, 1, x.data() + i * p.m * p.k,
                              across_x, w.data() + i * p.k * p.n, across_w, 0,
                              y.mutable_data() + i * p.m * p.n, p.n);
                       }
                     }},
                     10)[0];
}

/// Returns the ms that small products would save if they were as fast as large ones.
inline double shapes() {
  const Part part("shapes");
  double calls[2] = {}, millions[2] = {}, ms[2] = {};  // of large products, and of small ones
  for (const auto& [p, count] : products_of(pocket_step({}))) {
    const bool small = p.m * p.n * p.k <= 32 * 32 * 32;
    const int at_once = small ? 64 : 1;
    calls[small] += count, millions[small] += count * p.operations() / 1e6;
    ms[small] += ms_of(p, at_once) * count / at_once;
  }
  std::printf("                   calls  million operations    ms  GFLOP/s\n");
  const char* names[] = {"linear, logits", "in the heads"};
  for (int i = 0; i < 2; ++i) {
    std::printf("%-18s %5.0f %19.1f %5.2f %8.1f\n", names[i], calls[i], millions[i], ms[i],
                millions[i] / ms[i]);
  }
  return ms[1] - ms[0] * millions[1] / millions[0];
}
// [shapes]
