#include "tutorials/common/check.h"

#include "tutorials/05_gradients_you_can_trust/exercises.h"

using namespace gradus;

namespace {

std::string text(const char* words, double x) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, words, x);
  return buffer;
}

void must_be(const std::string& what, const Function& f, double x, double h, double slope,
             double tolerance) {
  int calls = 0;
  double farthest = 0;
  const auto counted = [&](double at) {
    ++calls;
    farthest = std::max(farthest, std::abs(at - x));
    return f(at);
  };
  const double got = my_slope(counted, x, h);
  expect_number(what, got, slope, tolerance / std::max(1.0, std::abs(slope)));
  if (calls > 4) red(what, ": ", calls, " values of f, and 4 are enough");
  if (farthest > 2.0001 * h) {
    red(what, text(": f was asked %.3g away", farthest), text(", and 2 h is %.3g", 2 * h));
  }
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  must_be(
      "x^2 at 3, h = 0.5", [](double x) { return x * x; }, 3, 0.5, 6, 1e-9);
  must_be(
      "x^3 at 1, h = 0.5", [](double x) { return x * x * x; }, 1, 0.5, 3, 1e-9);
  must_be(
      "x^4 at -2, h = 0.25", [](double x) { return x * x * x * x; }, -2, 0.25, -32, 1e-9);
  must_be(
      "e^x at 0, h = 0.01", [](double x) { return std::exp(x); }, 0, 0.01, 1, 1e-8);
  must_be(
      "sin(x) at 0.7, h = 0.01", [](double x) { return std::sin(x); }, 0.7, 0.01, std::cos(0.7),
      1e-8);
  must_be(
      "1e4 x^3 at 10, h = 1", [](double x) { return 1e4 * x * x * x; }, 10, 1, 3e6, 1e-3);
  must_be(
      "1 / x at 2, h = 0.001", [](double x) { return 1 / x; }, 2, 0.001, -0.25, 1e-10);
}
