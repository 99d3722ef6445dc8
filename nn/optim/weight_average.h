/// @file
/// Averages of the weights over training steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/module.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// An exponential moving average of parameters, to evaluate in place of the parameters: it averages
/// out the noise of single steps. Polyak and Juditsky, "Acceleration of stochastic approximation by
/// averaging", 1992.
///
/// After n calls of update() with weights \f$ w_1, \dots, w_n \f$ and decay d, the average is
/// \f[ \frac{\sum_{k=1}^n d^{n-k}\,w_k}{\sum_{k=1}^n d^{n-k}} \f]
/// The values before the first call do not count, so early averages are not biased towards the
/// initial weights. With d = 1 it is Polyak's plain mean; with d = 0, the last weights. A
/// WeightAverage holds handles to the parameters.
/// @code
/// Tensor w = tensor({1});
/// WeightAverage average({{"w", w}}, 1);
/// average.update();
/// w.mutable_data()[0] = 3;  // a step
/// average.update();
/// {
///   const WeightAverage::InUse in_use(average);
///   w;  // [2]
/// }
/// w;  // [3]
/// @endcode
class WeightAverage {
 public:
  /// Keeps handles to these parameters, and begins with copies of them.
  /// @throws std::invalid_argument if decay is not in [0, 1].
  explicit WeightAverage(std::vector<NamedTensor> parameters, double decay = 0.999);

  /// Updates the averages with the current parameters. Call it after each step.
  /// @throws std::logic_error while the averages are in use.
  void update();

  /// Swaps parameters and averages; a second call swaps them back.
  void swap();
  /// Whether the parameters hold the averages.
  bool in_use() const { return in_use_; }

  /// While an object of this class exists, the parameters hold the averages.
  class InUse {
   public:
    /// Swaps the averages in.
    explicit InUse(WeightAverage& average) : InUse(&average) {}
    /// The same; does nothing for nullptr.
    explicit InUse(WeightAverage* average) : average_(average) { swap(); }
    ~InUse() { swap(); }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

   private:
    void swap() {
      if (average_ != nullptr) {
        average_->swap();
      }
    }
    WeightAverage* average_;
  };

  /// Returns handles to the averages, with names such as `average.transformer.wte.weight`, for
  /// checkpoints.
  std::vector<NamedTensor> state() const;
  /// The number of updates so far. When you resume a run, set this and the state.
  std::int64_t updates() const { return updates_; }
  /// See updates().
  void set_updates(std::int64_t updates) { updates_ = updates; }

 private:
  std::vector<NamedTensor> parameters_;
  std::vector<Tensor> averages_;
  double decay_;
  std::int64_t updates_ = 0;
  bool in_use_ = false;
};

/// @}

}  // namespace gradus
