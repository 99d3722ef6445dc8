#include "nn/optim/rmsprop.h"

#include <cmath>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

Rmsprop::Rmsprop(std::vector<NamedTensor> parameters, const RmspropOptions& options)
    : Optimiser(std::move(parameters), options.learning_rate),
      options_(options),
      square_(zeros_like_parameters()) {
  check(options.alpha >= 0 && options.alpha < 1, "rmsprop: alpha must be in [0, 1), got ",
        options.alpha);
  check(options.epsilon > 0 && std::isfinite(options.epsilon),
        "rmsprop: epsilon must be above 0 and finite, got ", options.epsilon);
}

std::vector<NamedTensor> Rmsprop::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < square_.size(); ++i) {
    state.push_back({"square_avg." + parameters()[i].name, square_[i]});
  }
  return state;
}

void Rmsprop::update(std::size_t i, Index begin, Index end, Scalar learning_rate,
                     Scalar gradient_scale) {
  const auto alpha = static_cast<Scalar>(options_.alpha);
  const auto rest = static_cast<Scalar>(1 - options_.alpha);  // in double: see Adam
  const auto epsilon = static_cast<Scalar>(options_.epsilon);
  const Scalar* g = gradient(i)->data();
  Scalar* w = elements(parameters()[i].tensor);
  Scalar* s = elements(square_[i]);
  for (Index e = begin; e < end; ++e) {
    const Scalar gradient = g[e] * gradient_scale;
    s[e] = alpha * s[e] + rest * gradient * gradient;
    w[e] -= learning_rate * (gradient / (std::sqrt(s[e]) + epsilon));
  }
}

}  // namespace gradus
