// The task of chapters 03 and 04: two interlocking half circles, and a network of single numbers
// that learns to tell them apart.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "tutorials/03_reverse_mode/engine.h"

namespace moons {

using engine::number;
using engine::Value;

struct Point {
  double x, y, side;  // side: 1 for the upper moon, -1 for the lower
};

// From low to high. std::mt19937 gives the same numbers on every machine, std's distributions do
// not.
inline double draw(std::mt19937& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

// Sixty points, thirty on each moon.
inline std::vector<Point> make_points() {
  std::mt19937 random(11);
  std::vector<Point> points;
  for (int i = 0; i < 60; ++i) {
    const double angle = std::acos(-1.0) * i / 60, side = i % 2 == 0 ? 1 : -1;
    const double x = side > 0 ? std::cos(angle) : 1 - std::cos(angle);
    const double y = side > 0 ? std::sin(angle) : 0.5 - std::sin(angle);
    points.push_back({x + draw(random, -0.2, 0.2), y + draw(random, -0.2, 0.2), side});
  }
  return points;
}

// [net]
// Two inputs, eight hidden numbers, one output: 33 parameters.
struct Net {
  std::vector<Value> w1, b1, w2;  // 16, 8 and 8
  Value b2 = number(0);

  explicit Net(unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 16; ++i) w1.push_back(number(draw(random, -1.5, 1.5)));
    for (int i = 0; i < 8; ++i) b1.push_back(number(0));
    for (int i = 0; i < 8; ++i) w2.push_back(number(draw(random, -1.5, 1.5)));
  }
  Value operator()(double x, double y) const {
    Value out = b2;
    for (std::size_t i = 0; i < 8; ++i) {
      const Value sum = number(x) * w1[i] + number(y) * w1[8 + i] + b1[i];
      out = out + tanh(sum) * w2[i];
    }
    return out;
  }
  std::vector<Value> parameters() const {
    std::vector<Value> all = {b2};
    for (const auto& some : {w1, b1, w2}) all.insert(all.end(), some.begin(), some.end());
    return all;
  }
};
// [net]

// [loss]
// The mean over all points of (output - side)^2.
inline Value loss_of(const Net& net, const std::vector<Point>& points) {
  Value total = number(0);
  for (const Point& p : points) {
    const Value error = net(p.x, p.y) - number(p.side);
    total = total + error * error;
  }
  return total * number(1.0 / static_cast<double>(points.size()));
}
// [loss]

}  // namespace moons
