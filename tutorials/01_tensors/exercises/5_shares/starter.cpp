// Exercise 01.5: Shares of a whole
#include <iostream>

#include "tutorials/pocket/tensor.h"

using namespace pocket;

int main() {
  const Tensor x = tensor({{1, 1, 2}, {2, 2, 4}, {8, 4, 4}});
  const Tensor sums = tensor({4, 8, 16});  // of the rows of x
  std::cout << elementwise("div", x, sums, std::divides<>()) << "\n";
  const Tensor column(sums, {3, 1});
  std::cout << elementwise("div", x, column, std::divides<>()) << "\n";
}
