#include "nn/optim/schedule.h"

#include <cmath>
#include <numbers>

namespace gradus {

double CosineSchedule::at(std::int64_t step) const {
  if (step < warmup) {
    return rate * static_cast<double>(step + 1) / static_cast<double>(warmup + 1);
  }
  if (step >= decay) {
    return floor;
  }
  const double done = static_cast<double>(step - warmup) / static_cast<double>(decay - warmup);
  return floor + 0.5 * (1 + std::cos(std::numbers::pi * done)) * (rate - floor);
}

}  // namespace gradus
