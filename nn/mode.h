/// @file
/// The training mode: the difference between training and use, as one scoped object instead of a
/// flag on every module.
#pragma once

#include "autograd/kernels/philox.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup modules
/// @{

/// While one of these exists, modules on this thread are in training mode: dropout drops.
///
/// The draws are a function of the seed, the step and the order in which modules ask, so that a run
/// resumed at a step repeats it bit for bit. They begin anew with each batch of a step, and each
/// part of a batch has its own, so that it does not matter which of several processes computes
/// what. Otherwise modules are in inference mode. Whether ops
/// record a graph is separate: see NoGrad.
/// @code
/// dropout_in_training(ones({1000}), Scalar(0.5)).at({0});  // 1
/// Training training(1, 0);  // seed 1, step 0
/// max(dropout_in_training(ones({1000}), Scalar(0.5))).item();  // 2
/// @endcode
class Training {
 public:
  /// The most parts that a batch may be divided into.
  static constexpr std::uint32_t kMostParts = 128;

  /// Begins training mode; the end of the scope ends it.
  Training(std::uint64_t seed, std::uint32_t step, std::uint32_t batch = 0, std::uint32_t part = 0);
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// Whether one exists on this thread.
  static bool active();
  /// The key of the next draw within the step.
  /// @throws std::logic_error if none exists.
  static RandomKey next_key();

 private:
  Training* outer_;
  RandomKey next_;
};

/// dropout() with probability p in training, x itself otherwise.
/// @throws std::invalid_argument if p is not in [0, 1).
Tensor dropout_in_training(const Tensor& x, Scalar p);

/// @}

}  // namespace gradus
