#include "nn/optim/weight_average.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/kernels/loops.h"

namespace gradus {
using namespace detail;

WeightAverage::WeightAverage(std::vector<NamedTensor> parameters, double decay)
    : parameters_(std::move(parameters)), decay_(decay) {
  check(decay >= 0 && decay <= 1, "weight average: decay must be in [0, 1], got ", decay);
  for (const NamedTensor& parameter : parameters_) {
    averages_.push_back(parameter.tensor.clone());
  }
}

void WeightAverage::update() {
  if (in_use_) {
    throw std::logic_error(
        "weight average: update() needs the model's own weights, but the averages are in use (call "
        "swap() first)");
  }
  ++updates_;
  // The share of the newest weights in the average: d^0 / (d^(n-1) + ... + d + 1).
  const auto n = static_cast<double>(updates_);
  const auto share =
      static_cast<Scalar>(decay_ < 1 ? (1 - decay_) / (1 - std::pow(decay_, n)) : 1 / n);
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    Scalar* average = averages_[i].mutable_data();
    map(averages_[i].size(), average, parameters_[i].tensor.data(), average,
        [share](Scalar a, Scalar w) { return a + share * (w - a); });
  }
}

void WeightAverage::swap() {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    Scalar *average = averages_[i].mutable_data(), *used = parameters_[i].tensor.mutable_data();
    std::swap_ranges(average, average + averages_[i].size(), used);
  }
  in_use_ = !in_use_;
}

std::vector<NamedTensor> WeightAverage::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    state.push_back({"average." + parameters_[i].name, averages_[i]});
  }
  return state;
}

}  // namespace gradus
