// Chapter 06: the two spiral arms, a network for them, and training from five seeds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>

#include "figures.h"
#if __has_include("pocket/learn.h")
#include "pocket/learn.h"  // the reader's, with --mine
#else
#include "tutorials/pocket/learn.h"  // an exercise
#endif

namespace spiral {

using namespace pocket;

// [spiral]
// Points on two spiral arms, x [n, 2], moved by noise, and the arm of each, y [n, 1]: -1 or 1.
struct Points {
  Points(Index n, Scalar noise, std::uint64_t seed)
      : x(normal({n, 2}, {.seed = seed}, 0, noise)), y(Shape{n, 1}) {
    const Tensor draws = uniform({n}, {.seed = seed, .place = 1});
    for (Index i = 0; i < n; ++i) {
      const Scalar r = std::sqrt(draws.data()[i]), arm = Scalar(i % 2 * 2 - 1);
      x.mutable_data()[2 * i] += arm * r * std::cos(6 * r);
      x.mutable_data()[2 * i + 1] += arm * r * std::sin(6 * r);
      y.mutable_data()[i] = arm;
    }
  }
  // n of these, drawn anew by each key.
  Points batch(Index n, const RandomKey& key) const {
    Points some(n, 0, 0);
    for (Index i = 0; i < n; ++i) {
      const Index from = uniform_index(key, i, y.size());
      std::copy_n(x.data() + 2 * from, 2, some.x.mutable_data() + 2 * i);
      some.y.mutable_data()[i] = y.data()[from];
    }
    return some;
  }
  Tensor x, y;
};
// [spiral]

// [net]
struct Net {
  Net(Scalar dropout, KeySequence& keys)
      : layers{Linear(2, 32, keys), Linear(32, 32, keys)}, last(32, 1, keys), dropout(dropout) {}
  Tensor operator()(Tensor x) {  // [N, 2] to [N, 1]
    for (const Linear& layer : layers) x = dropout_in_training(relu(layer(x)), dropout);
    return last(x);
  }
  void fields(auto&& f) { f("layers", layers), f("last", last); }
  std::vector<Linear> layers;
  Linear last;
  Scalar dropout;
};

inline Tensor loss_of(Net& net, const Points& points) {
  const Tensor error = net(points.x) - points.y;
  return mean(error * error);
}
// [net]

// How many points the net puts on the wrong arm.
inline int wrong(Net& net, const Points& points) {
  const Tensor right = net(points.x) * points.y;  // above 0 where both signs agree
  return int(std::count_if(right.begin(), right.end(), [](Scalar r) { return r <= 0; }));
}

struct Setting {
  TrainOptions options;
  Scalar noise = Scalar(0.05), dropout = 0;
  Index points = 100;
  Index batch = 0;  // of a step; 0 for all points
};
// The loss: in training, held out, and with early stopping. Then what alive() counts.
enum { kTrained, kHeldOut, kStopped, kAlive };
using Losses = std::array<double, 4>;

// [alive]
// How many of the last 32 hidden numbers are above 0 at any point. The others have no gradient.
inline int alive(const Net& net, const Points& points) {
  Tensor x = points.x;
  for (const Linear& layer : net.layers) x = relu(layer(x));
  std::array<bool, 32> above{};
  for (Index i = 0; i < x.size(); ++i) above[i % 32] |= x.data()[i] > 0;
  return int(std::count(above.begin(), above.end(), true));
}
// [alive]

// [trained]
template <class Rule, class Options>
Losses trained(const Options& rule, Setting s, std::uint64_t seed) {
  const Points points(s.points, s.noise, seed), validation(200, s.noise, seed + 100),
      held_out(1000, s.noise, seed + 200);
  KeySequence keys(seed);
  Net net(s.dropout, keys);
  double best = 1e9, stopped = 0;
  s.options.before_step = [&](int step) {
    if (step % 20 > 0) return;
    const NoGrad no_grad;
    const double loss = loss_of(net, validation).item();
    if (loss < best) best = loss, stopped = loss_of(net, held_out).item();
  };
  Rule optimiser(parameters(net), rule);
  train(optimiser, s.options, [&](int step) {
    const RandomKey key{.seed = seed, .step = std::uint32_t(step), .place = 9};
    return loss_of(net, s.batch > 0 ? points.batch(s.batch, key) : points);
  });
  return {loss_of(net, points).item(), loss_of(net, held_out).item(), stopped,
          double(alive(net, points))};
}
// [trained]

// The losses of five seeds: other points, other initial weights.
using Runs = std::array<Losses, 5>;

template <class Rule, class Options>
Runs five(const Options& rule, const Setting& s) {
  Runs runs;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = trained<Rule>(rule, s, i + 1);
  return runs;
}

// Mean and range of one of the losses.
inline std::string text(const Runs& runs, int which = kTrained) {
  double total = 0, least = runs[0][which], most = least;
  for (const Losses& run : runs) {
    total += run[which], least = std::min(least, run[which]), most = std::max(most, run[which]);
  }
  char words[60];
  const bool small = which == kTrained;  // as many digits as the smallest needs
  std::snprintf(words, sizeof words, small ? "%#.2g (%#.2g to %#.2g)" : "%.3f (%.3f to %.3f)",
                total / 5, least, most);
  return words;
}

// Many steps at one learning rate.
inline Setting at_rate(double rate, double clip = 1e9) {
  return {.options = {.steps = 400, .schedule = {rate, rate, 0, 400}, .clip = clip}};
}

// What a net says of a square around the arms, and the new points that it puts on the wrong one.
inline void draw_net(Net& net, const Points& points, const Points& fresh) {
  Tensor square({101 * 101, 2});
  for (Index i = 0; i < square.size(0); ++i) {
    square.mutable_data()[2 * i] = Scalar(i % 101 - 50) / 40;
    square.mutable_data()[2 * i + 1] = Scalar(i / 101 - 50) / 40;
  }
  draw_spiral(points.x, points.y, {fresh.x, fresh.y, net(fresh.x)}, {square, net(square)});
}

// The losses by step of momentum and AdamW, and of AdamW with both remedies, at one seed.
inline void draw_runs(std::uint64_t seed, const Setting& fast, const Setting& tamed) {
  std::vector<std::vector<float>> losses;
  const auto add = [&](auto rule, const auto& options, const Setting& setting) {
    const Points points(100, setting.noise, seed);
    KeySequence keys(seed);
    Net net(0, keys);
    decltype(rule) optimiser(parameters(net), options);
    losses.push_back(train(optimiser, setting.options, [&](int) { return loss_of(net, points); }));
  };
  add(Sgd({}), SgdOptions{.momentum = 0.9}, fast);
  add(AdamW({}, {}), AdamWOptions{.weight_decay = 0}, fast);
  add(AdamW({}, {}), AdamWOptions{.weight_decay = 0}, tamed);
  draw_losses({"momentum", "AdamW", "AdamW, clipped, warm-up and cosine"}, losses);
}

}  // namespace spiral
