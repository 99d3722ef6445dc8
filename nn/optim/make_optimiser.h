/// @file
/// Makes optimisers by name.
#pragma once

#include <array>
#include <memory>

#include "nn/optim/adam.h"
#include "nn/optim/adamw.h"
#include "nn/optim/muon.h"
#include "nn/optim/rmsprop.h"
#include "nn/optim/sgd.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// The optimisers.
enum class OptimiserKind {
  kSgd,       ///< Sgd without momentum
  kMomentum,  ///< Sgd with momentum
  kNesterov,  ///< Sgd with Nesterov's momentum
  kRmsprop,   ///< Rmsprop
  kAdam,      ///< Adam
  kAdamw,     ///< AdamW
  kMuon,      ///< Muon, with AdamW for parameters that are not matrices
};
/// The names of the values in files and flags.
constexpr std::array<const char*, 7> names_of(OptimiserKind) {
  return {"sgd", "momentum", "nesterov", "rmsprop", "adam", "adamw", "muon"};
}

/// The settings of all optimisers; make_optimiser() reads the ones for its kind.
struct OptimiserOptions {
  SgdOptions sgd = {.momentum = 0.9};  ///< for kMomentum and kNesterov; kSgd uses its rate only
  RmspropOptions rmsprop = {};         ///< for kRmsprop
  AdamOptions adam = {};               ///< for kAdam
  AdamWOptions adamw = {};             ///< for kAdamw
  MuonOptions muon = {};               ///< for kMuon
};

/// Makes an optimiser of this kind for these parameters.
/// @throws std::invalid_argument as its constructor does.
///
/// @code
/// KeySequence keys(1);
/// Linear layer(3, 2, keys);
/// auto optimiser = make_optimiser(OptimiserKind::kSgd, parameters(layer),
///                                 {.sgd = {.learning_rate = 0.1}});
/// @endcode
std::unique_ptr<Optimiser> make_optimiser(OptimiserKind kind, std::vector<NamedTensor> parameters,
                                          const OptimiserOptions& options = {});

/// @}

}  // namespace gradus
