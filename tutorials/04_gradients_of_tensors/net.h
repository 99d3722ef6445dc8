// The moons of chapter 03 in tensors, and their network.
#pragma once

#include "pocket/ops.h"
#include "tutorials/03_reverse_mode/moons.h"

// The points [60, 2], and their sides [60, 1].
struct Moons {
  pocket::Tensor points = pocket::Tensor({60, 2}), sides = pocket::Tensor({60, 1});

  Moons() {
    pocket::Scalar *point = points.mutable_data(), *side = sides.mutable_data();
    for (const moons::Point& each : moons::make_points()) {
      *point++ = static_cast<pocket::Scalar>(each.x);
      *point++ = static_cast<pocket::Scalar>(each.y);
      *side++ = static_cast<pocket::Scalar>(each.side);
    }
  }
};

// A leaf with the numbers of chapter 03's.
inline pocket::Tensor leaf(const pocket::Shape& shape, const std::vector<moons::Value>& numbers) {
  std::vector<pocket::Scalar> values;
  for (const moons::Value& x : numbers) values.push_back(static_cast<pocket::Scalar>(x->value));
  return pocket::tensor(shape, values).set_requires_grad();
}

struct Net {
  pocket::Tensor w1, b1, w2, b2;  // [2, 8], [8], [8, 1], [1]

  // Starts where chapter 03's network does.
  explicit Net(const moons::Net& net)
      : w1(leaf({2, 8}, net.w1)),
        b1(leaf({8}, net.b1)),
        w2(leaf({8, 1}, net.w2)),
        b2(leaf({1}, {net.b2})) {}
};

// [loss]
// The mean squared error of chapter 03's network: points [60, 2], sides [60, 1].
inline pocket::Tensor loss_of(const Net& net, const Moons& moons) {
  const auto hidden = tanh(matmul(moons.points, net.w1) + net.b1);   // [60, 2] [2, 8] to [60, 8]
  const auto error = matmul(hidden, net.w2) + net.b2 - moons.sides;  // [60, 8] [8, 1] to [60, 1]
  return mean(error * error);                                        // []
}
// [loss]
