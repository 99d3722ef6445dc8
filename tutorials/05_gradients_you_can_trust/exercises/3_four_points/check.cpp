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
  const double near = (f(x + h) - f(x - h)) / (2 * h),
               far = (f(x + 2 * h) - f(x - 2 * h)) / (4 * h);
  const auto is = [&](double value) { return std::abs(got - value) <= tolerance; };
  if (!is(slope)) {
    std::string message = what + ": got " + text("%.9g", got) + text(", expected %.9g", slope);
    const char* cause = is(near)                   ? "that is the central difference with step h"
                        : is(far)                  ? "that is the central difference with step 2 h"
                        : is((4 * far - near) / 3) ? "both steps have changed places"
                        : is((near + far) / 2) ? "the errors are not equal and opposite, so a mean "
                                                 "does not cancel them"
                        : is((2 * near - far)) ? "with step 2 h the error is four times as large, "
                                                 "not twice"
                        : is(4 * near - far)   ? "4 parts less 1 are 3: divide by 3"
                                               : nullptr;
    red(message + (cause ? std::string("\nlikely cause: ") + cause : ""));
  }
  if (calls > 4) red(what + ": " + std::to_string(calls) + " values of f, and 4 are enough");
  if (farthest > 2.0001 * h) {
    red(what + text(": f was asked %.3g away", farthest) + text(", and 2 h is %.3g", 2 * h));
  }
  green(what);
}

}  // namespace

int main() {
  return run_check([] {
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
  });
}
