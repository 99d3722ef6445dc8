#include "autograd/inspect/gradcheck.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/index_loops.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"

namespace gradus {
using namespace detail;
namespace {

/// The first index of the random streams of inputs, weights and directions.
enum Place : std::uint32_t { kInputs = 0, kWeights = 1u << 20, kDirections = 2u << 20 };

RandomKey key(const GradientCheck& options, std::uint32_t place) {
  return {.seed = options.seed, .place = place};
}

void need_double() {
  check(sizeof(Scalar) == sizeof(double),
        "check_gradient: float is too coarse for finite differences (link the library in double: ",
        "with pkg-config, gradus-engine-double or gradus-double; with CMake, ",
        "gradus::engine-double or gradus::double; with Meson, gradus_engine_double_dep or ",
        "gradus_double_dep)");
}

std::vector<Tensor> random_inputs(const std::vector<Shape>& shapes, const GradientCheck& options) {
  std::vector<Tensor> inputs;
  for (const Shape& shape : shapes) {
    inputs.push_back(uniform(shape, key(options, kInputs + inputs.size()),
                             static_cast<Scalar>(options.low), static_cast<Scalar>(options.high)));
  }
  return inputs;
}

/// Random numbers of either sign, none near zero: an output with weight 0 would not be checked.
Tensor random_weights(const Shape& shape, const RandomKey& key) {
  Tensor weights = uniform(shape, key, -1, 1);
  std::ranges::transform(weights, weights.mutable_data(),
                         [](Scalar w) { return w + std::copysign(Scalar(0.5), w); });
  return weights;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)) == 0;
}

void require(bool ok, const std::string& message) {
  if (!ok) throw std::runtime_error(message);
}

/// to - from; 0 if both are the same infinity or both NaN.
double change(double from, double to) {
  return to == from || (std::isnan(to) && std::isnan(from)) ? 0 : to - from;
}

/// One function at one point, and everything its gradients are compared with.
class Checker {
 public:
  Checker(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradientCheck& options)
      : f_(f), options_(options) {
    for (const Tensor& input : inputs) {
      inputs_.push_back(input.clone());
    }
    const Tensor y = value();
    require(same_bits(y, value()), "the function gives a different result when called again");
    weights_ = random_weights(y.shape(), key(options, kWeights));
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      expected_.push_back(differences(inputs_[k]));
    }
  }

  /// Compares the gradients of all arguments, or of argument `only`, if only this one requires a
  /// gradient.
  void compare(int only = -1) const {
    std::vector<Tensor> leaves;
    for (const Tensor& input : inputs_) {
      const bool wanted = only < 0 || static_cast<int>(leaves.size()) == only;
      leaves.push_back(input.clone().set_requires_grad(wanted));
    }
    const Tensor y = f_(leaves);
    const std::string op = y.requires_grad() ? text(y.node()->op, ": ") : "";
    const std::string how = only < 0 ? "" : " (the only one required)";
    require(same_bits(y, value()), op + "the result differs when gradients are required");
    if (y.requires_grad()) {
      const Tensor dy = weights_.clone();
      backward(y, dy);
      require(same_bits(dy, weights_), op + "backward changes the gradient it is given");
    }
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      require(same_bits(leaves[k], inputs_[k]), text(op, "argument ", k, " is changed"));
      if (leaves[k].requires_grad()) {
        const Tensor got = leaves[k].grad();
        compare(got.defined() ? got : zeros(leaves[k].shape()), k, op, how);
      }
    }
  }

 private:
  Tensor value() const {
    const NoGrad no_grad;
    std::vector<Tensor> inputs;
    for (const Tensor& input : inputs_) {
      inputs.push_back(input.clone());
    }
    // Clone: the result may share elements with an input that is about to be changed.
    const Tensor y = f_(inputs).clone();
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      require(same_bits(inputs[k], inputs_[k]), text("argument ", k, " is changed"));
    }
    return y;
  }

  /// The gradient of the loss with respect to `x`, one of inputs_.
  std::vector<double> differences(const Tensor& x) const {
    std::vector<double> result;
    for (Index i = 0; i < x.size(); ++i) {
      const Scalar before = x.data()[i];
      const double h = options_.step * std::max(1.0, std::abs(double{before}));
      const auto moved = [&](double by) {
        x.mutable_data()[i] = static_cast<Scalar>(before + by);
        return value();
      };
      const Tensor near[] = {moved(h), moved(-h)};
      const Tensor far[] = {moved(2 * h), moved(-2 * h)};
      x.mutable_data()[i] = before;
      double sum = 0;  // subtract before summing: less is lost to rounding
      for (Index i = 0; i < weights_.size(); ++i) {
        const auto difference = [i](const Tensor(&pair)[2]) {
          return change(pair[1].data()[i], pair[0].data()[i]);
        };
        sum += weights_.data()[i] * (8 * difference(near) - difference(far));
      }
      result.push_back(sum / (12 * h));
    }
    return result;
  }

  void compare(const Tensor& got, std::size_t argument, const std::string& op,
               const std::string& how) const {
    const std::vector<double>& expected = expected_[argument];
    Index off = 0, worst = 0;
    double largest = -1;
    for (Index i = 0; i < got.size(); ++i) {
      const double error =
          std::abs(got.data()[i] - expected[i]) / std::max(1.0, std::abs(expected[i]));
      if (!(error <= options_.tolerance)) {  // written so that NaN counts as an error
        ++off;
        const double size = std::isnan(error) ? HUGE_VAL : error;
        if (size > largest) {
          largest = size;
          worst = i;
        }
      }
    }
    if (off > 0) {
      const double difference = std::abs(got.data()[worst] - expected[worst]);
      throw std::runtime_error(
          text(op, "gradient of argument ", argument, how, " at ", position_of(worst, got.shape()),
               ": got ", got.data()[worst], ", expected ", expected[worst],
               " by central differences (", expected[worst] == 0 ? "error " : "relative error ",
               expected[worst] == 0 ? difference : difference / std::abs(expected[worst]), "); ",
               off, " of ", got.size(), got.size() == 1 ? " element is off" : " elements are off"));
    }
  }

  const TensorFunction& f_;
  const GradientCheck& options_;
  std::vector<Tensor> inputs_;
  Tensor weights_;
  std::vector<std::vector<double>> expected_;
};

/// Maps (x_1 ... x_n, w) to sum_k <v_k, d<w, f(x)> / dx_k>.
Tensor directional(const TensorFunction& f, const std::vector<Tensor>& arguments,
                   const GradientCheck& options) {
  const RecordingScope recording(true);
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k + 1 < arguments.size(); ++k) {
    const Tensor& x = arguments[k];
    inputs.push_back(x.requires_grad() ? x : x.detach().set_requires_grad());
  }
  const Tensor y = f(inputs);
  Tensor total = scalar(0);
  if (y.requires_grad()) {
    const std::vector<Tensor> gradients =
        grad({y}, inputs, {.create_graph = true, .gradients = {arguments.back()}});
    for (const Tensor& gradient : gradients) {
      const auto k = static_cast<std::uint32_t>(&gradient - gradients.data());
      total =
          total + sum(gradient * random_weights(gradient.shape(), key(options, kDirections + k)));
    }
  }
  return total;
}

}  // namespace

void check_gradient_at(const TensorFunction& f, const std::vector<Tensor>& inputs,
                       const GradientCheck& options) {
  need_double();
  const Checker checker(f, inputs, options);
  checker.compare();
  for (std::size_t k = 0; k < inputs.size() && inputs.size() > 1; ++k) {
    checker.compare(static_cast<int>(k));
  }
}

void check_gradient(const TensorFunction& f, const std::vector<Shape>& shapes,
                    const GradientCheck& options) {
  need_double();
  check_gradient_at(f, random_inputs(shapes, options), options);
}

void check_second_gradient_at(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const GradientCheck& options) {
  need_double();
  std::vector<Tensor> arguments = inputs;
  arguments.push_back(random_weights(f(inputs).shape(), key(options, kWeights)));
  const auto g = [&](const std::vector<Tensor>& x) { return directional(f, x, options); };
  check_gradient_at(g, arguments, options);
}

void check_second_gradient(const TensorFunction& f, const std::vector<Shape>& shapes,
                           const GradientCheck& options) {
  need_double();
  check_second_gradient_at(f, random_inputs(shapes, options), options);
}

}  // namespace gradus
