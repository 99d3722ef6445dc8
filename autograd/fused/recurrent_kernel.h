/// @file
/// The arithmetic of one step of a recurrent cell, for one row of H cells.
///
/// `x` and `s` are what comes from the input and from the state, gate beside gate, H numbers each,
/// biases included; `before` and `after` are the states, h and for an LSTM c behind it. backward()
/// takes `d`, the gradient of `after`, and puts that of `before` in its place, as far as it does
/// not come by way of `s`; gates are computed again, which is cheaper than to have kept them.
#pragma once

#include "autograd/kernels/vector_math.h"
#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// The plain cell: h' = tanh(x + s).
struct RnnCell {
  static constexpr Index kGates = 1;  ///< how many H numbers x and s are
  static constexpr Index kParts = 1;  ///< how many H numbers a state is

  /// One step.
  static void forward(Index H, const Scalar* x, const Scalar* s, const Scalar*, Scalar* after) {
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      after[i] = tanh_of(x[i] + s[i]);
    }
  }

  /// Its gradients.
  static void backward(Index H, const Scalar*, const Scalar*, const Scalar*, const Scalar* after,
                       Scalar* d, Scalar* dx, Scalar* ds) {
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      dx[i] = ds[i] = d[i] * (1 - after[i] * after[i]);
      d[i] = 0;
    }
  }
};

/// Gates i, f, g, o of x + s: c' = f c + i g, h' = o tanh(c').
struct LstmCell {
  static constexpr Index kGates = 4;  ///< how many H numbers x and s are
  static constexpr Index kParts = 2;  ///< how many H numbers a state is

  /// One step.
  static void forward(Index H, const Scalar* x, const Scalar* s, const Scalar* before,
                      Scalar* after) {
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      const Scalar in = sigmoid_of(x[i] + s[i]);
      const Scalar forget = sigmoid_of(x[H + i] + s[H + i]);
      const Scalar value = tanh_of(x[2 * H + i] + s[2 * H + i]);
      const Scalar out = sigmoid_of(x[3 * H + i] + s[3 * H + i]);
      const Scalar c = forget * before[H + i] + in * value;
      after[i] = out * tanh_of(c);
      after[H + i] = c;
    }
  }

  /// Its gradients.
  static void backward(Index H, const Scalar* x, const Scalar* s, const Scalar* before,
                       const Scalar* after, Scalar* d, Scalar* dx, Scalar* ds) {
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      const Scalar in = sigmoid_of(x[i] + s[i]);
      const Scalar forget = sigmoid_of(x[H + i] + s[H + i]);
      const Scalar value = tanh_of(x[2 * H + i] + s[2 * H + i]);
      const Scalar out = sigmoid_of(x[3 * H + i] + s[3 * H + i]);
      const Scalar y = tanh_of(after[H + i]);
      const Scalar dc = d[H + i] + d[i] * out * (1 - y * y);
      dx[i] = ds[i] = dc * value * in * (1 - in);
      dx[H + i] = ds[H + i] = dc * before[H + i] * forget * (1 - forget);
      dx[2 * H + i] = ds[2 * H + i] = dc * in * (1 - value * value);
      dx[3 * H + i] = ds[3 * H + i] = d[i] * y * out * (1 - out);
      d[i] = 0;
      d[H + i] = dc * forget;
    }
  }
};

/// Gates r, z, n: r and z of x + s, n = tanh(x_n + r s_n), h' = (1 - z) n + z h.
struct GruCell {
  static constexpr Index kGates = 3;  ///< how many H numbers x and s are
  static constexpr Index kParts = 1;  ///< how many H numbers a state is

  /// One step.
  static void forward(Index H, const Scalar* x, const Scalar* s, const Scalar* before,
                      Scalar* after) {
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      const Scalar reset = sigmoid_of(x[i] + s[i]);
      const Scalar keep = sigmoid_of(x[H + i] + s[H + i]);
      const Scalar value = tanh_of(x[2 * H + i] + reset * s[2 * H + i]);
      after[i] = value + keep * (before[i] - value);
    }
  }

  /// Its gradients.
  static void backward(Index H, const Scalar* x, const Scalar* s, const Scalar* before,
                       const Scalar*, Scalar* d, Scalar* dx, Scalar* ds) {
#pragma omp simd
    for (Index i = 0; i < H; ++i) {
      const Scalar reset = sigmoid_of(x[i] + s[i]);
      const Scalar keep = sigmoid_of(x[H + i] + s[H + i]);
      const Scalar value = tanh_of(x[2 * H + i] + reset * s[2 * H + i]);
      const Scalar dn = d[i] * (1 - keep) * (1 - value * value);
      dx[i] = ds[i] = dn * s[2 * H + i] * reset * (1 - reset);
      dx[H + i] = ds[H + i] = d[i] * (before[i] - value) * keep * (1 - keep);
      dx[2 * H + i] = dn;
      ds[2 * H + i] = dn * reset;
      d[i] *= keep;
    }
  }
};

/// @}

}  // namespace gradus
