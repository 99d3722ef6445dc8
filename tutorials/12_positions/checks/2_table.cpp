#include <utility>

#include "nn/layers/position.h"
#include "tutorials/12_positions/exercises.h"
#include "tutorials/common/check.h"

namespace {

/// A table by some formula for the angle of column i at place t.
template <class Angle>
Tensor table_by(Index places, Index channels, Angle angle) {
  Tensor table(Shape{places, channels});
  for (Index t = 0; t < places; ++t) {
    for (Index i = 0; i < channels; ++i) {
      const double a = angle(static_cast<double>(t), static_cast<double>(i));
      table.mutable_data()[t * channels + i] =
          static_cast<Scalar>(i % 2 == 0 ? std::sin(a) : std::cos(a));
    }
  }
  return table;
}

/// The same table with the two columns of each pair changed.
Tensor cosine_first(const Tensor& table) {
  Tensor changed = table.clone();
  for (Index i = 0; i < changed.size(); i += 2) {
    std::swap(changed.mutable_data()[i], changed.mutable_data()[i + 1]);
  }
  return changed;
}

}  // namespace

int main() {
  return run_check([] {
    for (const auto& [places, channels] : {std::pair<Index, Index>{4, 6}, {50, 16}}) {
      const auto width = static_cast<double>(channels);
      const Tensor one_more = sinusoidal_table(places + 1, channels);
      expect(
          "table of " + std::to_string(places) + " places, " + std::to_string(channels) +
              " channels",
          my_sinusoids(places, channels), sinusoidal_table(places, channels),
          {{concatenated_sinusoidal_table(places, channels),
            "sines and cosines stand in halves; here they take turns"},
           {slice(one_more, 0, 1), "places are counted from 1; the first is place 0"},
           {table_by(places, channels,
                     [&](double t, double i) {
                       return t * std::pow(10000, 2 * std::floor(i / 2) / width);
                     }),
            "the minus of the exponent is missing: rates fall from pair to pair"},
           {cosine_first(sinusoidal_table(places, channels)),
            "the cosine stands before the sine; here the sine is first"},
           {table_by(places, channels,
                     [&](double t, double i) { return t / 10000 * 2 * std::floor(i / 2) / width; }),
            "the misprinted formula: 10000 is raised to the power 2k / channels"},
           {table_by(places, channels,
                     [&](double t, double i) { return t * std::pow(10000, -i / width); }),
            "each column has a rate of its own; a sine and its cosine share one"}});
    }
  });
}
