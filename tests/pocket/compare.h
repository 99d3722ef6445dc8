/// @file
/// The comparison of the two engines' results.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "results.h"

/// Differences are relative to the largest number of a result, or to 1.
inline void compare(const std::vector<Result>& got, const std::vector<Result>& expected,
                    double tolerance) {
  REQUIRE(got.size() == expected.size());
  REQUIRE(!got.empty());
  for (std::size_t k = 0; k < got.size(); ++k) {
    const std::vector<double>&a = got[k].numbers, &b = expected[k].numbers;
    CAPTURE(got[k].name);
    REQUIRE(got[k].name == expected[k].name);
    REQUIRE(a.size() == b.size());
    double largest = 1, difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      largest = std::max(largest, std::abs(b[i]));
      // Not std::max, which would ignore a NaN.
      if (!(std::abs(a[i] - b[i]) <= difference)) difference = std::abs(a[i] - b[i]);
    }
    CHECK(difference <= tolerance * largest);
  }
}
