#include "nn/optim/make_optimiser.h"

namespace gradus {

std::unique_ptr<Optimiser> make_optimiser(OptimiserKind kind, std::vector<NamedTensor> parameters,
                                          const OptimiserOptions& options) {
  SgdOptions sgd = options.sgd;
  switch (kind) {
    case OptimiserKind::kSgd:
      sgd = {.learning_rate = sgd.learning_rate};
      break;
    case OptimiserKind::kMomentum:
    case OptimiserKind::kNesterov:
      sgd.nesterov = kind == OptimiserKind::kNesterov;
      break;
    case OptimiserKind::kRmsprop:
      return std::make_unique<Rmsprop>(std::move(parameters), options.rmsprop);
    case OptimiserKind::kAdam:
      return std::make_unique<Adam>(std::move(parameters), options.adam);
    case OptimiserKind::kAdamw:
      return std::make_unique<AdamW>(std::move(parameters), options.adamw);
    case OptimiserKind::kMuon:
      return std::make_unique<Muon>(std::move(parameters), options.muon);
  }
  return std::make_unique<Sgd>(std::move(parameters), sgd);
}

}  // namespace gradus
