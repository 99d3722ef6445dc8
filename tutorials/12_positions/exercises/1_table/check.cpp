#include "pocket/position.h"
#include "tutorials/common/guards.h"

namespace {

using gradus::Index, gradus::Scalar;

void check_one(Index positions, Index channels, double base) {
  gradus::Tensor right({positions, channels});
  for (Index i = 0; i < right.size(); ++i) {
    const Index k = i % channels / 2;
    const double a =
        double(i / channels) * std::pow(base, -2.0 * double(k) / static_cast<double>(channels));
    right.mutable_data()[i] = Scalar(i % 2 ? std::cos(a) : std::sin(a));
  }
  gradus::expect(
      gradus::detail::text(positions, " positions, ", channels, " channels, base ", base),
      gradus::as_library(pocket::sinusoidal_table(positions, channels, base)), right, "", 1e-5);
}

}  // namespace

CHECK_ANSWER() {
  check_one(4, 6, 10000);
  check_one(50, 16, 10000);
  check_one(40, 8, 100);
  check_one(20, 128, 10000);
  check_one(7000, 64, 10000);
}
