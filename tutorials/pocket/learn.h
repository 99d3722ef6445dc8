//! [06 parameters]
// Parameters, layers, optimisers, and the loop that trains.
#pragma once

#include <functional>
#include <numbers>

#include "engine.h"

namespace pocket {

struct NamedTensor {
  std::string name;  // in the model, such as layers.0.weight
  Tensor tensor;
};

/// Calls visit(name, tensor) for each parameter. A module is a struct that names its members in one
/// function, fields(f), with f("weight", weight): tensors, modules and vectors of modules.
template <class Module>
void visit_parameters(Module& module, const std::function<void(const std::string&, Tensor&)>& visit,
                      const std::string& prefix = "") {
  module.fields([&](const std::string& name, auto& field) {
    if constexpr (std::is_same_v<decltype(field), Tensor&>) {
      if (field.defined()) visit(prefix + name, field);
    } else if constexpr (requires { field.begin(); }) {
      for (std::size_t i = 0; i < field.size(); ++i) {
        visit_parameters(field[i], visit, prefix + name + "." + std::to_string(i) + ".");
      }
    } else {
      visit_parameters(field, visit, prefix + name + ".");
    }
  });
}

/// All parameters, as handles: a change of their numbers changes the model.
template <class Module>
std::vector<NamedTensor> parameters(Module& module) {
  std::vector<NamedTensor> list;
  visit_parameters(module, [&](const std::string& name, Tensor& x) { list.push_back({name, x}); });
  return list;
}

inline Index count(const std::vector<NamedTensor>& parameters) {
  Index total = 0;
  for (const NamedTensor& x : parameters) total += x.tensor.size();
  return total;
}
//! [06 parameters]

//! [06 KeySequence]
/// Keys for initial values, one after another.
struct KeySequence {
  explicit KeySequence(std::uint64_t seed) : key{seed, 0xffffffff, 0} {}
  RandomKey next() { return {key.seed, key.step, key.place++}; }
  RandomKey key;
};
//! [06 KeySequence]

//! [06 Linear]
/// y = x W + b: x [..., in] to y [..., out].
struct Linear {
  Linear() = default;
  Linear(Index in, Index out, KeySequence& keys, bool with_bias = true) {
    //! [06.1]
    const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(in));  // y has the variance of x
    weight = normal({in, out}, keys.next(), 0, scale).set_requires_grad();
    if (with_bias) bias = zeros({out}).set_requires_grad();
    //! [06.1]
  }
  Tensor operator()(const Tensor& x) const {
    return bias.defined() ? matmul(x, weight) + bias : matmul(x, weight);
  }
  void fields(auto&& f) { f("weight", weight), f("bias", bias); }
  Tensor weight, bias;
};
//! [06 Linear]

//! [06 Optimiser]
struct Optimiser {
  explicit Optimiser(std::vector<NamedTensor> parameters) : parameters(std::move(parameters)) {}
  virtual ~Optimiser() = default;
  /// Changes the parameters by their gradients, each of them times gradient_scale.
  virtual void step(Scalar learning_rate, Scalar gradient_scale = 1) = 0;

  void zero_grad() {
    for (NamedTensor& x : parameters) x.tensor.zero_grad();
  }
  double gradient_norm() const {
    double squares = 0;
    for (const NamedTensor& x : parameters) {
      if (!x.tensor.grad().defined()) continue;  // the model did not use it
      for (const Scalar g : x.tensor.grad()) squares += g * g;
    }
    return std::sqrt(squares);
  }
  std::vector<NamedTensor> parameters;
};
//! [06 Optimiser]

//! [06 Sgd]
struct SgdOptions {
  double momentum = 0;  // the share of its velocity that a step keeps
};

struct Sgd : Optimiser {
  explicit Sgd(std::vector<NamedTensor> parameters, const SgdOptions& options = {})
      : Optimiser(std::move(parameters)), options(options), velocity(this->parameters.size()) {}

  void step(Scalar learning_rate, Scalar gradient_scale = 1) override {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const Tensor gradient = parameters[k].tensor.grad();
      if (!gradient.defined()) continue;
      Scalar* w = parameters[k].tensor.mutable_data();
      velocity[k].resize(gradient.size());  // zeros at first
      for (Index i = 0; i < gradient.size(); ++i) {
        Scalar& u = velocity[k][i];
        u = Scalar(options.momentum) * u + gradient.data()[i] * gradient_scale;
        w[i] -= learning_rate * u;
      }
    }
  }
  SgdOptions options;
  std::vector<std::vector<Scalar>> velocity;
};
//! [06 Sgd]

//! [06 AdamW]
struct AdamWOptions {
  double beta1 = 0.9, beta2 = 0.99;  // the shares of both means that a step keeps
  double epsilon = 1e-8;             // against division by zero
  double weight_decay = 0.1;         // of matrices; biases do not decay
};

/// Kingma and Ba, 2015, with the decay of Loshchilov and Hutter, 2019.
struct AdamW : Optimiser {
  AdamW(std::vector<NamedTensor> parameters, const AdamWOptions& options)
      : Optimiser(std::move(parameters)), options(options), moments(this->parameters.size()) {}

  void step(Scalar learning_rate, Scalar gradient_scale = 1) override {
    //! [06.2]
    ++steps;
    const Scalar beta1 = Scalar(options.beta1), beta2 = Scalar(options.beta2);
    // Both means start at 0. These factors correct that in the first steps.
    const Scalar rate = Scalar(learning_rate / (1 - std::pow(options.beta1, steps)));
    const Scalar root = Scalar(1 / std::sqrt(1 - std::pow(options.beta2, steps)));
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      Tensor& parameter = parameters[k].tensor;
      const Tensor gradient = parameter.grad();
      if (!gradient.defined()) continue;
      const double decay = parameter.rank() > 1 ? options.weight_decay : 0;
      Scalar* w = parameter.mutable_data();
      moments[k].resize(gradient.size());
      for (Index i = 0; i < gradient.size(); ++i) {
        const Scalar g = gradient.data()[i] * gradient_scale;
        auto& [m, v] = moments[k][i];
        m = beta1 * m + (1 - beta1) * g;
        v = beta2 * v + (1 - beta2) * g * g;
        w[i] -= Scalar(learning_rate * decay) * w[i] +
                rate * m / (std::sqrt(v) * root + Scalar(options.epsilon));
      }
    }
    //! [06.2]
  }
  AdamWOptions options;
  std::vector<std::vector<std::pair<Scalar, Scalar>>> moments;  // m and v of each number
  int steps = 0;
};
//! [06 AdamW]

//! [06 Schedule]
/// The learning rate of each step: a rise over `warmup` steps, then half a cosine down to `floor`.
struct Schedule {
  double rate = 1e-3, floor = 1e-4;
  std::int64_t warmup = 100, decay = 5000;  // in steps from the start

  double at(std::int64_t step) const {
    //! [06.3]
    if (step < warmup) return rate * double(step + 1) / double(warmup + 1);
    const double done = std::min(1.0, double(step - warmup) / double(decay - warmup));
    return floor + (1 + std::cos(std::numbers::pi * done)) / 2 * (rate - floor);
    //! [06.3]
  }
};

/// The factor that makes gradients of this norm at most max_norm long.
inline Scalar clip_scale(double gradient_norm, double max_norm) {
  return Scalar(gradient_norm > max_norm ? max_norm / gradient_norm : 1);
}
//! [06 Schedule]

//! [06 Training]
/// While one of these exists, dropout drops. What it drops depends on seed and step alone.
struct Training {
  Training(std::uint64_t seed, std::uint32_t step) : key{seed, step, 1 << 16} { current = this; }
  ~Training() { current = outer; }
  inline static Training* current = nullptr;
  Training* outer = current;
  RandomKey key;  // of the next draw
};
//! [06 Training]

//! [06 train]
struct TrainOptions {
  int steps = 800;
  Schedule schedule = {};
  double clip = 1;
  std::uint64_t seed = 1;
  std::function<void(int step)> before_step = {};  // to look at the model; dropout is off then
};

/// The loop of every chapter: loss, gradients, step. Returns the losses.
inline std::vector<Scalar> train(Optimiser& optimiser, const TrainOptions& options,
                                 const std::function<Tensor(int step)>& loss_of_step) {
  std::vector<Scalar> losses;
  for (int step = 0; step < options.steps; ++step) {
    if (options.before_step) options.before_step(step);
    const Training training(options.seed, static_cast<std::uint32_t>(step));
    optimiser.zero_grad();
    const Tensor loss = loss_of_step(step);
    backward(loss);
    optimiser.step(Scalar(options.schedule.at(step)),
                   clip_scale(optimiser.gradient_norm(), options.clip));
    losses.push_back(loss.item());
  }
  return losses;
}
//! [06 train]

//! [06 dropout_in_training]
inline Tensor dropout_in_training(const Tensor& x, Scalar p) {
  if (Training::current == nullptr || p == 0) return x;
  RandomKey& key = Training::current->key;
  ++key.place;
  return dropout(x, p, key);
}

}  // namespace pocket
//! [06 dropout_in_training]
