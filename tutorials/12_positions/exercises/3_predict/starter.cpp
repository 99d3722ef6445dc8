// Exercise 12.3, 5 minutes: nearer, and less alike.
//
// The dot product of two positions' vectors, against their distance. Before you run it: does it
// fall at every step? Where is it smallest, and is it ever below 0? Then try other numbers of
// channels, and another base as the third argument.
#include <cstdio>

#include "tutorials/pocket/position.h"

using namespace pocket;

int main() {
  for (const Index channels : {2, 8, 64}) {
    const Tensor p = sinusoidal_table(13, channels), products = matmul(p, p, {.b = true});
    std::printf("%2d channels:", static_cast<int>(channels));
    for (Index d = 0; d < 13; ++d) std::printf(" %6.2f", double{products.data()[d]});
    std::printf("\n");
  }
}
