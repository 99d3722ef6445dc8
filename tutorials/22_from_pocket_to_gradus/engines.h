/// @file
/// The interface between both halves of the program: one on pocket, one on gradus.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// The size of a GPT, and the number and length of its rows.
struct Sizes {
  int layers = 2, channels = 64, heads = 4, rows = 16, length = 32;
};

/// One step of training. Returns the loss.
using Step = std::function<double()>;

/// The step of exercise 22.3, with line A, B or C changed, or with '-'.
Step step_with_line(char line);

/// Options of gradus that can be switched off.
struct GradusWith {
  int threads = 1;
  bool fused = true;  ///< ops that do several in one loop
};
Step gradus_step(const Sizes& sizes, const GradusWith& with = {});

/// Counts of the work in one step of gradus.
struct Work {
  double operations, ops, pieces, megabytes;
};
Work gradus_work(const Sizes& sizes);

/// A step calls this after work outside of ops, so that a clock can measure it.
inline std::function<void(const char* name)> passed = [](const char*) {};

/// The time of a step in each op, forward and backward, in ms.
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

/// An op on tensors of the model's sizes, and the least work that it must do.
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
