// Keeps the numbers, not the handles, of the best look, and writes them back into the same tensors.
#include <limits>

#include "tutorials/06_learning/exercises.h"

using namespace pocket;

int my_early_stopping(std::vector<NamedTensor> parameters, const Watched& run) {
  std::vector<std::vector<Scalar>> best;
  double least = std::numeric_limits<double>::infinity();
  int taken = 0, waited = 0;
  for (int step = 1; step <= run.steps && waited < run.patience; ++step) {
    run.train_step(step - 1);
    if (step % run.every > 0) continue;
    const double loss = run.validation_loss();
    ++waited;
    if (!(loss < least)) continue;
    least = loss, taken = step, waited = 0;
    best.clear();
    for (const NamedTensor& x : parameters) best.emplace_back(x.tensor.begin(), x.tensor.end());
  }
  for (std::size_t k = 0; k < best.size(); ++k) {
    std::copy(best[k].begin(), best[k].end(), parameters[k].tensor.mutable_data());
  }
  return taken;
}
