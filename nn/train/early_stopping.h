/// @file
/// When to stop training.
#pragma once

#include <cstdint>
#include <limits>

namespace gradus {

/// @addtogroup train
/// @{

/// Says when a loss on held-out data has stopped falling, which is when a model begins to learn its
/// training data by heart: Prechelt, "Early stopping - but when?", 1998.
///
/// A plain struct: a checkpoint keeps `best` and `waited`, and a resumed run sets them.
/// @code
/// EarlyStopping early_stopping{.patience = 5};
/// while (!early_stopping.stops(validation_loss())) { train_for_a_while(); }
/// @endcode
struct EarlyStopping {
  std::int64_t patience = 10;    ///< evaluations in a row without improvement that end it
  double least_improvement = 0;  ///< how far the loss must fall below the best one to count

  double best = std::numeric_limits<double>::infinity();  ///< the lowest loss that counted
  std::int64_t waited = 0;                                ///< evaluations since then

  /// Takes in the loss of one more evaluation; true if training should stop. NaN does not improve
  /// on anything.
  /// @throws std::invalid_argument if patience is below 1 or least_improvement below 0.
  bool stops(double loss);
};

/// @}

}  // namespace gradus
