// The moons of chapter 03 in tensors, and their network.
#pragma once

#include "pocket/ops.h"
#include "tutorials/03_reverse_mode/moons.h"

// The points [60, 2], and their sides [60, 1]. Or several times the sixty, one after the other.
struct Moons {
  pocket::Tensor points, sides;

  explicit Moons(int times = 1)
      : points(pocket::Shape{60 * times, 2}), sides(pocket::Shape{60 * times, 1}) {
    pocket::Scalar *point = points.mutable_data(), *side = sides.mutable_data();
    for (int i = 0; i < times; ++i) {
      for (const moons::Point& each : moons::make_points()) {
        *point++ = static_cast<pocket::Scalar>(each.x);
        *point++ = static_cast<pocket::Scalar>(each.y);
        *side++ = static_cast<pocket::Scalar>(each.side);
      }
    }
  }
};

// A leaf with numbers of chapter 03's network.
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

// [numbers]
// The same network with a tensor [] for each number.
struct Numbers {
  std::vector<pocket::Tensor> w1, b1, w2, b2;

  explicit Numbers(const moons::Net& net) {
    for (const auto& x : net.w1) w1.push_back(leaf({}, {x}));
    for (const auto& x : net.b1) b1.push_back(leaf({}, {x}));
    for (const auto& x : net.w2) w2.push_back(leaf({}, {x}));
    b2.push_back(leaf({}, {net.b2}));
  }
};

inline pocket::Tensor loss_of(const Numbers& net, const Moons& moons) {
  pocket::Tensor total = pocket::scalar(0);
  for (pocket::Index i = 0; i < moons.sides.size(); ++i) {
    const pocket::Scalar* point = moons.points.data() + 2 * i;
    pocket::Tensor out = net.b2[0];
    for (std::size_t j = 0; j < 8; ++j) {
      const auto hidden = tanh(net.w1[j] * point[0] + net.w1[8 + j] * point[1] + net.b1[j]);
      out = out + hidden * net.w2[j];
    }
    const auto error = out - moons.sides.data()[i];
    total = total + error * error;
  }
  return total / static_cast<pocket::Scalar>(moons.sides.size());
}
// [numbers]
