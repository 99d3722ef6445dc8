// Exercise 05.5, 5 minutes: a step of 1.
//
// The checker compares right gradients at x = 3 with central differences whose step is 1, five
// orders of magnitude too large. Which of the three pass?
#include <cstdio>

#define GRADUS_DOUBLE
#include "tutorials/pocket/gradcheck.h"

using namespace pocket;

int main() {
  const auto say = [](const char* name, const TensorFunction& f) {
    try {
      check_gradient_at(f, {scalar(3)}, {.step = 1});
      std::printf("%-10s passes\n", name);
    } catch (const std::invalid_argument& error) {
      std::printf("%-10s %s\n", name, error.what());
    }
  };
  say("x * x", [](const auto& x) { return x[0] * x[0]; });
  say("x * x * x", [](const auto& x) { return x[0] * x[0] * x[0]; });
  say("tanh", [](const auto& x) { return tanh(x[0]); });
}
