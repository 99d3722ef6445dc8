/// @file
/// Chapter 23's training on several ranks, and how far apart their weights are.
#pragma once

#include "shares.h"
#include "tutorials/23_several_machines/processes.h"

// [Plan]
struct Plan {
  int steps = 60;
  bool communicate = true;
  std::uint64_t start = 1;  // the seed of rank 0's weights
  bool same_start = true;   // otherwise each rank has the next seed
  AdamWOptions options = {};
  double clip = 1;  // largest norm of the mean gradient
  Sum sum = sum_in_order;
};
// [Plan]

// [together]
/// Trains on every rank. after_step(step, loss) gets the mean loss of all ranks.
inline void train_together(Ranks& ranks, const Tales& tales, Gpt& model, const Plan& plan,
                           const std::function<void(int, double)>& after_step) {
  AdamW optimiser(parameters(model), plan.options);
  const Schedule schedule{.rate = 5e-3, .floor = 5e-4, .warmup = 20, .decay = plan.steps};
  check(12 % ranks.size == 0, "12 rows do not divide into ", ranks.size, " shares");
  const Index share = 12 / ranks.size, first = ranks.rank * share;
  for (int step = 0; step < plan.steps; ++step) {
    const Batch all = random_batch(tales.train, 12, 32, {1, std::uint32_t(step)});
    const Batch own = rows(all, first, first + share);
    optimiser.zero_grad();
    const Tensor loss = model.loss(own.inputs, own.targets);
    backward(loss);
    if (plan.communicate) average(ranks, gradients(optimiser.parameters), plan.sum);
    optimiser.step(Scalar(schedule.at(step)), clip_scale(optimiser.gradient_norm(), plan.clip));
    average(ranks, {loss.detach()}, plan.sum);  // shares loss's memory: loss becomes the mean
    after_step(step, loss.item());
  }
}
// [together]

// [apart]
inline std::vector<Scalar> weights(Gpt& model) {
  std::vector<Scalar> all;
  for (const NamedTensor& x : parameters(model)) {
    all.insert(all.end(), x.tensor.begin(), x.tensor.end());
  }
  return all;
}

/// Returns the largest difference between the first two ranks' weights, on rank 0.
inline double apart(Ranks& ranks, Gpt& model) {
  const std::vector<Scalar> own = weights(model);
  std::vector<Scalar> other(own.size());
  if (ranks.rank == 1) ranks.transfer(0, own, 0, {});
  if (ranks.rank != 0 || ranks.size == 1) return 0;
  ranks.transfer(1, {}, 1, other);
  double most = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    most = std::max(most, std::abs(double{own[i]} - double{other[i]}));
  }
  return most;
}

struct Course {
  std::vector<double> losses, apart;  // of each step
};

inline Course course_of(const Tales& tales, int size, const Plan& plan) {
  Course seen;
  in_ranks(size, [&](Ranks& ranks) {
    Gpt model = small_gpt(tales, plan.start + (plan.same_start ? 0 : ranks.rank));
    train_together(ranks, tales, model, plan, [&](int, double loss) {
      seen.losses.push_back(loss), seen.apart.push_back(apart(ranks, model));
    });
  });
  return seen;
}
// [apart]

inline Course two(const Tales& tales) {
  const Part part("two");
  // [two]
  const Course one = course_of(tales, 1, {}), both = course_of(tales, 2, {});
  std::printf(
      "step  one process  two ranks  largest difference of rank 1's weights from rank 0's\n");
  for (const int step : {1, 20, 60}) {
    std::printf("%4d %12.4f %10.4f  %g\n", step, one.losses[step - 1], both.losses[step - 1],
                both.apart[step - 1]);
  }
  return both;
  // [two]
}

inline void death(const Tales& tales) {
  const Part part("death");
  // [death]
  try {
    in_ranks(2, [&](Ranks& ranks) {
      Gpt model = small_gpt(tales, 1);
      train_together(ranks, tales, model, {}, [&](int step, double loss) {
        if (ranks.rank == 0) std::printf("step %d  loss %.4f\n", step + 1, loss);
        if (ranks.rank == 1 && step == 1) std::raise(SIGKILL);  // as if it had crashed
      });
    });
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  // [death]
}
