// Exercise 03.2, 5 minutes: what the leaves hold.
//
// Three results of one leaf. Before each line is printed: what does a's grad hold?
#include <cstdio>

#include "tutorials/03_reverse_mode/engine.h"

using namespace engine;

int main() {
  const Value a = number(3);
  const Value square = a * a;
  backward(square);
  std::printf("after backward(a a):         %g\n", a->grad);

  const Value nothing = a - a;
  backward(nothing);
  std::printf("then backward(a - a):        %g\n", a->grad);

  const Value sum = square + square;
  backward(sum);
  std::printf("then backward(a a + a a):    %g\n", a->grad);

  a->grad = 0;
  backward(square * sum);
  std::printf("set to 0, then the product:  %g\n", a->grad);
}
