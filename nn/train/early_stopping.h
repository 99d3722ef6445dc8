/// @file
/// When to stop training.
#pragma once

#include <cstdint>
#include <limits>

namespace gradus {

/// @addtogroup train
/// @{

/// Detects when the loss on held-out data has stopped falling, which is when a model begins to
/// memorise its training data: Prechelt, "Early stopping - but when?", 1998.
///
/// A plain struct: a checkpoint keeps `best` and `waited`, and a resumed run sets them.
/// @code
/// EarlyStopping early_stopping{.patience = 2};
/// early_stopping.stops(1.5);  // false
/// early_stopping.stops(1.6);  // false
/// early_stopping.stops(1.5);  // true
/// @endcode
struct EarlyStopping {
  std::int64_t patience = 10;    ///< evaluations without improvement, in a row, that stop training
  double least_improvement = 0;  ///< how far the loss must fall below the best to count

  double best = std::numeric_limits<double>::infinity();  ///< the lowest loss that counted
  std::int64_t waited = 0;                                ///< evaluations since then

  /// Takes the loss of one more evaluation; true if training should stop. NaN is never an
  /// improvement.
  /// @throws std::invalid_argument if patience is below 1 or least_improvement below 0.
  bool stops(double loss);
};

/// @}

}  // namespace gradus
