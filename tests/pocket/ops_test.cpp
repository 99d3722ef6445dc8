#include "compare.h"

TEST_CASE("pocket's ops equal gradus's, with all gradients") {
  // Both round in float, in different orders: a few units of its last place, 6e-8.
  compare(pocket::run_ops(), on_gradus::run_ops(), 2e-6);
}
