/// @file
/// Measures times, for chapters that compare them.
#pragma once

#include <algorithm>
#include <chrono>

namespace course {

/// The shortest of `times` runs, in seconds: other load on the machine can only make a run longer.
template <class Work>
double shortest_seconds(int times, Work&& work) {
  double shortest = 1e9;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    shortest = std::min(shortest, taken.count());
  }
  return shortest;
}

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}
