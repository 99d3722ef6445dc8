#include "nn/train/early_stopping.h"

#include "autograd/check.h"

namespace gradus {
using namespace detail;

bool EarlyStopping::stops(double loss) {
  check(patience >= 1, "early stopping: patience must be at least 1, got ", patience);
  check(least_improvement >= 0, "early stopping: least_improvement must not be negative, got ",
        least_improvement);
  if (loss < best - least_improvement) {
    best = loss;
    waited = 0;
  } else {
    ++waited;
  }
  return waited >= patience;
}

}  // namespace gradus
