/// @file
/// Learning rates over time.
#pragma once

#include <cstdint>

namespace gradus {

/// @addtogroup optim
/// @{

/// A linear warm-up, then half a cosine down to a floor (Loshchilov and Hutter, "SGDR", 2017), as
/// nanoGPT computes it: step t of `warmup` gets rate (t + 1) / (warmup + 1), steps beyond `decay`
/// get `floor`.
struct CosineSchedule {
  double rate = 1e-3;         ///< the highest
  double floor = 1e-4;        ///< the last
  std::int64_t warmup = 100;  ///< steps of warm-up
  std::int64_t decay = 5000;  ///< the step at which the floor is reached

  /// The rate of this step; the first is step 0.
  double at(std::int64_t step) const;
};

/// @}

}  // namespace gradus
