#include "nn/optim/rmsprop.h"

#include <algorithm>
#include <cmath>

#include "autograd/check.h"

namespace gradus {

Rmsprop::Rmsprop(std::vector<NamedTensor> parameters, const RmspropOptions& options)
    : Optimiser(std::move(parameters)), options_(options), square_(zeros_like_parameters()) {
  check(options.alpha >= 0 && options.alpha < 1, "rmsprop: alpha must be in [0, 1), got ",
        options.alpha);
  check(options.epsilon > 0, "rmsprop: epsilon must be above 0, got ", options.epsilon);
  check(options.momentum >= 0 && options.momentum < 1, "rmsprop: momentum must be in [0, 1), got ",
        options.momentum);
  if (options.centered) {
    mean_ = zeros_like_parameters();
  }
  if (options.momentum > 0) {
    velocity_ = zeros_like_parameters();
  }
}

std::vector<NamedTensor> Rmsprop::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < square_.size(); ++i) {
    const std::string& name = parameters()[i].name;
    state.push_back({"square_avg." + name, square_[i]});
    if (!mean_.empty()) {
      state.push_back({"grad_avg." + name, mean_[i]});
    }
    if (!velocity_.empty()) {
      state.push_back({"momentum_buffer." + name, velocity_[i]});
    }
  }
  return state;
}

void Rmsprop::update(std::size_t i, Index begin, Index end, Scalar learning_rate,
                     Scalar gradient_scale) {
  const auto alpha = static_cast<Scalar>(options_.alpha);
  const auto rest = static_cast<Scalar>(1 - options_.alpha);  // in double: see Adam
  const auto epsilon = static_cast<Scalar>(options_.epsilon);
  const auto momentum = static_cast<Scalar>(options_.momentum);
  const Scalar* g = gradient(i)->data();
  Scalar* w = parameters()[i].tensor.data();
  Scalar* s = square_[i].data();
  Scalar* m = mean_.empty() ? nullptr : mean_[i].data();
  Scalar* v = velocity_.empty() ? nullptr : velocity_[i].data();
  for (Index e = begin; e < end; ++e) {
    const Scalar gradient = g[e] * gradient_scale;
    s[e] = alpha * s[e] + rest * gradient * gradient;
    Scalar square = s[e];
    if (m != nullptr) {
      m[e] = alpha * m[e] + rest * gradient;
      square = std::max(square - m[e] * m[e], Scalar(0));  // rounding may go below
    }
    Scalar change = gradient / (std::sqrt(square) + epsilon);
    if (v != nullptr) {
      change = v[e] = momentum * v[e] + change;
    }
    w[e] -= learning_rate * change;
  }
}

}  // namespace gradus
