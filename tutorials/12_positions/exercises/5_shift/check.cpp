#include "tutorials/common/check.h"

#include "tutorials/12_positions/exercises.h"

namespace {

void check_one(Index distance, Index channels) {
  const Tensor table = sinusoidal_table(340, channels), n = my_shift(distance, channels);
  if (n.shape() != Shape{channels, channels}) {
    gradus::red("my_shift must be [C, C] = ", Shape{channels, channels}, ", ",
                gradus::shape_got(n));
  }
  const Tensor start = slice(table, 0, 160, 180);
  gradus::expect(
      gradus::detail::text("positions 160 to 179, ", channels, " channels, moved by ", distance),
      gradus::as_library(matmul(start, n)),
      gradus::as_library(slice(table, 0, 160 + distance, 180 + distance)));
}

}  // namespace

CHECK_ANSWER() {
  check_one(1, 4);
  check_one(3, 16);
  check_one(0, 8);
  check_one(20, 64);
  check_one(-7, 16);
  check_one(150, 64);
  check_one(-90, 16);
}
