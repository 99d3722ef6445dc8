/// @file
/// pocket, with some of its functions under other names, so that others can take their place.
#pragma once

#include <bit>

#include "tutorials/22_from_pocket_to_gradus/engines.h"
#include "tutorials/22_from_pocket_to_gradus/figures.h"

namespace pocket {
// In a program as large as this one gcc would call check() for each number where a loop asks for
// data(); in a program of pocket alone it does not.
template <class... Parts>
[[gnu::always_inline]] inline void check(bool ok, const Parts&... parts);
}  // namespace pocket

#define for_each_element plain_for_each_element
#define elementwise plain_elementwise
#include "pocket/tensor.h"
#undef for_each_element
#undef elementwise

// [Remedies]
/// The changes that are switched on: fused ops; and faster loops, with sums in registers, known
/// strides and an exponential without a call.
struct Remedies {
  bool fused = false, sums = false, strides = false, exponentials = false;
};
inline constexpr Remedies kFastLoops = {false, true, true, true}, kAll = {true, true, true, true};
inline Remedies with;
// How many exponentials a step takes, and numbers it sums, counted while the changes are on.
inline double exponentials = 0, summed = 0;
// [Remedies]

/// pocket's step, compiled so that no loop becomes vectors.
Step one_by_one_step(const Remedies& remedies);

namespace pocket {

// [for_known_strides]
/// As in pocket, but the last axis has one of three loops, two of them with constant strides.
template <class Visit>
void for_known_strides(const Shape& shape, const Strides& a, const Strides& b, Visit visit) {
  const Index n = shape[-1], step_a = a.back(), step_b = b.back();
  // The loop over `outer`, which lacks the last axis, does not use the last strides of a and b.
  const Shape outer(shape.begin(), shape.end() - 1);
  plain_for_each_element(outer, a, b, [=](Index row, Index at_a, Index at_b) {
    const Index i = row * n;
    if (step_a == 1 && step_b == 1) {
      for (Index k = 0; k < n; ++k) visit(i + k, at_a + k, at_b + k);
    } else if (step_a == 1 && step_b == 0) {
      for (Index k = 0; k < n; ++k) visit(i + k, at_a + k, at_b);
    } else {
      for (Index k = 0; k < n; ++k) visit(i + k, at_a + k * step_a, at_b + k * step_b);
    }
  });
}
// [for_known_strides]

template <class Visit>
void for_each_element(const Shape& shape, const Strides& a, const Strides& b, Visit visit) {
  const bool known = with.strides && shape.rank() > 0;
  known ? for_known_strides(shape, a, b, visit) : plain_for_each_element(shape, a, b, visit);
}

/// pocket's, on that loop.
template <class F>
Tensor elementwise(const char* op, const Tensor& a, const Tensor& b, F f) {
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()));
  const Strides of_a = broadcast_strides(a.shape(), y.shape());
  const Strides of_b = broadcast_strides(b.shape(), y.shape());
  const Scalar *from_a = a.data(), *from_b = b.data();
  Scalar* to = y.mutable_data();
  for_each_element(y.shape(), of_a, of_b,
                   [=](Index i, Index at_a, Index at_b) { to[i] = f(from_a[at_a], from_b[at_b]); });
  return y;
}

}  // namespace pocket

#define record plain_record
#include "pocket/graph.h"
#undef record

namespace pocket {

inline bool timed = false;
inline std::map<std::string, double> spent;  // ms for each op, forward and backward
inline const char* whole = nullptr;          // the op that those recorded now are parts of

/// Adds the time since the last mark to this name.
inline void mark(const std::string& name) {
  static double last = 0;
  const double now = ms_now();
  spent[name] += now - last, last = now;
}

/// As pocket's; timed, it marks what an op took, and later what its gradient takes.
inline Tensor record(const char* op, const Tensor& y, const std::vector<Tensor>& inputs,
                     std::function<Gradients(const Tensor& dy)> closure) {
  if (!timed || !recording) return plain_record(op, y, inputs, std::move(closure));
  const std::string name = whole ? whole : op;
  mark(name);
  return plain_record(op, y, inputs, [=](const Tensor& dy) {
    mark("sums of gradients");
    Gradients gradients = closure(dy);
    mark(name);
    return gradients;
  });
}

}  // namespace pocket

// Written in exercises 22.1 and 22.2: by ./run chapter 22 --mine, the reader's own answers.
#define CHAPTER_22_HAS_POCKET
#if __has_include("22.1_fast_exp.cpp")
#include "22.1_fast_exp.cpp"
#else
#include "exercises/1_fast_exp/answer.cpp"
#endif

namespace pocket {

// [row_sum]
/// The sum of a row, in registers. The pragma lets the compiler add in any order: many partial
/// sums at once.
inline Scalar row_sum(const Scalar* x, Index n) {
  Scalar sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += x[i];
  return sum;
}
// [row_sum]

/// The sum of x[i] y[i] over a row.
inline Scalar row_dot(const Scalar* x, const Scalar* y, Index n) {
  Scalar sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// to[i] = e^(from[i] - largest); returns their sum.
inline Scalar exp_row(const Scalar* from, Scalar largest, Scalar* to, Index n) {
  if (with.exponentials) {
    exponentials += double(n);
    for (Index i = 0; i < n; ++i) to[i] = fast_exp(from[i] - largest);
  } else {
    for (Index i = 0; i < n; ++i) to[i] = std::exp(from[i] - largest);
  }
  return row_sum(to, n);
}

}  // namespace pocket

namespace pocket {
/// pocket's sums call strided() with a plain 0, an int: this one suits them better than its own.
inline Tensor strided(const char* op, const Tensor& x, const Shape& shape, const Strides& strides,
                      int first, bool into);
}  // namespace pocket

#define softmax plain_softmax
#define gelu plain_gelu
#define layer_norm plain_layer_norm
#define cross_entropy plain_cross_entropy
#include "pocket/ops.h"

#if __has_include("22.2_softmax.cpp")
#include "22.2_softmax.cpp"
#else
#include "exercises/2_softmax/answer.cpp"
#endif

#undef softmax
#undef gelu
#undef layer_norm
#undef cross_entropy

namespace pocket {

// [fused_gelu]
template <class Exp>
Tensor fused_gelu(const Tensor& x, Exp exp) {
  const Scalar c = Scalar(2 * 0.7978845608028654), d = Scalar(0.044715);
  const auto gate = [=](Scalar v) { return 1 / (1 + exp(-c * (v + d * v * v * v))); };
  Tensor y(x.shape());
  std::transform(x.begin(), x.end(), y.mutable_data(), [=](Scalar v) { return v * gate(v); });
  return record("gelu", y, {x}, [=](const Tensor& dy) -> Gradients {
    Tensor dx(x.shape());
    std::transform(x.begin(), x.end(), dy.begin(), dx.mutable_data(), [=](Scalar v, Scalar g) {
      const Scalar share = gate(v);
      return g * share * (1 + v * (1 - share) * c * (1 + 3 * d * v * v));
    });
    return {dx};
  });
}
// [fused_gelu]

// [fused_norm]
inline Tensor fused_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                         Scalar epsilon) {
  const Index n = x.size(-1), rows = x.size() / n;
  Tensor y(x.shape()), means({rows}), scales({rows});
  const Scalar *w = weight.data(), *b = bias.data(), share = Scalar(1) / Scalar(n);
  for (Index i = 0; i < rows; ++i) {
    const Scalar* from = x.data() + i * n;
    Scalar* __restrict to = y.mutable_data() + i * n;
    const Scalar mean = row_sum(from, n) * share;
    for (Index j = 0; j < n; ++j) to[j] = from[j] - mean;
    const Scalar s = 1 / std::sqrt(row_dot(to, to, n) * share + epsilon);
    for (Index j = 0; j < n; ++j) to[j] = to[j] * s * w[j] + b[j];
    means.mutable_data()[i] = mean, scales.mutable_data()[i] = s;
  }
  return record("layer_norm", y, {x, weight, bias}, [=](const Tensor& dy) -> Gradients {
    Tensor dx(dy.shape()), dweight({n}), dbias({n}), normal({n}), dnormal({n});
    const Scalar* w = weight.data();
    Scalar* __restrict dw = dweight.mutable_data(), * __restrict db = dbias.mutable_data();
    Scalar* __restrict z = normal.mutable_data(), * __restrict d = dnormal.mutable_data();
    for (Index i = 0; i < rows; ++i) {
      const Scalar *from = x.data() + i * n, *g = dy.data() + i * n;
      const Scalar mean = means.data()[i], s = scales.data()[i];
      for (Index j = 0; j < n; ++j) z[j] = (from[j] - mean) * s, d[j] = g[j] * w[j];
      for (Index j = 0; j < n; ++j) dw[j] += g[j] * z[j], db[j] += g[j];
      const Scalar slope = row_sum(d, n) * share, along = row_dot(z, d, n) * share;
      Scalar* __restrict to = dx.mutable_data() + i * n;
      for (Index j = 0; j < n; ++j) to[j] = s * (d[j] - slope - z[j] * along);
    }
    return {dx, dweight, dbias};
  });
}
// [fused_norm]

// [fused_cross_entropy]
inline Tensor fused_cross_entropy(const Tensor& logits, const IndexTensor& targets) {
  const Index n = logits.size(-1);
  Tensor p(logits.shape());
  Scalar total = 0, count = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    if (targets.data()[i] == -100) continue;  // its row of p stays 0
    const Scalar* x = logits.data() + i * n;
    Scalar* to = p.mutable_data() + i * n;
    const Scalar largest = *std::max_element(x, x + n), sum = exp_row(x, largest, to, n);
    for (Index j = 0; j < n; ++j) to[j] /= sum;
    total += largest + std::log(sum) - x[targets.data()[i]], ++count;
  }
  const Scalar share = 1 / std::max(count, Scalar(1));
  return record("cross_entropy", scalar(total * share), {logits},
                [=](const Tensor& dy) -> Gradients {
                  Tensor dx = p * (share * dy.item());
                  for (Index i = 0; i < targets.size(); ++i) {
                    const Index target = targets.data()[i];
                    if (target != -100) dx.mutable_data()[i * n + target] -= share * dy.item();
                  }
                  return {dx};
                });
}
// [fused_cross_entropy]

// [composed]
// pocket's ops, not fused, with the same passes, but with row_sum() and fast_exp().
inline Tensor strided(const char* op, const Tensor& x, const Shape& shape, const Strides& strides,
                      int first, bool into) {
  const bool of_rows = into && x.rank() > 0 && strides.back() == 0;
  if (!with.sums || !of_rows) return strided(op, x, shape, strides, Index(first), into);
  Tensor y(shape);
  summed += double(x.size());
  const Index n = x.size(-1);
  const Scalar* from = x.data();
  Scalar* to = y.mutable_data();
  const Shape outer(x.shape().begin(), x.shape().end() - 1);
  plain_for_each_element(outer, strides, strides,
                         [=](Index i, Index at, Index) { to[at] += row_sum(from + i * n, n); });
  return record(op, y, {x}, [=, before = x.shape()](const Tensor& dy) -> Gradients {
    return {strided(op, dy, before, strides, Index(first), !into)};
  });
}
inline Tensor vector_exp(const Tensor& x) {
  exponentials += double(x.size());
  const auto f = [](Scalar v) { return fast_exp(v); };
  return map("exp", x, f, [](Scalar, Scalar y) { return y; });
}
inline Tensor vector_log_softmax(const Tensor& x) {
  const Index n = x.size(-1);
  Tensor y(x.shape());
  exponentials += double(x.size());
  for (Index row = 0; row < x.size(); row += n) {
    const Scalar* from = x.data() + row;
    const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e30));
    Scalar total = 0;
#pragma omp simd reduction(+ : total)
    for (Index i = 0; i < n; ++i) total += fast_exp(from[i] - largest);
    const Scalar log_total = std::log(std::max(total, Scalar(1)));
    for (Index i = 0; i < n; ++i) y.mutable_data()[row + i] = from[i] - largest - log_total;
  }
  return record("log_softmax", y, {x}, [y = y.detach()](const Tensor& dy) -> Gradients {
    return {dy - vector_exp(y) * sum(dy, -1, {.keepdim = true})};
  });
}
/// GELU of a number, and its slope, with this exponential.
template <class Exp>
struct GeluBy {
  Exp exp;
  Scalar c = Scalar(2 * 0.7978845608028654), d = Scalar(0.044715);
  Scalar gate(Scalar v) const { return 1 / (1 + exp(-c * (v + d * v * v * v))); }
  Scalar operator()(Scalar v) const { return v * gate(v); }
  Scalar slope(Scalar v, Scalar y) const {
    const Scalar share = gate(v);
    return share + y * (1 - share) * c * (1 + 3 * d * v * v);
  }
};
inline Tensor vector_gelu(const Tensor& x) {
  const GeluBy f{[](Scalar v) { return fast_exp(v); }};
  exponentials += 2 * double(x.size());  // one forward, one backward
  return map("gelu", x, f, [=](Scalar v, Scalar y) { return f.slope(v, y); });
}
inline Tensor vector_cross_entropy(const Tensor& logits, const IndexTensor& targets) {
  Tensor chosen(logits.shape());
  Scalar count = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    if (targets.data()[i] == -100) continue;
    chosen.mutable_data()[i * logits.size(-1) + targets.data()[i]] = 1;
    ++count;
  }
  return sum(chosen * vector_log_softmax(logits)) * (-1 / std::max(count, Scalar(1)));
}
// [composed]

/// While one of these exists, recorded ops count as a part of this op.
struct Whole {
  explicit Whole(const char* op) { whole = op; }
  ~Whole() { whole = nullptr; }
};
inline Tensor softmax(const Tensor& x) {
  const Whole op("softmax");
  if (with.fused) return fused_softmax(x);
  return with.exponentials ? vector_exp(vector_log_softmax(x)) : plain_softmax(x);
}
inline Tensor gelu(const Tensor& x) {
  const Whole op("gelu");
  if (with.fused && with.exponentials) exponentials += 2 * double(x.size());
  if (!with.fused) return with.exponentials ? vector_gelu(x) : plain_gelu(x);
  return with.exponentials ? fused_gelu(x, [](Scalar v) { return fast_exp(v); })
                           : fused_gelu(x, [](Scalar v) { return std::exp(v); });
}
inline Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                         Scalar epsilon = Scalar(1e-5)) {
  const Whole op("layer_norm");
  return with.fused ? fused_norm(x, weight, bias, epsilon)
                    : plain_layer_norm(x, weight, bias, epsilon);
}
inline Tensor cross_entropy(const Tensor& logits, const IndexTensor& targets) {
  const Whole op("cross_entropy");
  if (with.fused) return fused_cross_entropy(logits, targets);
  return with.exponentials ? vector_cross_entropy(logits, targets)
                           : plain_cross_entropy(logits, targets);
}

}  // namespace pocket
