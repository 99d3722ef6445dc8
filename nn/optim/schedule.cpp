#include "nn/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gradus {
namespace {

double inverse_square_root(const Schedule& schedule, std::int64_t step) {
  const auto s = static_cast<double>(step) + 1;
  const auto warmup = static_cast<double>(std::max<std::int64_t>(schedule.warmup, 1));
  return s < warmup ? schedule.rate * s / warmup
                    : std::max(schedule.rate * std::sqrt(warmup / s), schedule.floor);
}

}  // namespace

double Schedule::at(std::int64_t step) const {
  if (kind == ScheduleKind::kInverseSquareRoot) {
    return inverse_square_root(*this, step);
  }
  if (step < warmup) {
    return rate * (static_cast<double>(step) + 1) / (static_cast<double>(warmup) + 1);
  }
  if (kind == ScheduleKind::kConstant) {
    return rate;
  }
  if (step >= decay) {
    return floor;
  }
  const auto first = static_cast<double>(warmup), last = static_cast<double>(decay);
  const double done = (static_cast<double>(step) - first) / (last - first);
  if (kind == ScheduleKind::kLinear) {
    return floor + (1 - done) * (rate - floor);
  }
  return floor + 0.5 * (1 + std::cos(std::numbers::pi * done)) * (rate - floor);
}

}  // namespace gradus
