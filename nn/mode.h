/// @file
/// The training mode: a scoped object puts modules into training mode, in place of a flag on every
/// module.
#pragma once

#include "autograd/kernels/philox.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup modules
/// @{

/// While an object of this class exists, modules on its thread are in training mode, in which
/// dropout sets elements to 0. Without one, they are in inference mode. Whether ops record a graph
/// is a separate question: see NoGrad.
///
/// The random draws depend only on the seed, the step and the order of the calls of next_key(), so
/// that a run resumed at a step repeats it bit for bit. Each batch of a step, and each part of a
/// batch, has its own draws. The result therefore does not depend on which process computes which
/// part.
/// @code
/// dropout_in_training(ones({1000}), Scalar(0.5)).at({0});  // 1
/// Training training(1, 0);  // seed 1, step 0
/// max(dropout_in_training(ones({1000}), Scalar(0.5))).item();  // 2
/// @endcode
class Training {
 public:
  /// The largest number of parts of a batch.
  static constexpr std::uint32_t kMostParts = 128;

  /// Begins training mode, which ends with the object's scope. `batch` is the number of the batch
  /// within the step and `part` the number of the part within the batch, both from 0.
  Training(std::uint64_t seed, std::uint32_t step, std::uint32_t batch = 0, std::uint32_t part = 0);
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// Whether such an object exists on this thread.
  static bool active();
  /// Returns the key of the next draw within the step.
  /// @throws std::logic_error if no such object exists on this thread.
  static RandomKey next_key();

 private:
  Training* outer_;
  RandomKey next_;
};

/// Returns dropout(x) with probability p in training, and x itself otherwise. Any shape.
/// @throws std::invalid_argument if p is not in [0, 1).
Tensor dropout_in_training(const Tensor& x, Scalar p);

/// @}

}  // namespace gradus
