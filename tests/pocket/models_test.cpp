#include "compare.h"

TEST_CASE("pocket's models give the same numbers on both engines") {
  compare(pocket::run_models(), on_gradus::run_models(), 2e-5);
}
