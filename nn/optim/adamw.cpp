#include "nn/optim/adamw.h"

#include <cmath>

#include "autograd/check.h"

namespace gradus {

AdamW::AdamW(std::vector<NamedTensor> parameters, const AdamWOptions& options)
    : Optimiser(std::move(parameters)),
      options_(options),
      mean_(zeros_like_parameters()),
      square_(zeros_like_parameters()) {
  check(options.beta1 >= 0 && options.beta1 < 1 && options.beta2 >= 0 && options.beta2 < 1,
        "adamw: betas must be in [0, 1), got ", options.beta1, " and ", options.beta2);
  check(options.epsilon > 0, "adamw: epsilon must be above 0, got ", options.epsilon);
  check(options.weight_decay >= 0, "adamw: weight_decay must not be negative, got ",
        options.weight_decay);
}

std::vector<NamedTensor> AdamW::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    state.push_back({"exp_avg." + parameters()[i].name, mean_[i]});
    state.push_back({"exp_avg_sq." + parameters()[i].name, square_[i]});
  }
  return state;
}

void AdamW::update(std::size_t i, Index begin, Index end, Scalar learning_rate,
                   Scalar gradient_scale) {
  const Tensor& parameter = parameters()[i].tensor;
  const auto t = static_cast<double>(steps());
  const auto beta1 = static_cast<Scalar>(options_.beta1);
  const auto beta2 = static_cast<Scalar>(options_.beta2);
  const auto epsilon = static_cast<Scalar>(options_.epsilon);
  const auto mean_factor = static_cast<Scalar>(learning_rate / (1 - std::pow(options_.beta1, t)));
  const auto root_factor = static_cast<Scalar>(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
  const bool decays = parameter.rank() >= 2;
  const auto keep = static_cast<Scalar>(decays ? 1 - learning_rate * options_.weight_decay : 1.0);
  const Scalar* g = gradient(i)->data();
  Scalar* w = parameter.data();
  Scalar* m = mean_[i].data();
  Scalar* v = square_[i].data();
#pragma omp simd
  for (Index e = begin; e < end; ++e) {
    const Scalar gradient = g[e] * gradient_scale;
    m[e] = beta1 * m[e] + (1 - beta1) * gradient;
    v[e] = beta2 * v[e] + (1 - beta2) * gradient * gradient;
    w[e] = keep * w[e] - mean_factor * m[e] / (std::sqrt(v[e]) * root_factor + epsilon);
  }
}

}  // namespace gradus
