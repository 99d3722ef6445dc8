#include "tutorials/common/check.h"

#include "tutorials/12_positions/exercises.h"

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
  // Both sines of a block with one sign.
  const auto both_signs = [&](double sign) {
    Tensor y(start.shape());
    for (Index i = 0; i < y.size(); i += 2) {
      const double a = angle(distance, i % channels / 2, channels, 10000);
      const double s = start.data()[i], c = start.data()[i + 1];
      y.mutable_data()[i] = Scalar(s * std::cos(a) + sign * c * std::sin(a));
      y.mutable_data()[i + 1] = Scalar(c * std::cos(a) + sign * s * std::sin(a));
    }
    return library(y);
  };
  // The blocks as if all sines came first, and then all cosines.
  const auto halves = [&] {
    Tensor y(start.shape());
    const Index half = channels / 2;
    for (Index i = 0; i < y.size(); ++i) {
      const Index k = i % channels % half;
      if (i % channels >= half) continue;
      const double a = angle(distance, k, channels, 10000), s = start.data()[i],
                   c = start.data()[i + half];
      y.mutable_data()[i] = Scalar(s * std::cos(a) + c * std::sin(a));
      y.mutable_data()[i + half] = Scalar(c * std::cos(a) - s * std::sin(a));
    }
    return library(y);
  };
  gradus::expect(
      "positions 160 to 179, " + std::to_string(channels) + " channels, moved by " +
          std::to_string(distance),
      library(matmul(start, n)), library(slice(table, 0, 160 + distance, 180 + distance)),
      {{library(slice(table, 0, 160 - distance, 180 - distance)),
        distance < 0 ? "forward is right, and back is not: keep the sign of `distance`"
                     : "it moves the other way: rows come from the left, so N is the page's M "
                       "transposed"},
       {library(start), "nothing has moved: is N the identity?"},
       {turned([&](Index k) { return angle(distance, k + 1, channels, 10000); }),
        "pair k has the angle of the next pair: the first pair is number 0"},
       {turned([&](Index k) { return angle(distance, 2 * k, channels, 10000); }),
        "k counts pairs, not columns: the pair of columns 2k and 2k + 1 is number k"},
       {both_signs(1), "both sines have the same sign: one of them is -sin"},
       {both_signs(-1), "both sines have the same sign: one of them is +sin"},
       {halves(), "a pair's columns stand side by side, 2k and 2k + 1, not half a row apart"},
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
