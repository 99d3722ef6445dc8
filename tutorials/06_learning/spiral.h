// Chapter 06: the two spiral arms, a network for them, and training from five seeds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

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
  // n of these, drawn with the key.
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

// How many points are likelier on the other arm, given both arms and the noise.
inline int likelier_on_other_arm(const Points& points, double noise = 0.1) {
  std::vector<std::array<double, 2>> arm;  // the arm with label 1; the other is its mirror image
  for (int i = 0; i < 200; ++i) {
    const double r = std::sqrt((i + 0.5) / 200);
    arm.push_back({r * std::cos(6 * r), r * std::sin(6 * r)});
  }
  int likelier = 0;
  for (Index i = 0; i < points.y.size(); ++i) {
    const double sign = points.y.data()[i], x = sign * points.x.data()[2 * i],
                 y = sign * points.x.data()[2 * i + 1];
    double own = 0, other = 0;  // sums of the normal distribution's bells
    for (const auto& [u, v] : arm) {
      own += std::exp(-((x - u) * (x - u) + (y - v) * (y - v)) / (2 * noise * noise));
      other += std::exp(-((x + u) * (x + u) + (y + v) * (y + v)) / (2 * noise * noise));
    }
    likelier += other > own;
  }
  return likelier;
}
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
  Index batch = 0;     // of a step; 0 for all points
  bool early = false;  // look at the validation loss on the way
  Scalar start = 1;    // multiplies all initial weights
};
// The loss: in training, held out, with early stopping. Then counts: held-out points on the wrong
// arm, also with early stopping, and the count of alive().
enum { kTrained, kHeldOut, kStopped, kWrong, kStoppedWrong, kAlive };
using Losses = std::array<double, 6>;

// [trained]
// How many units of the last hidden layer are above 0 at any point. The others have no gradient.
inline int alive(const Net& net, const Points& points) {
  Tensor x = points.x;
  for (const Linear& layer : net.layers) x = relu(layer(x));
  std::array<bool, 32> above{};
  for (Index i = 0; i < x.size(); ++i) above[i % 32] |= x.data()[i] > 0;
  return int(std::count(above.begin(), above.end(), true));
}

template <class Rule, class Options>
Losses trained(const Options& rule, Setting s, std::uint64_t seed) {
  const Points points(s.points, s.noise, seed), validation(200, s.noise, seed + 100),
      held_out(1000, s.noise, seed + 200);
  KeySequence keys(seed);
  Net net(s.dropout, keys);
  for (NamedTensor& x : parameters(net)) {  // biases are 0
    for (Index i = 0; i < x.tensor.size(); ++i) x.tensor.mutable_data()[i] *= s.start;
  }
  Rule optimiser(parameters(net), rule);
  double best = std::numeric_limits<double>::infinity(), stopped = 0;
  int stopped_wrong = 0;
  s.options.before_step = [&](int step) {
    if (!s.early || step % 20 > 0) return;
    const NoGrad no_grad;
    const double loss = loss_of(net, validation).item();
    if (loss >= best) return;
    best = loss, stopped = loss_of(net, held_out).item(), stopped_wrong = wrong(net, held_out);
  };
  train(optimiser, s.options, [&](int step) {
    const RandomKey key{.seed = seed, .step = std::uint32_t(step), .place = 9};
    return loss_of(net, s.batch > 0 ? points.batch(s.batch, key) : points);
  });
  return {loss_of(net, points).item(),  loss_of(net, held_out).item(), stopped,
          double(wrong(net, held_out)), double(stopped_wrong),         double(alive(net, points))};
}
// [trained]

// One run from each seed: other points, other initial weights.
using Runs = std::vector<Losses>;

template <class Rule, class Options>
Runs runs_of(const Options& rule, const Setting& s, int seeds = 5) {
  Runs runs;
  for (int seed = 1; seed <= seeds; ++seed) runs.push_back(trained<Rule>(rule, s, seed));
  return runs;
}

// Mean and range of one of the losses.
inline std::string text(const Runs& runs, int which = kTrained) {
  double total = 0, least = runs[0][which], most = least;
  for (const Losses& run : runs) {
    total += run[which], least = std::min(least, run[which]), most = std::max(most, run[which]);
  }
  char words[60];
  const char* format = which == kTrained ? "%#.2g (%#.2g to %#.2g)"  // two digits of the smallest
                       : which >= kWrong ? "%.0f (%.0f to %.0f)"
                                         : "%.3f (%.3f to %.3f)";
  std::snprintf(words, sizeof words, format, total / double(runs.size()), least, most);
  return words;
}

// Many steps at one learning rate.
inline Setting at_rate(double rate, double clip = 1e9) {
  return {.options = {.steps = 400, .schedule = {rate, rate, 0, 400}, .clip = clip}};
}

// Draws a net's output on a square around the arms, and the new points that it puts on the wrong
// arm.
inline void draw_net(Net& net, const Points& points, const Points& fresh) {
  Tensor square({101 * 101, 2});
  for (Index i = 0; i < square.size(0); ++i) {
    square.mutable_data()[2 * i] = Scalar(i % 101 - 50) / 40;
    square.mutable_data()[2 * i + 1] = Scalar(i / 101 - 50) / 40;
  }
  draw_spiral(points.x, points.y, {fresh.x, fresh.y, net(fresh.x)}, {square, net(square)});
}

}  // namespace spiral
