/// @file
/// Learning rates over time.
#pragma once

#include <array>
#include <cstdint>

namespace gradus {

/// @addtogroup optim
/// @{

/// The learning rate after the warm-up.
enum class ScheduleKind {
  kCosine,             ///< half a cosine from rate to floor: Loshchilov and Hutter, "SGDR", 2017
  kLinear,             ///< linear from rate to floor
  kConstant,           ///< stays at rate
  kInverseSquareRoot,  ///< falls as 1 / sqrt(step): Vaswani and others, 2017
};
/// Their names in files and flags.
constexpr std::array<const char*, 4> names_of(ScheduleKind) {
  return {"cosine", "linear", "constant", "inverse_sqrt"};
}

/// A linear warm-up, followed by decay.
///
/// Cosine, linear and constant follow nanoGPT: step t of `warmup` gets rate (t + 1) / (warmup + 1),
/// then the decay ends at step `decay`, and later steps get `floor`. The inverse square root has no
/// end: with s = t + 1, it is rate min(s / warmup, sqrt(warmup / s)), after the warm-up at least
/// `floor`; it ignores `decay`.
/// @code
/// const Schedule schedule{.rate = 1, .floor = 0, .warmup = 3, .decay = 5};
/// schedule.at(0);  // 0.25
/// schedule.at(3);  // 1
/// schedule.at(4);  // 0.5
/// schedule.at(5);  // 0
/// @endcode
struct Schedule {
  double rate = 1e-3;                         ///< the maximum
  double floor = 1e-4;                        ///< the final rate
  std::int64_t warmup = 100;                  ///< steps of warm-up
  std::int64_t decay = 5000;                  ///< the step at which the floor is reached
  ScheduleKind kind = ScheduleKind::kCosine;  ///< what comes after the warm-up

  /// The rate of this step, counted from 0.
  double at(std::int64_t step) const;
};

/// The schedule of "Attention is all you need", 2017: d_model^-0.5 min(s^-0.5, s warmup^-1.5) at
/// step s, counted from 1.
Schedule transformer_schedule(std::int64_t d_model, std::int64_t warmup = 4000);

/// @}

}  // namespace gradus
