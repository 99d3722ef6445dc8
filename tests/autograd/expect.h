/// @file
/// Helpers for the tests of ops: random inputs, comparison within a stated tolerance, and
/// comparison of two functions in values and gradients.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/two_paths.h"

namespace gradus {

using Tensors = std::vector<Tensor>;
using Values = std::vector<Scalar>;

inline constexpr bool kIsDouble = sizeof(Scalar) == sizeof(double);
inline constexpr Scalar kInf = std::numeric_limits<Scalar>::infinity();
inline constexpr Scalar kNaN = std::numeric_limits<Scalar>::quiet_NaN();

/// The tolerance for rounding alone: a few units in the last place.
inline constexpr double kRounding = kIsDouble ? 1e-13 : 1e-6;
/// The tolerance for a longer computation that is done in two ways.
inline constexpr double kSameMaths = kIsDouble ? 1e-11 : 1e-5;

/// Returns random numbers in [low, high), the same ones for the same `place`.
inline Tensor drawn(const Shape& shape, std::uint32_t place, Scalar low = -2, Scalar high = 2) {
  return uniform(shape, {.seed = 7, .place = place}, low, high);
}

/// Returns "" if each element of `got` is within tolerance max(1, |expected|) of `expected`,
/// otherwise describes the first other element. Infinities and NaN are equal only to themselves.
inline std::string difference(const Tensor& got, const Tensor& expected,
                              double tolerance = kRounding) {
  if (got.shape() != expected.shape()) {
    return detail::text("shape ", got.shape(), " in place of ", expected.shape());
  }
  for (Index i = 0; i < got.size(); ++i) {
    const double g = got.data()[i];
    const double e = expected.data()[i];
    const bool same = g == e || (std::isnan(g) && std::isnan(e));
    if (!same && !(std::abs(g - e) <= tolerance * std::max(1.0, std::abs(e)))) {
      return detail::text("element ", i, " of ", got.shape(), " is ", std::setprecision(17), g,
                          " in place of ", e);
    }
  }
  return "";
}

/// A function of tensors.
using Function = std::function<Tensor(const Tensors&)>;

/// Returns f(inputs), followed by the gradients of sum(w f(inputs)) for fixed random w.
inline Tensors value_and_gradients(const Function& f, const Tensors& inputs) {
  Tensors leaves;
  for (const Tensor& x : inputs) {
    leaves.push_back(x.clone().set_requires_grad());
  }
  const Tensor y = f(leaves);
  Tensors all{y.detach()};
  for (const Tensor& gradient : grad({y}, leaves, {.gradients = {drawn(y.shape(), 99)}})) {
    all.push_back(gradient);
  }
  return all;
}

/// Returns the gradient of sum(w f(x)), with w = 1 by default.
inline Tensor gradient_of(const std::function<Tensor(const Tensor&)>& f, const Tensor& x,
                          const Tensor& w = Tensor()) {
  const Tensor leaf = x.clone().set_requires_grad();
  const Tensor y = f(leaf);
  return grad({y}, {leaf}, {.gradients = {w.defined() ? w : ones(y.shape())}})[0];
}

/// Returns "" if f and g have the same value and gradients at `inputs`, otherwise describes the
/// first difference.
inline std::string difference_of(const Function& f, const Function& g, const Tensors& inputs,
                                 double tolerance = kSameMaths) {
  const Tensors a = value_and_gradients(f, inputs);
  const Tensors b = value_and_gradients(g, inputs);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string found = difference(a[i], b[i], tolerance);
    if (!found.empty()) {
      return (i == 0 ? "value: " : detail::text("gradient ", i - 1, ": ")) + found;
    }
  }
  return "";
}

/// Returns f on its composed path.
inline Function in_words(const Function& f) {
  return [f](const Tensors& x) {
    const ComposedOps composed;
    return f(x);
  };
}

/// Sets another number of threads until the end of the scope.
class ThreadScope {
 public:
  explicit ThreadScope(int count) : before_(num_threads()) { set_num_threads(count); }
  ~ThreadScope() { set_num_threads(before_); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

/// Returns "" if values and gradients of `f` have the same bits in two runs on two threads, and the
/// same values on one thread within `tolerance`.
inline std::string thread_difference(const Function& f, const Tensors& inputs,
                                     double tolerance = kSameMaths) {
  const auto on = [&](int threads) {
    const ThreadScope scope(threads);
    return value_and_gradients(f, inputs);
  };
  const Tensors one = on(1), two = on(2), again = on(2);
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (two[i].values() != again[i].values()) {
      return detail::text("two threads differ from themselves in result ", i);
    }
    const std::string found = difference(two[i], one[i], tolerance);
    if (!found.empty()) {
      return detail::text("two threads differ from one in result ", i, ": ", found);
    }
  }
  return "";
}

}  // namespace gradus

/// CHECK_CLOSE(got, expected) or CHECK_CLOSE(got, expected, tolerance).
#define CHECK_CLOSE(...) CHECK(difference(__VA_ARGS__) == "")
/// CHECK_SAME(f, g, inputs) or CHECK_SAME(f, g, inputs, tolerance).
#define CHECK_SAME(...) CHECK(difference_of(__VA_ARGS__) == "")
/// CHECK_PATHS(f, inputs) or CHECK_PATHS(f, inputs, tolerance): checks that f fused and f composed
/// agree.
#define CHECK_PATHS(f, ...) CHECK(difference_of(f, in_words(f), __VA_ARGS__) == "")
/// CHECK_THREADS(f, inputs) or CHECK_THREADS(f, inputs, tolerance).
#define CHECK_THREADS(...) CHECK(thread_difference(__VA_ARGS__) == "")
#define CHECK_FAILS(expression, message)                                          \
  CHECK_THROWS_WITH_AS(static_cast<void>(expression), doctest::Contains(message), \
                       std::invalid_argument)
