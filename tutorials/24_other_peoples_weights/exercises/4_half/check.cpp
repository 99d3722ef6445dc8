#include "tutorials/common/check.h"

#include <bit>
#include <cstdio>
#include <random>

#include "tutorials/24_other_peoples_weights/exercises.h"

using gradus::green, gradus::red;

namespace {

/// The value of a half without its sign, computed from the definition with multiplications. 0x7c00
/// counts as 65536: numbers nearest to it become infinite.
double value(int half) {
  const int exponent = half / 1024, fraction = half % 1024;
  double x = exponent == 0 ? fraction / 1024.0 : 1 + fraction / 1024.0;
  for (int i = exponent == 0 ? 1 : exponent; i < 15; ++i) x /= 2;
  for (int i = 15; i < exponent; ++i) x *= 2;
  return x;
}

/// The right half, from a search among all. If two are equally near, it is the even one.
int expected(float x) {
  if (std::isnan(x)) return 0x7e00;
  const int sign = std::signbit(x) ? 0x8000 : 0;
  int low = 0, high = 0x7c00;  // low is at most x
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (value(middle) <= std::abs(x) ? low : high) = middle;
  }
  const double below = std::abs(double{x}) - value(low), above = value(high) - std::abs(double{x});
  return sign + (below < above || (below == above && low % 2 == 0) ? low : high);
}

void check_numbers(const std::string& what, const std::vector<float>& numbers) {
  const std::vector<std::uint16_t> got = my_to_half(numbers);
  if (got.size() != numbers.size()) {
    red(what, ": ", got.size(), " halves, expected ", numbers.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const int right = expected(numbers[i]);
    if (got[i] == right) continue;
    if (std::isnan(numbers[i]) && (got[i] & 0x7fff) > 0x7c00) continue;
    char said[300];
    std::snprintf(said, sizeof said, "%s: %.9g is 0x%04x, got 0x%04x", what.c_str(),
                  double{numbers[i]}, right, unsigned{got[i]});
    red(said);
  }
  green(what);
}

/// From one half to another: the floats that lie the share `share` of the way to the next half.
std::vector<float> between(int first, int last, double share) {
  std::vector<float> numbers;
  for (int half = first; half < last; ++half) {
    numbers.push_back(float(value(half) + share * (value(half + 1) - value(half))));
  }
  return numbers;
}

/// The float beside each middle between two halves, on the side of `side`.
std::vector<float> close_to_half(int first, int last, float side) {
  std::vector<float> numbers = between(first, last, 0.5);
  for (float& x : numbers) x = std::nextafter(x, side);
  return numbers;
}

std::vector<float> negative(std::vector<float> numbers) {
  for (float& x : numbers) x = -x;
  return numbers;
}

/// Any bits, of both signs; of every second float the exponent is one that a half may have.
std::vector<float> any_bits(int count) {
  std::mt19937 random(24);
  std::vector<float> numbers;
  for (int i = 0; i < count; ++i) {
    std::uint32_t bits = random();
    if (i % 2 == 0) bits = (bits & 0x807fffff) | (100 + random() % 45) << 23;
    numbers.push_back(std::bit_cast<float>(bits));
  }
  return numbers;
}

}  // namespace

CHECK_ANSWER() {
  check_numbers("1", {1});
  check_numbers("what halves say exactly, from 2^-14 to 65504", between(0x0400, 0x7c00, 0));
  check_numbers("0", {0});
  check_numbers("what halves say exactly, below 2^-14", between(0, 0x0400, 0));
  for (const double share : {0.25, 0.75}) {
    check_numbers(share < 0.5 ? "a quarter of the way" : "three quarters of the way",
                  between(0x3c00, 0x3fff, share));
  }
  check_numbers("half of the way", between(0x3c00, 0x3fff, 0.5));
  check_numbers("from below to the next power of two", {1.9999f, 2047.9f, 3.9998f});
  check_numbers("from below to 2^-14", between(0x03ff, 0x0400, 0.75));
  for (const float side : {0.0f, 1e9f}) {
    check_numbers("close to half of the way", close_to_half(0x3c00, 0x3fff, side));
    check_numbers("close to half of the way, below 2^-14", close_to_half(0, 0x0400, side));
  }
  check_numbers("half of the way, below 2^-14", between(0, 0x0400, 0.5));
  check_numbers("smaller than any half", {1e-8f, 1e-30f, 1e-45f, 0x1p-25f});
  check_numbers("from 65504 to below 65520", {65504, 65505, 65519, 65519.996f});
  check_numbers("large", {65520, 65536, 1e5f, 3e38f});
  check_numbers("infinite", {INFINITY});
  for (const std::uint32_t bits : {0x7fc00000u, 0x7f800001u, 0xff800001u, 0x7fffffffu}) {
    check_numbers("not a number", {std::bit_cast<float>(bits)});
  }
  check_numbers("negative ones", negative(between(0x0001, 0x7c00, 0)));
  check_numbers("negative, near the largest", {-65519, -65520});
  check_numbers("-0", {-0.0f});
  check_numbers("negative, infinite and tiny", {-INFINITY, -1e6f, -1e-30f});
  check_numbers("none", {});
  for (const float side : {0.0f, 1e9f}) {
    const std::vector<float> close = close_to_half(0, 0x7c00, side);
    check_numbers("all that are close to half of the way", close);
    check_numbers("all negative ones that are", negative(close));
  }
  check_numbers("ten thousand floats of random bits", any_bits(10000));
  for (const double share : {0.1, 0.4999, 0.5, 0.5001, 0.9}) {
    check_numbers("all halves, " + std::to_string(share).substr(0, 6) + " of the way",
                  between(0, 0x7c00, share));
    check_numbers("all negative ones, " + std::to_string(share).substr(0, 6) + " of the way",
                  negative(between(0, 0x7c00, share)));
  }
}
