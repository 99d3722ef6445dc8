/// @file
/// Trains a model in checks of exercises, for at most 45 seconds.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)  // checks are built without -O
#pragma GCC optimize("O3", "inline", "inline-functions", "inline-small-functions")
#endif

#include <chrono>
#include <cstdio>

#include "tutorials/20_one_model_many_tasks/exercises.h"
#include "tutorials/20_one_model_many_tasks/rows.h"
#include "tutorials/common/check.h"

/// Trains as tasks::learn() does, and gives up after 45 seconds in all.
class Trainer {
 public:
  void learn(Gpt& model, int steps, const auto& loss_of) const {
    tasks::learn(model, steps, [&](int step) {
      if (std::chrono::steady_clock::now() > end_) throw TooSlow();
      return loss_of(step);
    });
  }
  /// Calls f(trainer), and prints a line if it gives up.
  static void run(const auto& f) {
    try {
      f(Trainer());
    } catch (const TooSlow&) {
      std::printf("not done after 45 s: check again when this machine has less to do\n");
    }
  }

 private:
  struct TooSlow {};
  std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(45);
};
