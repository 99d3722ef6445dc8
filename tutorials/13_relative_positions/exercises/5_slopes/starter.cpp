// Exercise 13.5: how far a head of ALiBi sees.
//
// All dot products are 0, and the last of 512 positions attends to all. Before you run it: how far
// back must you go in each of 8 heads to collect half of the attention weight?
#include <cstdio>

#include "tutorials/pocket/position.h"

using namespace pocket;

int main() {
  const int heads = 8;
  const Index length = 512;
  const Tensor weights = softmax(alibi_bias(heads, 1, length));  // [H, 1, S]
  for (int h = 0; h < heads; ++h) {
    Index back = 0;
    for (Scalar seen = 0; seen < 0.5; ++back) {
      seen += weights.data()[(h + 1) * length - 1 - back];
    }
    std::printf("head %d, slope %.4f: half of the weight is on the last %d positions\n", h + 1,
                std::exp2(-8.0 * (h + 1) / heads), static_cast<int>(back));
  }
}
