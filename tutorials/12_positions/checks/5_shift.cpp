#include "tutorials/12_positions/exercises.h"
#include "tutorials/common/check.h"

namespace {

void check_one(Index distance, Index channels) {
  const Tensor table = sinusoidal_table(340, channels), n = my_shift(distance, channels);
  if (n.shape() != Shape{channels, channels}) {
    gradus::red("my_shift must be [C, C] = [" + std::to_string(channels) + ", " +
                std::to_string(channels) + "], " + gradus::shape_got(n));
  }
  const Tensor start = slice(table, 0, 160, 180);
  const auto library = [](const Tensor& x) { return gradus::as_library(x); };
  const auto turned = [&](const auto& angle_of) {
    Tensor y(start.shape());
    for (Index i = 0; i < y.size(); i += 2) {
      const double a = angle_of(i % channels / 2), s = start.data()[i], c = start.data()[i + 1];
      y.mutable_data()[i] = Scalar(s * std::cos(a) + c * std::sin(a));
      y.mutable_data()[i + 1] = Scalar(c * std::cos(a) - s * std::sin(a));
    }
    return library(y);
  };
  gradus::expect(
      "positions 160 to 179, " + std::to_string(channels) + " channels, moved by " +
          std::to_string(distance),
      library(matmul(start, n)), library(slice(table, 0, 160 + distance, 180 + distance)),
      {{library(slice(table, 0, 160 - distance, 180 - distance)),
        "it moves the other way: rows come from the left, so N is the page's M transposed"},
       {turned([&](Index) { return double(distance); }),
        "all pairs turn by the same angle: pair k turns by distance w_k"},
       {library(zeros(start.shape())), "the matrix is all zeros"}},
      1e-4);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_one(1, 4);
    check_one(3, 16);
    check_one(0, 8);
    check_one(20, 64);
    check_one(-7, 16);
    check_one(150, 64);
    check_one(-90, 16);
  });
}
