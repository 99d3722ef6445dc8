/// @file
/// Prints the messages of exercises' checks: got, expected, shapes, and the likely cause.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "autograd/check.h"
#include "autograd/tensor.h"

namespace gradus {

/// Ends the check: red, with a message, which may be given in parts.
template <class... Parts>
[[noreturn]] void red(const Parts&... parts) {
  std::cout << "RED    " << detail::text(parts...) << std::endl;
  std::exit(1);
}

/// Prints a step of the check that passed.
template <class... Parts>
void green(const Parts&... parts) {
  std::cout << "green  " << detail::text(parts...) << std::endl;
}

inline bool is_near(Scalar a, Scalar b, double tolerance = 1e-4) {
  return std::abs(double{a} - double{b}) <= tolerance;  // never for NaN
}

/// The shape of the reader's result, for a message.
template <class AnyTensor>
std::string shape_got(const AnyTensor& x) {
  return x.defined() ? detail::text("got ", x.shape()) : "got nothing, a tensor that was never set";
}

/// Whether two tensors have one shape and the same numbers within `tolerance`.
inline bool is_close(const Tensor& a, const Tensor& b, double tolerance = 1e-4) {
  if (!a.defined() || a.shape() != b.shape()) {
    return false;
  }
  for (Index i = 0; i < a.size(); ++i) {
    if (!is_near(a.data()[i], b.data()[i], tolerance)) return false;
  }
  return true;
}

/// The text after the numbers of a wrong answer that is not in wrong.txt; "" without a cause.
inline std::string likely(const std::string& cause) {
  return cause.empty() ? "" : "\nlikely cause: " + cause;
}

/// Ends the check if the tensor holds an infinity or a NaN, and prints the first and its place.
template <class AnyTensor>
void must_be_finite(const std::string& what, const AnyTensor& x, const std::string& cause = "") {
  for (const Scalar* p = x.begin(); p != x.end(); ++p) {
    if (std::isfinite(*p)) continue;
    red(what, ": got ", *p, " at offset ", p - x.begin(), " of ", x.shape(), likely(cause));
  }
}

/// The same numbers as a tensor of the library, because a check may get the reader's own tensor.
template <class AnyTensor>
Tensor as_library(const AnyTensor& x) {
  if constexpr (std::is_same_v<AnyTensor, Tensor>) return x;
  if (!x.defined()) return Tensor();
  const std::vector<Index> sizes(x.shape().begin(), x.shape().end());
  return tensor(Shape(std::span(sizes)), std::vector<Scalar>(x.begin(), x.end()));
}

/// The size of the largest number, at least 1: tolerances are relative to it.
template <class Numbers>
double scale_of(const Numbers& numbers) {
  double most = 1;
  for (const auto x : numbers) most = std::max(most, std::abs(double{x}));
  return most;
}

/// The hint for a wrong gradient of a right result.
inline const std::string kResultIsRight =
    "the result is right, so look at the way back: the slope, or numbers that left the graph";

/// Prints both tensors: small ones whole, and the first differing numbers of large ones.
inline void print_both(const Tensor& got, const Tensor& expected) {
  if (got.shape() != expected.shape()) {
    std::cout << "shape: got " << got.shape() << ", expected " << expected.shape() << "\n";
  } else {
    std::cout << "the shape is right: " << got.shape() << "\n";
  }
  if (got.size() <= 60 && expected.size() <= 60) {
    std::cout << "got\n" << got << "\nexpected\n" << expected << "\n";
    return;
  }
  if (got.shape() != expected.shape()) return;
  Index different = 0;
  for (Index i = 0; i < got.size(); ++i) {
    const Scalar a = got.data()[i], b = expected.data()[i];
    if (is_near(a, b) || ++different > 4) continue;
    std::cout << "at offset " << i << ": got " << a << ", expected " << b << "\n";
  }
  std::cout << different << " of " << got.size() << " numbers differ\n";
}

/// Ends the check unless the result of the reader's function is the right result. The course finds
/// the likely cause in wrong.txt, by the numbers; `cause` is printed if it finds none.
inline void must_be_close(const std::string& what, const Tensor& got, const Tensor& expected,
                          const std::string& cause = "", double tolerance = 1e-4) {
  if (is_close(got, expected, tolerance)) return;
  std::cout << "RED    " << what << "\n";
  if (!got.defined()) {
    std::cout << "got nothing: a tensor that was never set\n";
    std::exit(1);
  }
  print_both(got, expected);
  must_be_finite(what, got);
  if (!cause.empty()) std::cout << "likely cause: " << cause << "\n";
  std::exit(1);
}

/// The same, and prints a step that passed.
inline void expect(const std::string& what, const Tensor& got, const Tensor& expected,
                   const std::string& cause = "", double tolerance = 1e-4) {
  must_be_close(what, got, expected, cause, tolerance);
  green(what);
}

/// The gradient of the reader's tensor x; no gradient counts as 0.
template <class AnyTensor>
Tensor gradient_of(const AnyTensor& x) {
  return x.grad().defined() ? as_library(x.grad()) : zeros(as_library(x).shape());
}

/// Ends the check unless the gradient of the reader's tensor x is `expected`.
template <class AnyTensor>
void gradient_must_be_close(const std::string& what, const AnyTensor& x, const Tensor& expected,
                            double tolerance = 1e-4) {
  const Tensor got = gradient_of(x);
  must_be_close(what, got, expected,
                is_close(got, zeros(expected.shape()), 0)
                    ? "it is cut: a detach(), numbers copied out of the graph, or NoGrad"
                    : kResultIsRight,
                tolerance);
}

/// The same, and prints a step that passed.
template <class AnyTensor>
void expect_gradient(const std::string& what, const AnyTensor& x, const Tensor& expected,
                     double tolerance = 1e-4) {
  gradient_must_be_close(what, x, expected, tolerance);
  green(what);
}

/// Compares two numbers, and prints nothing if they are near. The tolerance is relative to `right`
/// if `right` is above 1.
inline void expect_number(const std::string& what, double got, double right,
                          double tolerance = 1e-9, const std::string& cause = "") {
  if (std::abs(got - right) <= tolerance * std::max(1.0, std::abs(right))) return;
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, ": got %.12g, expected %.12g", got, right);
  red(what + numbers + likely(cause));
}

/// Numbers for a message, as [1 2 3]: the first 24, and how many there are.
template <class Numbers>
std::string listed(const Numbers& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < 24; ++i) {
    text += detail::text(i > 0 ? " " : "", numbers[i]);
  }
  return "[" + text +
         (numbers.size() > 24 ? detail::text(" ... ", numbers.size(), " in all]") : "]");
}

/// The message of the std::invalid_argument that `f` throws; nothing if it throws none.
template <class F>
std::optional<std::string> refusal(const F& f) {
  try {
    f();
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// Runs a check. An error that the library throws is red too, with its own message, and so is a
/// part of the reader's library that is not written yet.
inline int run_check(const std::function<void()>& check) {
  try {
    check();
  } catch (const std::logic_error& error) {
    const std::string said = error.what();
    red(said.starts_with("exercise ")
            ? said + "\nnot written yet: your lines take the place of the throw"
            : "the library says: " + said);
  } catch (const std::exception& error) {
    red(std::string("the library says: ") + error.what());
  }
  return 0;
}

}  // namespace gradus

/// Begins a check, in place of `int main()`: CHECK_ANSWER() { expect(...); }
#define CHECK_ANSWER()                                   \
  static void check_answer();                            \
  int main() { return gradus::run_check(check_answer); } \
  static void check_answer()
