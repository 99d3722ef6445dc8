/// @file
/// Chapter 23's long run: means of weights, and larger batches, in place of a sum in each step.
#pragma once

#include <bit>

#include "drift.h"

// [bits]
/// The nearest bfloat16: the upper 16 bits of a float.
inline Scalar to_bfloat16(Scalar x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<Scalar>((bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u);
}

/// Sends every number, a rank's own or a sum, as a bfloat16; adds in floats.
inline void sum_in_16_bits(Ranks& ranks, std::span<Scalar> numbers) {
  for (Scalar& x : numbers) x = to_bfloat16(x);
  sum_in_order(ranks, numbers);
  for (Scalar& x : numbers) x = to_bfloat16(x);
}
// [bits]

// [local]
struct Local {
  int ranks = 4, rows = 4, steps = 400;  // rows for each rank: 16 for all
  double rate = 5e-3;
  int warmup = 60;         // steps
  int every = 0;           // steps between two averages of weights; 0: gradients are averaged
  Sum sum = sum_in_order;  // of the gradients
  bool outer = false;      // DiLoCo's step on the averages
  bool same_start = true;
  double most_norm = 1;  // for clipping
  bool rate_falls = true;
  bool mean_state = false;  // averages m and v with the weights
  bool own_step = false;    // each rank steps with its own gradient, and with
  bool mean_v = false;      // v of the mean gradient
  bool mean_clip = false;   // the clipping factor of the mean gradient
};

inline std::vector<Tensor> handles(Gpt& model) {
  std::vector<Tensor> list;
  for (const NamedTensor& x : parameters(model)) list.push_back(x.tensor);
  return list;
}

/// DiLoCo: the ranks' mean movement is a gradient for SGD with Nesterov's momentum.
inline void outer_step(Gpt& model, std::vector<Scalar>& before, std::vector<Scalar>& velocity) {
  std::size_t i = 0;
  for (Tensor& x : handles(model)) {
    for (Scalar* w = x.mutable_data(); w != x.end(); ++w, ++i) {
      const Scalar moved = before[i] - *w;
      velocity[i] = Scalar(0.9) * velocity[i] + moved;
      *w = before[i] -= Scalar(0.7) * (moved + Scalar(0.9) * velocity[i]);
    }
  }
}

/// Replaces AdamW's m and v by their means over all ranks.
inline void average_state(Ranks& ranks, AdamW& optimiser) {
  std::vector<Scalar> all;
  for (const auto& of_tensor : optimiser.moments) {
    for (const auto& [m, v] : of_tensor) all.push_back(m), all.push_back(v);
  }
  sum_in_order(ranks, all);
  const Scalar* next = all.data();
  for (auto& of_tensor : optimiser.moments) {
    for (auto& [m, v] : of_tensor) {
      m = *next++ / Scalar(ranks.size), v = *next++ / Scalar(ranks.size);
    }
  }
}

/// AdamW's step with this rank's own gradient; v and clipping may come from the mean gradient.
inline void own_step(Ranks& ranks, AdamW& optimiser, const Local& local, double learning_rate) {
  std::vector<Scalar> mean;  // of the ranks' gradients, which stay unchanged
  for (const Tensor& x : gradients(optimiser.parameters))
    mean.insert(mean.end(), x.begin(), x.end());
  sum_in_order(ranks, mean);
  double squares = 0;
  for (Scalar& g : mean) g /= Scalar(ranks.size), squares += double{g} * g;
  const Scalar clip =
      clip_scale(local.mean_clip ? std::sqrt(squares) : optimiser.gradient_norm(), local.most_norm);
  const AdamWOptions& options = optimiser.options;
  const Scalar beta1 = Scalar(options.beta1), beta2 = Scalar(options.beta2);
  ++optimiser.steps;
  const Scalar rate = Scalar(learning_rate / (1 - std::pow(options.beta1, optimiser.steps)));
  const Scalar root = Scalar(1 / std::sqrt(1 - std::pow(options.beta2, optimiser.steps)));
  const Scalar* of_mean = mean.data();
  for (std::size_t k = 0; k < optimiser.parameters.size(); ++k) {
    Tensor& x = optimiser.parameters[k].tensor;
    const Scalar decay = Scalar(x.rank() > 1 ? learning_rate * options.weight_decay : 0);
    const Scalar* own = x.grad().data();
    Scalar* w = x.mutable_data();
    optimiser.moments[k].resize(x.size());
    for (auto& [m, v] : optimiser.moments[k]) {
      const Scalar g = *own++ * clip, h = *of_mean++ * clip, squared = local.mean_v ? h * h : g * g;
      m = beta1 * m + (1 - beta1) * g, v = beta2 * v + (1 - beta2) * squared;
      *w -= decay * *w + rate * m / (std::sqrt(v) * root + Scalar(options.epsilon)), ++w;
    }
  }
}

/// The held-out loss after a training in which each rank draws its own rows. `distances` gets, for
/// each step, the distance between rank 0's and rank 1's weights before a mean.
inline double local_loss(const Tales& tales, const Local& local, std::uint64_t seed,
                         std::vector<double>* distances = nullptr) {
  double loss = 0;
  const auto work = [&](Ranks& ranks) {
    Gpt model = small_gpt(tales, local.same_start ? seed : 100 * seed + ranks.rank);
    AdamW optimiser(parameters(model), {});
    const double floor = local.rate_falls ? local.rate / 10 : local.rate;
    const Schedule schedule{local.rate, floor, local.warmup, local.steps};
    std::vector<Scalar> before = weights(model), velocity(before.size());
    for (int step = 0; step < local.steps; ++step) {
      const RandomKey key{seed * 100 + ranks.rank, std::uint32_t(step)};
      const auto [inputs, targets] = random_batch(tales.train, local.rows, 32, key);
      optimiser.zero_grad();
      backward(model.loss(inputs, targets));
      if (local.every == 0) average(ranks, gradients(optimiser.parameters), local.sum);
      const Scalar clip = clip_scale(optimiser.gradient_norm(), local.most_norm);
      if (local.own_step) own_step(ranks, optimiser, local, schedule.at(step));
      if (!local.own_step) optimiser.step(Scalar(schedule.at(step)), clip);
      if (distances != nullptr) distances->push_back(apart(ranks, model));
      if (local.every == 0 || (step + 1) % local.every != 0) continue;
      average(ranks, handles(model), sum_in_order);
      if (local.mean_state) average_state(ranks, optimiser);
      if (local.outer) outer_step(model, before, velocity);
    }
    if (ranks.rank == 0) loss = mean_loss(tales.held_out, 32, model);
  };
  in_ranks(local.ranks, work, 3600);
  return loss;
}
// [local]

// [between]
inline void between(const Tales& tales) {
  const Part part("between");
  for (const int every : {10, 50, 400}) {
    std::vector<double> distances;
    local_loss(tales, {.every = every}, 1, &distances);
    std::printf("%d:", every);
    for (const double x : distances) std::printf(" %.3f", x);
    std::printf("\n");
  }
}

/// The highest point in each 50 steps, with a mean at their end.
inline void teeth(const Tales& tales) {
  const Part part("teeth");
  for (const bool falls : {true, false}) {
    std::vector<double> seen;
    local_loss(tales, {.every = 50, .rate_falls = falls}, 1, &seen);
    std::printf(falls ? "rate falls   " : "rate constant");
    for (auto at = seen.begin(); at != seen.end(); at += 50) {
      std::printf(" %.3f", *std::max_element(at, at + 50));
    }
    std::printf("\n");
  }
}
// [between]

// [long]
/// A way to train, and its losses at the rates x 1, x 2 and x 4.
struct Way {
  const char* how;
  int sums;
  Local local;
  std::vector<std::vector<double>> losses = {};  // of five seeds each
};

inline double mean_of(const std::vector<double>& losses) {  // as printed
  const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / double(losses.size());
  return std::round(mean * 1000) / 1000;
}

/// Prints a setting's loss, the mean of five seeds, and returns the five losses.
inline std::vector<double> print_row(const Tales& tales, const char* what, const Local& local) {
  std::vector<double> losses;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    losses.push_back(local_loss(tales, local, seed));
  }
  const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
  std::printf("%-36s %.3f  %.3f to %.3f\n", what, mean_of(losses), *least, *most);
  return losses;
}

/// Prints how much of the gap between the last way and the first each way closes at best.
inline void print_kept(const std::vector<Way>& ways) {
  const Part part("kept");
  const auto best = [](const Way& way) {
    const auto less = [](const auto& a, const auto& b) { return mean_of(a) < mean_of(b); };
    return *std::min_element(way.losses.begin(), way.losses.end(), less);
  };
  const auto most = best(ways.front()), alone = best(ways.back());
  const auto kept = [](double way, double most, double alone) {
    return 100 * (alone - way) / (alone - most);
  };
  std::printf("                  sums   rate x 1    x 2     x 4    kept  five seeds, %%\n");
  for (const Way& way : ways) {
    std::printf("%-17s %4d   ", way.how, way.sums);
    for (std::size_t i = 0; i < 3; ++i) {
      i < way.losses.size() ? std::printf("%8.3f", mean_of(way.losses[i])) : std::printf("%8s", "");
    }
    std::printf("%7.0f%%", kept(mean_of(best(way)), mean_of(most), mean_of(alone)));
    std::vector<double> each;  // each seed, compared with the same seed of the other two
    for (std::size_t i = 0; i < 5; ++i) each.push_back(kept(best(way)[i], most[i], alone[i]));
    const auto [least, greatest] = std::minmax_element(each.begin(), each.end());
    *greatest - *least > 0.5 ? std::printf("%6.0f to %.0f\n", *least, *greatest)
                             : std::printf("\n");
  }
}

inline void causes(const Tales& tales) {
  const Part part("causes");
  std::printf("400 means of weights, rate x 1       loss   five seeds\n");
  const auto row = [&](const char* what, bool mean_v, bool mean_clip) {
    print_row(tales, what,
              {.every = 1, .own_step = true, .mean_v = mean_v, .mean_clip = mean_clip});
  };
  row("own v, own clipping", false, false);
  row("own v, the mean gradient's clipping", false, true);
  row("the mean gradient's v, own clipping", true, false);
  row("the mean gradient's v and clipping", true, true);
  print_row(tales, "means of weights, m and v", {.every = 1, .mean_state = true});
}

inline void long_run(const Tales& tales) {
  dropout(tales);
  starts(tales);
  between(tales);
  teeth(tales);
  std::vector<Way> ways = {{"gradients", 400, {}},
                           {"  in 16 bits", 400, {.sum = sum_in_16_bits}},
                           {"means of weights", 400, {.every = 1}},
                           {"means of weights", 100, {.every = 4}},
                           {"means of weights", 40, {.every = 10}},
                           {"means of weights", 8, {.every = 50}},
                           {"means of weights", 4, {.every = 100}},
                           {"means of weights", 1, {.every = 400}}};
  Way larger{"larger batch", 100, {}}, alone{"one rank alone", 0, {.ranks = 1}};
  const auto add = [&](Way& way, int times) {
    char name[60];
    std::snprintf(name, sizeof name, "%s, sums: %d, x %d", way.how, way.sums, times);
    way.local.rate = times * 5e-3;
    way.losses.push_back(print_row(tales, name, way.local));
  };
  {
    const Part part("rates");
    std::printf("4 ranks of 4 rows, 400 steps         loss   five seeds\n");
    for (const int times : {1, 2, 4}) {
      for (Way& way : ways) {
        if (times < 4 || way.sums >= 40) add(way, times);
      }
      if (times < 4) add(alone, times);
    }
    print_row(tales, "one rank alone, x 1/2", {.ranks = 1, .rate = 2.5e-3});
  }
  {
    const Part part("controls");
    const double unlimited = 1e9;
    std::printf("4 ranks of 4 rows, 400 steps         loss   five seeds\n");
    print_row(tales, "gradients, without clipping", {.most_norm = unlimited});
    print_row(tales, "400 means, without clipping", {.every = 1, .most_norm = unlimited});
    print_row(tales, "8 means of weights, m and v", {.every = 50, .mean_state = true});
    print_row(tales, "8 means, outer step", {.every = 50, .outer = true});
    print_row(tales, "1 mean, from different starts", {.every = 400, .same_start = false});
  }
  causes(tales);
  {
    const Part part("batches");
    std::printf("100 steps                            loss   five seeds\n");
    const auto row = [&](const char* what, int rows, int times, int warmup) {
      return print_row(tales, what,
                       {.rows = rows, .steps = 100, .rate = times * 5e-3, .warmup = warmup});
    };
    larger.losses.push_back(row("64 rows, x 1, warm-up of 40", 16, 1, 40));
    row("64 rows, x 2, warm-up of 20", 16, 2, 20);
    larger.losses.push_back(row("64 rows, x 2, warm-up of 40", 16, 2, 40));
    row("64 rows, x 4, warm-up of 40", 16, 4, 40);
    larger.losses.push_back(row("64 rows, x 4, warm-up of 80", 16, 4, 80));
    row("64 rows, x 6, warm-up of 80", 16, 6, 80);
  }
  ways.push_back(larger), ways.push_back(alone);
  print_kept(ways);
}
// [long]
