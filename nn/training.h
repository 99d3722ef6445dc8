/// @file
/// What differs between training and use, as one scoped object instead of flags on every module.
#pragma once

#include "autograd/kernels/philox.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup modules
/// @{

/// Keys for the random numbers of a model's initial values: one after another from a seed.
class KeySequence {
 public:
  /// The keys of this seed, from the first.
  explicit KeySequence(std::uint64_t seed) : key_{seed, kStep, 0} {}
  /// A key that no earlier call returned.
  RandomKey next() {
    RandomKey key = key_;
    ++key_.place;
    return key;
  }

 private:
  static constexpr std::uint32_t kStep = 0xffffffff;  // no step of training draws from these
  RandomKey key_;
};

/// While one of these exists, modules on this thread behave as in training: dropout drops.
///
/// The draws are a function of seed, step and the order in which modules ask, so that a run that is
/// resumed at a step repeats it bit for bit. Without one, modules behave as in use. Whether ops
/// record a graph is another matter: see NoGrad.
/// @code
/// Training training(seed, step);
/// backward(model.loss(inputs, targets));
/// @endcode
class Training {
 public:
  /// Begins the training mode; the end of the scope ends it.
  Training(std::uint64_t seed, std::uint32_t step);
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
Tensor dropout_in_training(const Tensor& x, Scalar p);

/// @}

}  // namespace gradus
