/// @file
/// pocket, with five of its functions under other names, so that faster ones can take their place.
#pragma once

#include <bit>

#define for_each_element plain_for_each_element
#define elementwise plain_elementwise
#include "pocket/tensor.h"
#undef for_each_element
#undef elementwise

// [Remedies]
/// What is switched on: fewer passes over memory, and vector instructions.
struct Remedies {
  bool passes = false, vectors = false;
};
inline Remedies with;
// [Remedies]

namespace pocket {

// [for_each_element]
/// As pocket's. But where neighbours are visited, or one number again and again, the loop says so:
/// with strides of 1 and 0 that the compiler knows, it can take many numbers at a time.
template <class Visit>
void for_each_element(const Shape& shape, const Strides& a, const Strides& b, Visit visit) {
  if (!with.vectors || shape.rank() == 0) return plain_for_each_element(shape, a, b, visit);
  const Index n = shape[-1], step_a = a.back(), step_b = b.back();
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
// [for_each_element]

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

#define gelu plain_gelu
#define layer_norm plain_layer_norm
#define softmax plain_softmax
#include "pocket/ops.h"
#undef gelu
#undef layer_norm
#undef softmax

namespace pocket {

// [fast_exp]
/// e^x = 2^n e^r with |r| < 0.35: by the bits of a float, and by a polynomial.
inline float fast_exp(float x) {
  x = std::max(-87.0f, std::min(88.0f, x));
  const float n = std::nearbyint(x * 1.44269504f);
  const float r = x - n * 0.693145752f - n * 1.42860682e-6f;  // ln 2 in two parts
  float e = 1 + r / 6;  // 1 + r + r^2 / 2 + ... + r^6 / 720, from its end
  for (const float k : {5.0f, 4.0f, 3.0f, 2.0f, 1.0f}) e = 1 + r / k * e;
  return e * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}
// [fast_exp]

// [fused_softmax]
template <class Exp>
Tensor fused_softmax(const Tensor& x, Exp exp) {
  const Index n = x.size(-1);
  Tensor y(x.shape());
  for (Index row = 0; row < x.size(); row += n) {
    const Scalar* from = x.data() + row;
    Scalar* to = y.mutable_data() + row;
    const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e30));
    for (Index i = 0; i < n; ++i) to[i] = exp(from[i] - largest);
    const Scalar total = std::max(std::accumulate(to, to + n, Scalar(0)), Scalar(1));
    for (Index i = 0; i < n; ++i) to[i] /= total;
  }
  return record("softmax", y, {x}, [y = y.detach(), n](const Tensor& dy) -> Gradients {
    Tensor dx(y.shape());
    for (Index row = 0; row < y.size(); row += n) {
      const Scalar *p = y.data() + row, *dp = dy.data() + row;
      const Scalar mixed = std::inner_product(p, p + n, dp, Scalar(0));
      for (Index i = 0; i < n; ++i) dx.mutable_data()[row + i] = p[i] * (dp[i] - mixed);
    }
    return {dx};
  });
}
// [fused_softmax]

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
      return g * gate(v) * (1 + v * (1 - gate(v)) * c * (1 + 3 * d * v * v));
    });
    return {dx};
  });
}
// [fused_gelu]

// [fused_norm]
inline Tensor fused_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                         Scalar epsilon) {
  const Index n = x.size(-1), rows = x.size() / n;
  Tensor y(x.shape()), normal(x.shape()), scale({rows});
  const Scalar *w = weight.data(), *b = bias.data(), share = Scalar(1) / Scalar(n);
  for (Index i = 0; i < rows; ++i) {
    const Scalar* from = x.data() + i * n;
    Scalar *to = y.mutable_data() + i * n, *z = normal.mutable_data() + i * n;
    const Scalar mean = std::accumulate(from, from + n, Scalar(0)) * share;
    for (Index j = 0; j < n; ++j) z[j] = from[j] - mean;
    const Scalar variance = std::inner_product(z, z + n, z, Scalar(0)) * share;
    const Scalar s = scale.mutable_data()[i] = 1 / std::sqrt(variance + epsilon);
    for (Index j = 0; j < n; ++j) z[j] *= s, to[j] = z[j] * w[j] + b[j];
  }
  return record("layer_norm", y, {x, weight, bias}, [=](const Tensor& dy) -> Gradients {
    Tensor dx(dy.shape()), dweight({n}), dbias({n});
    Scalar *dw = dweight.mutable_data(), *db = dbias.mutable_data();
    std::vector<Scalar> dz(n);
    for (Index i = 0; i < rows; ++i) {
      const Scalar *g = dy.data() + i * n, *z = normal.data() + i * n;
      for (Index j = 0; j < n; ++j) {
        dw[j] += g[j] * z[j], db[j] += g[j], dz[j] = g[j] * weight.data()[j];
      }
      const Scalar mean = std::accumulate(dz.begin(), dz.end(), Scalar(0)) * share;
      const Scalar along = std::inner_product(z, z + n, dz.begin(), Scalar(0)) * share;
      Scalar* to = dx.mutable_data() + i * n;
      for (Index j = 0; j < n; ++j) to[j] = scale.data()[i] * (dz[j] - mean - z[j] * along);
    }
    return {dx, dweight, dbias};
  });
}
// [fused_norm]

// [choose]
/// Calls op(exp) with the exponential that is switched on.
auto with_exp(const auto& op) {
  return with.vectors ? op([](float x) { return fast_exp(x); })
                      : op([](float x) { return std::exp(x); });
}
inline Tensor gelu(const Tensor& x) {
  return with.passes ? with_exp([&](auto exp) { return fused_gelu(x, exp); }) : plain_gelu(x);
}
inline Tensor softmax(const Tensor& x) {
  return with.passes ? with_exp([&](auto exp) { return fused_softmax(x, exp); }) : plain_softmax(x);
}
inline Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                         Scalar epsilon = Scalar(1e-5)) {
  return with.passes ? fused_norm(x, weight, bias, epsilon)
                     : plain_layer_norm(x, weight, bias, epsilon);
}
// [choose]

}  // namespace pocket
