/// @file
/// Chapter 23: copies that are not equal, which the sum of gradients does not repair.
#pragma once

#include "together.h"
#include "tutorials/23_several_machines/figures.h"

// [own_first]
/// Every rank adds all others' numbers to its own.
inline void own_first(Ranks& ranks, std::span<Scalar> numbers) {
  const std::vector<Scalar> own(numbers.begin(), numbers.end());
  std::vector<Scalar> arrived(own.size());
  for (int k = 1; k < ranks.size; ++k) {
    const int to = (ranks.rank + k) % ranks.size, from = (ranks.rank + ranks.size - k) % ranks.size;
    ranks.transfer(to, own, from, arrived);
    for (std::size_t i = 0; i < own.size(); ++i) numbers[i] += arrived[i];
  }
}
// [own_first]

// [own_norms]
/// The factor with which a rank would clip its own gradient. The loss, one number, is not
/// clipped.
inline Scalar own_scale(std::span<const Scalar> numbers) {
  double squares = 0;
  for (const Scalar x : numbers) squares += double{x} * x;
  return numbers.size() == 1 ? 1 : clip_scale(std::sqrt(squares), 1);
}

/// Each rank clips its own gradient; then all add up.
inline void clip_then_sum(Ranks& ranks, std::span<Scalar> numbers) {
  const Scalar scale = own_scale(numbers);
  for (Scalar& x : numbers) x *= scale;
  sum_in_order(ranks, numbers);
}

/// All add up; then each rank clips the sum with the factor for its own gradient.
inline void sum_then_own_scale(Ranks& ranks, std::span<Scalar> numbers) {
  const Scalar scale = own_scale(numbers);
  sum_in_order(ranks, numbers);
  for (Scalar& x : numbers) x *= scale;
}

/// All add up; then rank 1 takes half of the sum.
inline void sum_then_half(Ranks& ranks, std::span<Scalar> numbers) {
  sum_in_order(ranks, numbers);
  if (ranks.rank == 0 || numbers.size() == 1) return;
  for (Scalar& x : numbers) x /= 2;
}
// [own_norms]

// [drift]
inline void print_drift_head() {
  std::printf("largest difference of weights after   1 step   60 steps   loss\n");
}

inline Curve print_drift(const char* what, const Course& seen) {
  std::printf("%-34s %9.2e %10.2e %6.2f\n", what, seen.apart[0], seen.apart[59], seen.losses[59]);
  return {what, seen.apart};
}

inline void drift(const Tales& tales, const Course& both) {
  const Part part("drift");
  print_drift_head();
  std::vector<Curve> curves = {print_drift("2 ranks, sum in order", both)};
  const auto row = [&](const char* what, int size, const Plan& plan) {
    curves.push_back(print_drift(what, course_of(tales, size, plan)));
  };
  row("3 ranks, sum in order", 3, {});
  row("3 ranks, ring_sum", 3, {.sum = ring_sum});
  row("3 ranks, each adds to its own", 3, {.sum = own_first});
  row("2 ranks, no sum", 2, {.communicate = false});
  row("2 ranks, different starts", 2, {.same_start = false});
  print_drift("  and no sum", course_of(tales, 2, {.communicate = false, .same_start = false}));
  row("2 ranks, scaled by own norms", 2, {.clip = 1e9, .sum = sum_then_own_scale});
  draw_drift(curves);
}

inline void drift_more(const Tales& tales) {
  const Part part("drift_more");
  print_drift_head();
  const auto row = [&](const char* what, const Plan& plan) {
    print_drift(what, course_of(tales, 2, plan));
  };
  row("2 ranks, each adds to its own", {.sum = own_first});
  row("2 ranks, clipped before the sum", {.clip = 1e9, .sum = clip_then_sum});
  row("different starts, no weight decay", {.same_start = false, .options = {.weight_decay = 0}});
  row("2 ranks, not clipped", {.clip = 1e9});
  row("  and rank 1 takes half", {.clip = 1e9, .sum = sum_then_half});
  std::printf("%-34s %27.2f\n", "1 rank, the other start",
              course_of(tales, 1, {.start = 2}).losses[59]);
}

inline void starts(const Tales& tales) {
  const Part part("starts");
  std::printf("seeds of the starts   loss: sum   no sum   first start alone\n");
  for (const std::uint64_t start : {1, 3, 5, 7, 9, 11}) {
    const Plan sum{.start = start, .same_start = false};
    const Plan none{.communicate = false, .start = start, .same_start = false};
    std::printf("%8d and %2d %13.2f %8.2f %19.2f\n", int(start), int(start) + 1,
                course_of(tales, 2, sum).losses[59], course_of(tales, 2, none).losses[59],
                course_of(tales, 1, {.start = start}).losses[59]);
  }
}
// [drift]
