/// @file
/// Chapter 21: five models that differ by their seed alone, and their line in a table.
#pragma once

#include <cstring>

#include "tutorials/21_images_as_sequences/learning.h"

// [long]
/// Makes a transformer for each seed.
inline auto transformer(Index patch, Position position = Position::kLearned) {
  return [=](std::uint64_t seed) { return VisionTransformer(config_of(patch, position), seed); };
}

struct SeeNothing {
  void operator()(const auto&) const {}
};

/// Five models that differ only in their seed: the share of held-out images that they read right,
/// in percent, and the time of a training step, in milliseconds.
struct Score {
  void add(double right) {
    mean += right / 5, least = std::min(least, right), most = std::max(most, right);
    seeds.push_back(right);
  }
  double mean = 0, least = 100, most = 0, step = 0;
  std::vector<double> seeds;
};

/// Trains five models on the same data, or each on its own. `see` gets every trained model.
template <class Make, class See = SeeNothing>
Score five_seeds(const std::vector<Data>& all, double rate, const Make& make, int steps = 1000,
                 const See& see = {}) {
  Score score;
  const double before = seconds_of_cpu();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Data& data = all[(seed - 1) % all.size()];
    auto model = make(seed);
    learn(model, data.train, steps, rate, seed);
    score.add(percent_right(model, data.held_out));
    see(model);
  }
  score.step = 1000 * (seconds_of_cpu() - before) / 5 / steps;
  return score;
}

inline void print_head() {
  std::printf("held out: mean, range        after 1000 steps    after 3000 steps       a step\n");
}

inline void print_row(const char* name, const std::vector<Score>& scores, const char* rest = "") {
  std::printf("%-27s", name);
  for (const Score& s : scores) std::printf("  %.1f, %.1f to %.1f", s.mean, s.least, s.most);
  const double ms = scores[0].step;
  const std::string shown = ms < 0.5 ? "< 1" : std::to_string(std::lround(ms));
  std::printf("%s%*s ms\n", rest, scores.size() == 1 ? 28 - int(std::strlen(rest)) : 8,
              shown.c_str());
}

/// After 1000 steps and after 3000.
template <class Make>
void print_both(const char* name, const std::vector<Data>& all, double rate, const Make& make) {
  print_row(name, {five_seeds(all, rate, make), five_seeds(all, rate, make, 3000)});
}
// [long]
