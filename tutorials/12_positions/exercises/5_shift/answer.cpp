// The columns of a block are the addition theorems: the first makes the new sine, the second the
// new cosine.
#include "tutorials/12_positions/exercises.h"

Tensor my_shift(Index distance, Index channels) {
  Tensor m = zeros({channels, channels});
  for (Index k = 0; k < channels / 2; ++k) {
    const double a = angle(distance, k, channels, 10000);
    Scalar* block = m.mutable_data() + 2 * k * channels + 2 * k;
    block[0] = Scalar(std::cos(a)), block[1] = Scalar(-std::sin(a));
    block[channels] = Scalar(std::sin(a)), block[channels + 1] = Scalar(std::cos(a));
  }
  return m;
}
