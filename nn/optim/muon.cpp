#include "nn/optim/muon.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Scalar kA = 3.4445, kB = -4.7750, kC = 2.0315;

bool is_muons(const NamedTensor& parameter) {
  const Shape& shape = parameter.tensor.shape();
  return parameter.role == Role::kHidden && shape.rank() == 2 && shape[0] > 1 && shape[1] > 1;
}

std::vector<NamedTensor> adamws(std::vector<NamedTensor> parameters) {
  std::erase_if(parameters, is_muons);
  return parameters;
}

}  // namespace

Tensor newton_schulz(const Tensor& x, int iterations) {
  check(x.rank() == 2, "newton_schulz: needs a matrix, got ", x.shape());
  check(iterations >= 0, "newton_schulz: iterations must not be negative, got ", iterations);
  const Index m = x.size(0), n = x.size(1), size = m * n;
  const bool tall = m > n;  // if so, multiply from the right with A = X^T X, which is smaller
  const Index k = std::min(m, n);
  Tensor y(x.shape()), next(x.shape()), a(Shape{k, k}), b(Shape{k, k});
  const auto norm = static_cast<Scalar>(static_cast<Scalar>(row_norm(x.data(), size)) + 1e-7);
  check(std::isfinite(norm), "newton_schulz: the norm of x must be finite, got ", norm,
        " for shape ", x.shape());
  map(size, x.data(), y.mutable_data(), [norm](Scalar v) { return v / norm; });
  for (int i = 0; i < iterations; ++i) {
    gemm(k, k, tall ? m : n, 1, {y.data(), n, tall}, {y.data(), n, !tall}, 0, a.mutable_data(), k);
    std::copy(a.begin(), a.end(), b.mutable_data());  // B = b A + c A A
    gemm(k, k, k, kC, {a.data(), k}, {a.data(), k}, kB, b.mutable_data(), k);
    std::copy(y.begin(), y.end(), next.mutable_data());  // a X + B X, or a X + X B
    if (tall) {
      gemm(m, n, k, 1, {y.data(), n}, {b.data(), k}, kA, next.mutable_data(), n);
    } else {
      gemm(m, n, k, 1, {b.data(), k}, {y.data(), n}, kA, next.mutable_data(), n);
    }
    std::swap(y, next);
  }
  return y;
}

Muon::Muon(std::vector<NamedTensor> parameters, const MuonOptions& options)
    : Optimiser(std::move(parameters), options.learning_rate),
      options_(options),
      rest_(adamws(this->parameters()), options.adamw) {
  check(options.momentum >= 0 && options.momentum < 1, "muon: momentum must be in [0, 1), got ",
        options.momentum);
  check(options.iterations >= 1, "muon: iterations must be at least 1, got ", options.iterations);
  check_factor("muon: weight_decay", options.weight_decay);
  check_factor("muon: adamw_rate", options.adamw_rate);
  check(!options.adamw.learning_rate,
        "muon: adamw.learning_rate is not used (set learning_rate; "
        "AdamW uses learning_rate * adamw_rate)");
  for (const NamedTensor& parameter : this->parameters()) {
    velocity_.push_back(is_muons(parameter) ? zeros(parameter.tensor.shape()) : Tensor());
  }
}

std::vector<NamedTensor> Muon::state() const {
  std::vector<NamedTensor> state = rest_.state();
  for (std::size_t i = 0; i < velocity_.size(); ++i) {
    if (velocity_[i].defined()) {
      state.push_back({"momentum_buffer." + parameters()[i].name, velocity_[i]});
    }
  }
  return state;
}

void Muon::set_rules(const std::function<void(const NamedTensor&, StepRule&)>& change) {
  Optimiser::set_rules(change);
  rest_.set_rules(change);
}

void Muon::apply(Scalar learning_rate, Scalar gradient_scale) {
  for (std::size_t i = 0; i < velocity_.size(); ++i) {
    if (velocity_[i].defined() && gradient(i) != nullptr) {
      update(i, 0, velocity_[i].size(), learning_rate * static_cast<Scalar>(rule(i).rate),
             gradient_scale);
    }
  }
  if (rest_.has_gradient()) {
    rest_.set_steps(steps() - 1);  // correct also after a resumed run has set them
    rest_.step(learning_rate * static_cast<Scalar>(options_.adamw_rate), gradient_scale);
  }
}

void Muon::update(std::size_t i, Index, Index, Scalar learning_rate, Scalar gradient_scale) {
  const Tensor& parameter = parameters()[i].tensor;
  const Tensor& g = *gradient(i);
  const Tensor& v = velocity_[i];
  const auto momentum = static_cast<Scalar>(options_.momentum);
  map(v.size(), v.data(), g.data(), v.mutable_data(),
      [=](Scalar v, Scalar g) { return momentum * v + g * gradient_scale; });
  Tensor direction = v;
  if (options_.nesterov) {
    direction = Tensor(v.shape());
    map(v.size(), v.data(), g.data(), direction.mutable_data(),
        [=](Scalar v, Scalar g) { return momentum * v + g * gradient_scale; });
  }
  const double in = static_cast<double>(v.size(0)), out = static_cast<double>(v.size(1));
  const auto rate = static_cast<Scalar>(learning_rate * std::sqrt(std::max(1.0, out / in)));
  const auto keep = static_cast<Scalar>(1 - learning_rate * options_.weight_decay * rule(i).decay);
  const Tensor step = newton_schulz(direction, options_.iterations);
  map(v.size(), parameter.data(), step.data(), parameter.mutable_data(),
      [=](Scalar w, Scalar s) { return keep * w - rate * s; });
}

}  // namespace gradus
