#include "tutorials/common/check.h"

#include "pocket/position.h"
#include "tutorials/common/guards.h"

namespace {

using gradus::Index;
using gradus::Scalar;

/// A table by some formula for the element of column i at position t.
template <class Value>
gradus::Tensor table_by(Index positions, Index channels, Value value) {
  gradus::Tensor table(gradus::Shape{positions, channels});
  for (Index i = 0; i < table.size(); ++i) {
    table.mutable_data()[i] = Scalar(value(double(i / channels), i % channels));
  }
  return table;
}

void check_one(Index positions, Index channels, double base) {
  const double width = double(channels);
  const auto rate = [=](Index k) { return std::pow(base, -2.0 * double(k) / width); };
  const auto by = [=](auto value) { return table_by(positions, channels, value); };
  const auto right = [=](double t, Index i) {
    return i % 2 ? std::cos(t * rate(i / 2)) : std::sin(t * rate(i / 2));
  };
  gradus::expect(
      std::to_string(positions) + " positions, " + std::to_string(channels) + " channels, base " +
          std::to_string(int(base)),
      gradus::as_library(pocket::sinusoidal_table(positions, channels, base)), by(right),
      {{by([=](double t, Index i) {
          const Index half = channels / 2;
          return i < half ? std::sin(t * rate(i)) : std::cos(t * rate(i - half));
        }),
        "sines and cosines are in halves; here they alternate"},
       {by([=](double t, Index i) { return right(t + 1, i); }), "the first position is 0, not 1"},
       {by([=](double t, Index i) {
          return i % 2 ? std::sin(t * rate(i / 2)) : std::cos(t * rate(i / 2));
        }),
        "the cosine comes before the sine"},
       {by([=](double t, Index i) {
          const double a = t / base * 2 * double(i / 2) / width;
          return i % 2 ? std::cos(a) : std::sin(a);
        }),
        "the misprint: the base is raised to the power 2k / channels"},
       {by([=](double t, Index i) {
          const double a = t * std::pow(base, -double(i) / width);
          return i % 2 ? std::cos(a) : std::sin(a);
        }),
        "each column has an angle of its own; a sine and its cosine share one"},
       {by([=](double t, Index i) {
          const float a = float(t * rate(i / 2));
          return i % 2 ? std::cos(a) : std::sin(a);
        }),
        "the angle is a float: at large positions too few of its digits are left; keep the double"},
       {by([=](double t, Index i) {
          return i % 2 ? std::cos(t * rate(i)) : std::sin(t * rate(i));
        }),
        "the pair of column i is number i / 2"},
       {by([=](double t, Index i) {
          const double a = t / rate(i / 2);
          return i % 2 ? std::cos(a) : std::sin(a);
        }),
        "the minus of the exponent is missing: angles grow more slowly from pair to pair"},
       {by([=](double t, Index i) { return std::sin(t * rate(i / 2)); }),
        "sines only: the odd columns are cosines"},
       {by([=](double t, Index i) { return std::cos(t * rate(i / 2)); }),
        "cosines only: the even columns are sines"},
       {table_by(positions, channels / 2, [=](double t, Index k) { return std::sin(t * rate(k)); }),
        "half the width: each pair has two columns, a sine and a cosine"},
       {by([=](double t, Index i) {
          const double a = double(i / 2) * rate(Index(t));
          return i % 2 ? std::cos(a) : std::sin(a);
        }),
        "position and pair have changed places in angle(position, pair, ...)"},
       {table_by(positions, channels,
                 [=](double t, Index i) {
                   const Index at = Index(t) * channels + i;
                   return right(double(at / positions), i);
                 }),
        "the position of element i is i / channels, not i / positions"}},
      1e-5);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_one(4, 6, 10000);
    check_one(50, 16, 10000);
    check_one(40, 8, 100);
    check_one(20, 128, 10000);
    check_one(7000, 64, 10000);
  });
}
