#include "compare.h"

TEST_CASE("pocket's models give the same numbers on both engines") {
  // The largest difference was 4e-7 of an output or gradient, and 2e-7 of a loss in 20 steps.
  // Training enlarges differences in rounding, so the tolerance leaves room for other processors.
  compare(pocket::run_models(), on_gradus::run_models(), 1e-5);
}
