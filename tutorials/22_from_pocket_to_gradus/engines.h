/// @file
/// What both halves of the program know of each other: the one on pocket, and the one on gradus.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// A GPT of this size learns from so many rows of this length.
struct Sizes {
  int layers = 2, channels = 64, heads = 4, rows = 16, length = 32;
};

/// One step of training. Returns the loss.
using Step = std::function<double()>;

/// The step of exercise 22.3, with line A, B or C changed, or with '-'.
Step step_with_line(char line);

/// What gradus can do without.
struct GradusWith {
  int threads = 1;
  bool fused = true;  ///< ops that do several in one loop
};
Step gradus_step(const Sizes& sizes, const GradusWith& with = {});

/// What one step of gradus does, counted.
struct Work {
  double operations, ops, pieces, megabytes;
};
Work gradus_work(const Sizes& sizes);

/// A step says here what it has just done, beside ops: a clock may listen.
inline std::function<void(const char* name)> passed = [](const char*) {};

/// What a step spends in each op, forward and backward, in ms.
using Spent = std::map<std::string, double>;
inline double sum_of(const Spent& spent) {
  double sum = 0;
  for (const auto& [op, ms] : spent) sum += ms;
  return sum;
}
inline void keep_faster(Spent& best, const Spent& now) {
  if (best.empty() || sum_of(now) < sum_of(best)) best = now;
}
std::function<Spent()> gradus_spent(const Sizes& sizes);

/// An op on numbers of the size of the model's, and what it must do at least.
struct Measured {
  std::string name;
  double operations, bytes;  // each array counted once
  std::function<void()> run;
};
std::vector<Measured> gradus_ops();

/// Attention over T positions, forward and backward, as gradus's own op.
std::function<void()> gradus_attention(int length);
/// The most memory, in MB, that gradus's tensors take at one time while f runs.
double gradus_most(const std::function<void()>& f);
