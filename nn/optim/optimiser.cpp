#include "nn/optim/optimiser.h"

#include <algorithm>
#include <cmath>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/parallel_for.h"

namespace gradus {
namespace {

constexpr Index kChunk = 32 * 1024;

}  // namespace

ParameterChunks::ParameterChunks(const std::vector<NamedTensor>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Index size = parameters[i].tensor.size();
    for (Index begin = 0; begin < size; begin += kChunk) {
      chunks_.push_back({i, begin, std::min(size, begin + kChunk)});
    }
  }
}

Optimiser::Optimiser(std::vector<NamedTensor> parameters)
    : parameters_(std::move(parameters)), chunks_(parameters_), squares_(chunks_.chunks().size()) {
  for (const auto& [name, tensor] : parameters_) {
    check(tensor.requires_grad(), "optimiser: parameter ", name,
          " collects no gradient (freeze it ",
          "by leaving it out of the list, or call set_requires_grad())");
  }
}

void Optimiser::step(Scalar learning_rate, Scalar gradient_scale) {
  ++steps_;
  apply(learning_rate, gradient_scale);
}

void Optimiser::apply(Scalar learning_rate, Scalar gradient_scale) {
  const auto& chunks = chunks_.chunks();
  parallel_for(static_cast<Index>(chunks.size()), 1, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      const auto& [i, begin, end] = chunks[c];
      if (parameters_[i].tensor.node()->grad.defined()) {
        update(i, begin, end, learning_rate, gradient_scale);
      }
    }
  });
}

void Optimiser::zero_grad() {
  for (NamedTensor& parameter : parameters_) {
    parameter.tensor.zero_grad();
  }
}

double Optimiser::gradient_norm() const {
  const auto& chunks = chunks_.chunks();
  parallel_for(static_cast<Index>(chunks.size()), 1, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      const auto& [parameter, begin, end] = chunks[c];
      const Tensor& grad = parameters_[parameter].tensor.node()->grad;
      Scalar sum = 0;
      if (grad.defined()) {
        const Scalar* g = grad.data();
#pragma omp simd reduction(+ : sum)
        for (Index i = begin; i < end; ++i) {
          sum += g[i] * g[i];
        }
      }
      squares_[c] = sum;
    }
  });
  double total = 0;
  for (double square : squares_) {
    total += square;
  }
  return std::sqrt(total);
}

std::vector<Tensor> Optimiser::zeros_like_parameters() const {
  std::vector<Tensor> zero;
  for (const NamedTensor& parameter : parameters_) {
    zero.push_back(zeros(parameter.tensor.shape()));
  }
  return zero;
}

Scalar clip_scale(double gradient_norm, double max_norm) {
  const bool clips = max_norm > 0 && gradient_norm > max_norm;
  return clips ? static_cast<Scalar>(max_norm / (gradient_norm + 1e-6)) : Scalar(1);
}

}  // namespace gradus
