#include "nn/optim/sgd.h"

#include "autograd/check.h"

namespace gradus {
using namespace detail;

Sgd::Sgd(std::vector<NamedTensor> parameters, const SgdOptions& options)
    : Optimiser(std::move(parameters), options.learning_rate), options_(options) {
  check(options.momentum >= 0 && options.momentum < 1, "sgd: momentum must be in [0, 1), got ",
        options.momentum);
  check(options.momentum > 0 || !options.nesterov, "sgd: nesterov needs momentum above 0, got ",
        options.momentum);
  if (options.momentum > 0) {
    velocity_ = zeros_like_parameters();
  }
}

std::vector<NamedTensor> Sgd::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < velocity_.size(); ++i) {
    state.push_back({"momentum_buffer." + parameters()[i].name, velocity_[i]});
  }
  return state;
}

void Sgd::update(std::size_t i, Index begin, Index end, Scalar learning_rate,
                 Scalar gradient_scale) {
  const Tensor& parameter = parameters()[i].tensor;
  const Scalar* g = gradient(i)->data();
  Scalar* w = elements(parameter);
  if (velocity_.empty()) {
    for (Index e = begin; e < end; ++e) {
      w[e] -= learning_rate * (g[e] * gradient_scale);
    }
    return;
  }
  const auto momentum = static_cast<Scalar>(options_.momentum);
  // The factors on gradient and velocity in a step.
  const Scalar of_gradient = options_.nesterov ? 1 : 0;
  const Scalar of_velocity = options_.nesterov ? momentum : 1;
  Scalar* v = elements(velocity_[i]);
  for (Index e = begin; e < end; ++e) {
    const Scalar gradient = g[e] * gradient_scale;
    v[e] = momentum * v[e] + gradient;
    w[e] -= learning_rate * (of_gradient * gradient + of_velocity * v[e]);
  }
}

}  // namespace gradus
