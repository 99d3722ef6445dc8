// Chapter 06: the two spiral arms, a network for them, and training from five seeds.
#pragma once

#include <array>
#include <cstdio>

#include "pocket/learn.h"

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
  Tensor x, y;
};
// [spiral]

// Each column of a batch x [N, C] at mean 0 and variance 1, then scaled and shifted. It keeps
// moving averages of both, for use outside of training.
struct BatchNorm {
  explicit BatchNorm(Index c)
      : weight(ones({c})), bias(zeros({c})), mean(zeros({c})), var(ones({c})) {
    weight.set_requires_grad(), bias.set_requires_grad();
  }
  Tensor operator()(const Tensor& x) {  // [N, C]
    Tensor m = mean, v = var;
    if (Training::current) {
      m = sum_to(x, mean.shape()) / Scalar(x.size(0));
      v = sum_to((x - m) * (x - m), var.shape()) / Scalar(x.size(0));
      mean = mean * 0.9f + m.detach() * 0.1f, var = var * 0.9f + v.detach() * 0.1f;
    }
    const Tensor scale = map(
        "rsqrt", v + 1e-5f, [](Scalar u) { return 1 / std::sqrt(u); },
        [](Scalar, Scalar y) { return -y * y * y / 2; });
    return (x - m) * scale * weight + bias;
  }
  void fields(auto&& f) { f("weight", weight), f("bias", bias); }
  Tensor weight, bias, mean, var;
};

// [net]
struct Net {
  Net(Scalar dropout, bool normed, KeySequence& keys)
      : layers{Linear(2, 32, keys), Linear(32, 32, keys)}, last(32, 1, keys), dropout(dropout) {
    if (normed) norms = {BatchNorm(32), BatchNorm(32)};
  }
  Tensor operator()(Tensor x) {  // [N, 2] to [N, 1]
    for (std::size_t i = 0; i < layers.size(); ++i) {
      x = norms.empty() ? layers[i](x) : norms[i](layers[i](x));
      x = dropout_in_training(relu(x), dropout);
    }
    return last(x);
  }
  void fields(auto&& f) { f("layers", layers), f("norms", norms), f("last", last); }
  std::vector<Linear> layers;
  std::vector<BatchNorm> norms;
  Linear last;
  Scalar dropout;
};

inline Tensor loss_of(Net& net, const Points& points) {
  const Tensor error = net(points.x) - points.y;
  return mean(error * error);
}
// [net]
struct Setting {
  TrainOptions options;
  Scalar noise = Scalar(0.05), dropout = 0;
  Index points = 100;
  bool normed = false;
};
using Losses = std::array<double, 3>;  // in training, held out, held out with early stopping

template <class Rule, class Options>
Losses trained(const Options& rule, Setting s, std::uint64_t seed) {
  const Points points(s.points, s.noise, seed), validation(200, s.noise, seed + 100),
      held_out(1000, s.noise, seed + 200);
  KeySequence keys(seed);
  Net net(s.dropout, s.normed, keys);
  double best = 1e9, stopped = 0;
  s.options.before_step = [&](int step) {
    if (step % 20 > 0) return;
    const NoGrad no_grad;
    const double loss = loss_of(net, validation).item();
    if (loss < best) best = loss, stopped = loss_of(net, held_out).item();
  };
  Rule optimiser(parameters(net), rule);
  train(optimiser, s.options, [&](int) { return loss_of(net, points); });
  return {loss_of(net, points).item(), loss_of(net, held_out).item(), stopped};
}

// Mean and range over five seeds.
template <class Rule, class Options>
std::array<std::string, 3> five(const Options& rule, const Setting& s) {
  std::array<std::string, 3> texts;
  std::vector<Losses> runs;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) runs.push_back(trained<Rule>(rule, s, seed));
  for (std::size_t i = 0; i < 3; ++i) {
    std::sort(runs.begin(), runs.end(), [=](auto& a, auto& b) { return a[i] < b[i]; });
    double total = 0;
    for (const Losses& run : runs) total += run[i];
    char text[40];
    std::snprintf(text, sizeof text, "%.3f (%.3f to %.3f)", total / 5, runs[0][i], runs[4][i]);
    texts[i] = text;
  }
  return texts;
}

// Many steps at one learning rate.
inline Setting at_rate(double rate, double clip = 1e9) {
  return {.options = {.steps = 400, .schedule = {rate, rate, 0, 400}, .clip = clip}};
}

}  // namespace spiral
