#include "nn/optim/adam.h"

#include <cmath>

#include "autograd/check.h"

namespace gradus {
using namespace detail;

Adam::Adam(std::vector<NamedTensor> parameters, const AdamOptions& options)
    : Adam("adam", std::move(parameters), options, Decay::kIntoGradient) {}

Adam::Adam(const char* name, std::vector<NamedTensor> parameters, const AdamOptions& options,
           Decay decay)
    : Optimiser(std::move(parameters), options.learning_rate),
      options_(options),
      decay_(decay),
      mean_(zeros_like_parameters()),
      square_(zeros_like_parameters()) {
  check(options.beta1 >= 0 && options.beta1 < 1 && options.beta2 >= 0 && options.beta2 < 1, name,
        ": betas must be in [0, 1), got ", options.beta1, " and ", options.beta2);
  check(options.epsilon > 0 && std::isfinite(options.epsilon), name,
        ": epsilon must be above 0 and finite, got ", options.epsilon);
  check_factor(text(name, ": weight_decay").c_str(), options.weight_decay);
}

std::vector<NamedTensor> Adam::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    state.push_back({"exp_avg." + parameters()[i].name, mean_[i]});
    state.push_back({"exp_avg_sq." + parameters()[i].name, square_[i]});
  }
  return state;
}

void Adam::update(std::size_t i, Index begin, Index end, Scalar learning_rate,
                  Scalar gradient_scale) {
  const Tensor& parameter = parameters()[i].tensor;
  const auto t = static_cast<double>(steps());
  const auto beta1 = static_cast<Scalar>(options_.beta1);
  const auto beta2 = static_cast<Scalar>(options_.beta2);
  // Subtract in double: 1 - 0.999f is wrong in its fifth digit.
  const auto rest1 = static_cast<Scalar>(1 - options_.beta1);
  const auto rest2 = static_cast<Scalar>(1 - options_.beta2);
  const auto epsilon = static_cast<Scalar>(options_.epsilon);
  const auto mean_factor = static_cast<Scalar>(learning_rate / (1 - std::pow(options_.beta1, t)));
  const auto root_factor = static_cast<Scalar>(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
  const double decay = options_.weight_decay * rule(i).decay;
  const bool apart = decay_ == Decay::kApart;
  const auto keep = static_cast<Scalar>(apart ? 1 - learning_rate * decay : 1.0);
  const Scalar* g = gradient(i)->data();
  Scalar* w = elements(parameter);
  Scalar* m = elements(mean_[i]);
  Scalar* v = elements(square_[i]);
  const auto update_with = [=](auto gradient_at) {
#pragma omp simd
    for (Index e = begin; e < end; ++e) {
      const Scalar gradient = gradient_at(e);
      m[e] = beta1 * m[e] + rest1 * gradient;
      v[e] = beta2 * v[e] + rest2 * gradient * gradient;
      w[e] = keep * w[e] - mean_factor * m[e] / (std::sqrt(v[e]) * root_factor + epsilon);
    }
  };
  // A separate loop without added decay, so that it does not read w twice.
  if (apart || decay == 0) {
    update_with([=](Index e) { return g[e] * gradient_scale; });
  } else {
    const auto added = static_cast<Scalar>(decay);
    update_with([=](Index e) { return g[e] * gradient_scale + added * w[e]; });
  }
}

}  // namespace gradus
