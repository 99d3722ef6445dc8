// rejected: sines and cosines stand in halves
#include "tutorials/12_positions/exercises.h"

Tensor my_sinusoids(Index places, Index channels) {
  Tensor table(Shape{places, channels});
  for (Index t = 0; t < places; ++t) {
    for (Index k = 0; k < channels / 2; ++k) {
      const double exponent = -2.0 * static_cast<double>(k) / static_cast<double>(channels);
      const double angle = static_cast<double>(t) * std::pow(10000.0, exponent);
      table.mutable_data()[t * channels + k] = static_cast<Scalar>(std::sin(angle));
      table.mutable_data()[t * channels + channels / 2 + k] = static_cast<Scalar>(std::cos(angle));
    }
  }
  return table;
}
