// Exercise 04.5, 5 minutes: what a pass leaves behind.
//
// What will each of the five lines print?
#include <iostream>

#include "tutorials/pocket/ops.h"

using namespace pocket;

int main() {
  const Tensor x = tensor({1, 2, 3}).set_requires_grad();
  const Tensor square = x * x;
  backward(sum(square));
  std::cout << "after sum(square):           " << x.grad() << "\n";

  try {
    backward(sum(square * square));
    std::cout << "a pass through square again: no error\n";
  } catch (const std::invalid_argument& error) {
    std::cout << "a pass through square again: " << error.what() << "\n";
  }
  std::cout << "x.grad() now:                " << x.grad() << "\n";

  const Tensor copy = x.detach();
  backward(sum(copy * x));
  std::cout << "after sum(copy x):           " << x.grad() << "\n";
  std::cout << "copy copy has a graph:       " << ((copy * copy).requires_grad() ? "yes" : "no")
            << "\n";
}
