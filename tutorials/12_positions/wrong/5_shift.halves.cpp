// rejected: a pair's columns stand side by side
#include "tutorials/12_positions/exercises.h"

Tensor my_shift(Index distance, Index channels) {
  Tensor m = zeros({channels, channels});
  for (Index k = 0; k < channels / 2; ++k) {
    const double a = angle(distance, k, channels, 10000);
    Scalar* block = m.mutable_data() + k * channels + k;
    block[0] = Scalar(std::cos(a)), block[channels / 2] = Scalar(-std::sin(a));
    block[channels / 2 * channels] = Scalar(std::sin(a)),
                         block[channels / 2 * channels + channels / 2] = Scalar(std::cos(a));
  }
  return m;
}
