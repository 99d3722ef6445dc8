// rejected: the misprinted formula
#include "tutorials/12_positions/exercises.h"

Tensor my_sinusoids(Index places, Index channels) {
  Tensor table(Shape{places, channels});
  for (Index t = 0; t < places; ++t) {
    for (Index k = 0; k < channels / 2; ++k) {
      const double angle = static_cast<double>(t) / 10000 * 2 * static_cast<double>(k) /
                           static_cast<double>(channels);
      table.mutable_data()[t * channels + 2 * k] = static_cast<Scalar>(std::sin(angle));
      table.mutable_data()[t * channels + 2 * k + 1] = static_cast<Scalar>(std::cos(angle));
    }
  }
  return table;
}
