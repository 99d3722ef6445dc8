#include "compare.h"

TEST_CASE("pocket's ops equal gradus's, with all gradients") {
  // Both round in float, in different orders. The largest difference was 6e-7, ten units of a
  // number's last place; another processor's vectors may round otherwise.
  compare(pocket::run_ops(), on_gradus::run_ops(), 2e-6);
}
