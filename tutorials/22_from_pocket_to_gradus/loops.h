/// @file
/// What chapter 22 asks of single ops: their passes, exponentials, sums and products.
#pragma once

#include "steps.h"

// [passes]
/// What an op takes, forward and backward, in arrays of the size of x.
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
  Work works[2];
  double taken[2];
  for (const bool fused : {false, true}) {
    const Step step = pocket_step({}, {.fused = fused});
    step();
    const double before = memory.megabytes;
    step();
    taken[fused] = memory.megabytes - before, works[fused] = work_of({.fused = fused});
  }
  std::printf("a step: %.1f MB of memory taken, at one time %.1f; fused %.1f and %.1f\n", taken[0],
              works[0].megabytes, taken[1], works[1].megabytes);
}
// [passes]

// [vectors]
/// The ns that f takes for each of n numbers, with our lists.
inline double ns_of(Index n, const std::function<void()>& f) {
  memory.reuse = true;
  const double ms = shortest_ms({f}, 15)[0];
  memory.reuse = false;
  return 1e6 * ms / double(n);
}

inline OfExponential vectors() {
  const Part part("vectors");
  const Tensor x = uniform({4096}, {.seed = 1}) * 40 - 20,
               scores = normal({64, 32, 32}, {.seed = 3}), dy = normal({512, 256}, {.seed = 4});
  Tensor y(x.shape()), hidden = normal(dy.shape(), {.seed = 2}).set_requires_grad();
  double errors[2] = {};
  const auto exp_of_x = [&](double& error, auto f) {
    const double ns =
        ns_of(x.size(), [&] { std::transform(x.begin(), x.end(), y.mutable_data(), f); });
    for (Index i = 0; i < x.size(); ++i) {
      error = std::max(error, std::abs(y.data()[i] / std::exp(double(x.data()[i])) - 1));
    }
    return ns;
  };
  const auto row = [](const char* name, double slow, double fast) {
    std::printf("%-30s %8.2f %9.2f %6.2f\n", name, slow, fast, slow - fast);
    return 1e-6 * (slow - fast);
  };
  std::printf("ns a number                    std::exp  fast_exp  saved\n");
  const double exact = exp_of_x(errors[0], [](float v) { return std::exp(v); });
  const double by_vectors = exp_of_x(errors[1], [](float v) { return fast_exp(v); });
  const double alone = row("the exponential alone", exact, by_vectors);
  const double singly = row("  one number at a time", exact, exp_of_x(errors[1], [](float v) {
                              asm volatile("");  // no instruction, but no vectors around it
                              return fast_exp(v);
                            }));
  const double gelu = row("gelu, both ways: two of them",
                          ns_of(dy.size(), [&] { backward(plain_gelu(hidden), dy); }),
                          ns_of(dy.size(), [&] { backward(vector_gelu(hidden), dy); }));
  const double slow = ns_of(scores.size(), [&] { log_softmax(scores); });
  with.exponentials = true;
  const double fast = ns_of(scores.size(), [&] { vector_log_softmax(scores); });
  with = {};
  const double log_softmax = row("log_softmax: one", slow, fast);
  std::printf("wrong by at most %.0e and %.0e for x in [-20, 20]; fast_exp of -inf, inf, NaN: ",
              errors[0], errors[1]);
  std::printf("%g, %g, %g\n", fast_exp(-INFINITY), fast_exp(INFINITY), std::abs(fast_exp(NAN)));
  const Step step = pocket_step({}, {.exponentials = true});
  exponentials = in_gelu = in_log_softmax = 0, step();
  std::printf("a step takes %.2f million exponentials: alone they save %.1f ms\n",
              exponentials / 1e6, exponentials * alone);
  std::printf("with gelu (%.2f million numbers) and log_softmax (%.2f) around them: %.1f ms\n",
              in_gelu / 1e6, in_log_softmax / 1e6,
              in_gelu * gelu + in_log_softmax * log_softmax +
                  (exponentials - 2 * in_gelu - in_log_softmax) * alone);
  return {1e6 * alone, 1e6 * singly, by_vectors};
}
// [vectors]

// [sums]
inline OfSum sums() {
  const Part part("sums");
  const Tensor short_rows = uniform({512, 64}, {.seed = 1}), long_rows({8, 4096});
  const auto of_rows = [](const Tensor& x) { sum(x, -1); };
  const auto through = [](const Tensor& x) {  // no row can begin before the last one ends
    Tensor y({x.size(0)});
    Scalar* to = y.mutable_data();
    Scalar so_far = 0;
    for (Index i = 0; i < x.size(0); ++i) {
      const Scalar* from = x.data() + i * x.size(1);
      to[i] = so_far = std::accumulate(from, from + x.size(1), so_far);
    }
  };
  struct Way {
    const char* name;
    Remedies remedies;
    std::function<void(const Tensor&)> f;
  };
  const std::vector<Way> ways = {
      {"added in memory", {}, of_rows},
      {"in a register, in order", {.strides = true}, of_rows},
      {"  on from the last row", {}, through},
      {"in a register, any order", {.strides = true, .sums = true}, of_rows}};
  std::vector<double> ns;
  std::printf("ns a number              rows of 64 rows of 4096\n");
  for (const Way& way : ways) {
    with = way.remedies;
    const auto ms = shortest_ms({[&] { way.f(short_rows); }, [&] { way.f(long_rows); }}, 15);
    const double each = 1e6 / double(short_rows.size());
    std::printf("%-24s %10.2f %12.2f\n", way.name, ms[0] * each, ms[1] * each);
    ns.push_back(ms[0] * each);
  }
  const Step step = pocket_step({}, kVectors);
  summed = 0, step();
  std::printf("a step sums %.2f million numbers along their rows\n", summed / 1e6);
  with = {};
  return {ns[0] - ns[1], ns[3]};
}
// [sums]

// [shapes]
/// ms for so many products of these sizes, on different matrices, as in a step.
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
  Trained trained({});
  enum { kLarge, kSmall };
  std::map<int, Products> kinds;
  for (auto [p, count] : products_of([&] { trained.step(); })) {
    const bool small = p.m * p.n * p.k <= 32 * 32 * 32;
    const int at_once = small ? 64 : 1;
    count.seconds = ms_of(p, at_once) * count.calls / at_once / 1e3;
    kinds[small ? kSmall : kLarge] += count;
  }
  std::printf("                   calls  million operations    ms  GFLOP/s\n");
  const char* names[] = {"linear, logits", "in the heads"};
  for (const auto& [kind, count] : kinds) {
    std::printf("%-18s %5.0f %19.1f %5.2f %8.1f\n", names[kind], count.calls,
                count.operations / 1e6, count.seconds * 1e3,
                count.operations / count.seconds / 1e9);
  }
  const Products large = kinds[kLarge], small = kinds[kSmall];
  return 1e3 * (small.seconds - large.seconds * small.operations / large.operations);
}
// [shapes]

// [cuts]
/// The GFLOP/s of 512 rows times [k, n], in calls of so many rows.
inline double speed_of(blasint n, blasint k, Index rows) {
  const Tensor x = normal({512, k}, {.seed = 1}), w = normal({k, n}, {.seed = 2});
  Tensor y({512, n});
  const double ms = shortest_ms(
      {[&] {
        for (Index i = 0; i < 512; i += rows) {
          gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blasint(std::min(rows, 512 - i)), n, k, 1,
               x.data() + i * k, k, w.data(), n, 0, y.mutable_data() + i * n, n);
        }
      }},
      15)[0];
  return 2e-6 * 512 * double(n * k) / ms;
}

/// Returns the fastest, in GFLOP/s.
inline double cuts() {
  const Part part("cuts");
  std::printf("rows a call  calls  GFLOP/s\n");
  double fastest = 0;
  for (const int rows : {512, 62, 61, 32, 1}) {
    const double speed = speed_of(256, 64, rows);
    std::printf("%11d %6d %8.1f\n", rows, (511 + rows) / rows, speed);
    fastest = std::max(fastest, speed);
  }
  for (const int n : {128, 64}) {  // a million multiplications a call, and just below
    const int rows = 1000000 / (n * 64);
    const double above = speed_of(n, 64, rows + 1), below = speed_of(n, 64, rows);
    std::printf("[64, %d]: %d rows %.1f, %d rows %.1f\n", n, rows + 1, above, rows, below);
    fastest = std::max(fastest, below);
  }
  return fastest;
}
// [cuts]
