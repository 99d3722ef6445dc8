/// @file
/// Learning rates as a function of the step.
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
  kInverseSquareRoot,  ///< falls as \f$ 1/\sqrt s \f$ at step s: Vaswani and others, 2017
};
/// The names of the values in files and flags.
constexpr std::array<const char*, 4> names_of(ScheduleKind) {
  return {"cosine", "linear", "constant", "inverse_sqrt"};
}

/// A learning rate schedule: a linear warm-up, followed by a decay.
///
/// Cosine, linear and constant follow nanoGPT. With W = `warmup`, step t < W has the rate
/// \f$ \mathrm{rate}\,(t + 1) / (W + 1) \f$. Cosine and linear then fall until step `decay`, and
/// later steps have the rate `floor`; constant stays at `rate`. With d rising from 0 at step W to 1
/// at step `decay`, the cosine is
/// \f[ \mathrm{floor} + \frac{1 + \cos \pi d}{2}\,(\mathrm{rate} - \mathrm{floor}) \f]
/// The inverse square root has no end and ignores `decay`. With s = t + 1 it is
/// \f[ \mathrm{rate} \cdot \min\bigl(s / W,\, \sqrt{W / s}\bigr) \f]
/// and after the warm-up at least `floor`. With rate \f$ 1/\sqrt{CW} \f$ for C = d_model channels
/// and floor 0, this is the schedule of "Attention is all you need".
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
  ScheduleKind kind = ScheduleKind::kCosine;  ///< the decay after the warm-up

  /// Returns the rate of this step, counted from 0.
  double at(std::int64_t step) const;
};

/// @}

}  // namespace gradus
