#include "nn/optim/optimiser.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/kernels/rows.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Index kChunk = 32 * 1024;

bool is_factor(double x) { return x >= 0 && std::isfinite(x); }

}  // namespace

ParameterChunks::ParameterChunks(const std::vector<NamedTensor>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Index size = parameters[i].tensor.size();
    elements_ += size;
    for (Index begin = 0; begin < size; begin += kChunk) {
      chunks_.push_back({i, begin, std::min(size, begin + kChunk)});
    }
  }
}

Optimiser::Optimiser(std::vector<NamedTensor> parameters, std::optional<double> learning_rate)
    : parameters_(std::move(parameters)),
      chunks_(parameters_),
      squares_(chunks_.chunks().size()),
      learning_rate_(learning_rate) {
  if (learning_rate) check_factor("optimiser: learning_rate", *learning_rate);
  std::map<const Node*, std::string> known;
  for (const auto& [name, tensor, role] : parameters_) {
    check(tensor.requires_grad(), "optimiser: parameter ", name,
          " collects no gradient (freeze it ",
          "by leaving it out of the list, or call set_requires_grad())");
    const auto [first, is_new] = known.emplace(tensor.node().get(), name);
    check(is_new, "optimiser: parameter ", name, " is listed twice, first as ", first->second);
    rules_.push_back({.rate = 1, .decay = tensor.rank() >= 2 ? 1.0 : 0.0});
  }
}

void Optimiser::set_rules(const std::function<void(const NamedTensor&, StepRule&)>& change) {
  std::vector<StepRule> rules = rules_;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    change(parameters_[i], rules[i]);
    const auto& [rate, decay] = rules[i];
    check(is_factor(rate) && is_factor(decay), "optimiser: the rate and decay of ",
          parameters_[i].name, " must be finite and not negative, got ", rate, " and ", decay);
  }
  rules_ = std::move(rules);
}

template <class Body>
void Optimiser::for_each_chunk(Body&& body) const {
  const auto chunks = static_cast<Index>(chunks_.chunks().size());
  // Each thread gets chunks with at least one full chunk's elements in all.
  const Index grain = chunks * kChunk / (chunks_.elements() + 1) + 1;
  parallel_for(chunks, grain, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      body(static_cast<std::size_t>(c));
    }
  });
}

void Optimiser::step() {
  check(learning_rate_.has_value(),
        "optimiser: step() needs a learning rate (set learning_rate in ",
        "the options, or pass it: step(rate))");
  step(static_cast<Scalar>(*learning_rate_));
}

void Optimiser::step(Scalar learning_rate, Scalar gradient_scale) {
  check(has_gradient(), "optimiser: none of its ", parameters_.size(),
        " parameters has a gradient (call backward() between zero_grad() and step())");
  check(std::isfinite(learning_rate) && std::isfinite(gradient_scale),
        "optimiser: the learning rate and the scale of the gradients must be finite, got ",
        learning_rate, " and ", gradient_scale);
  ++steps_;
  for (const NamedTensor& parameter : parameters_) {
    parameter.tensor.mutable_data();  // counts the change
  }
  apply(learning_rate, gradient_scale);
}

void Optimiser::apply(Scalar learning_rate, Scalar gradient_scale) {
  for_each_chunk([&](std::size_t c) {
    const auto& [i, begin, end] = chunks_.chunks()[c];
    if (gradient(i) != nullptr) {
      update(i, begin, end, learning_rate * static_cast<Scalar>(rules_[i].rate), gradient_scale);
    }
  });
}

void Optimiser::zero_grad() {
  for (NamedTensor& parameter : parameters_) {
    if (parameter.tensor.requires_grad()) {
      parameter.tensor.zero_grad();
    }
  }
}

bool Optimiser::has_gradient() const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (gradient(i) != nullptr) {
      return true;
    }
  }
  return false;
}

const Tensor* Optimiser::gradient(std::size_t i) const {
  const Node* node = parameters_[i].tensor.node().get();
  return node != nullptr && node->grad.defined() ? &node->grad : nullptr;
}

double Optimiser::gradient_norm() const {
  const auto of_each_chunk = [&](auto f) {
    for_each_chunk([&](std::size_t c) {
      const auto& [i, begin, end] = chunks_.chunks()[c];
      const Tensor* grad = gradient(i);
      squares_[c] = grad != nullptr ? f(grad->data() + begin, end - begin) : 0;
    });
  };
  of_each_chunk([](const Scalar* x, Index n) { return row_dot(x, x, n); });
  double total = 0;
  for (double square : squares_) {
    total += square;
  }
  if (fits_squares(total, chunks_.elements()) || std::isnan(total)) {
    return std::sqrt(total);
  }
  of_each_chunk([](const Scalar* x, Index n) { return row_norm(x, n); });  // no squares now
  const double top = squares_.empty() ? 0 : *std::ranges::max_element(squares_);
  if (top == 0 || std::isinf(top)) {
    return top;
  }
  total = 0;
  for (double norm : squares_) {
    total += (norm / top) * (norm / top);
  }
  return top * std::sqrt(total);
}

std::vector<Tensor> Optimiser::zeros_like_parameters() const {
  std::vector<Tensor> zero;
  for (const NamedTensor& parameter : parameters_) {
    zero.push_back(zeros(parameter.tensor.shape()));
  }
  return zero;
}

void detail::check_factor(const char* what, double value) {
  check(value >= 0 && std::isfinite(value), what, " must be finite and not negative, got ", value);
}

Scalar clip_scale(double gradient_norm, double max_norm) {
  check(gradient_norm >= 0 && std::isfinite(gradient_norm),
        "clip_scale: the norm of the gradients must be finite and not negative, got ",
        gradient_norm, " (a gradient is infinite or NaN: leave the step out)");
  check(max_norm >= 0, "clip_scale: max_norm must not be negative, got ", max_norm,
        " (0 is no limit)");
  const bool clips = max_norm > 0 && gradient_norm > max_norm;
  return clips ? static_cast<Scalar>(max_norm / (gradient_norm + 1e-6)) : Scalar(1);
}

}  // namespace gradus
