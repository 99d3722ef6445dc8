#include "compare.h"

TEST_CASE("pocket's ops equal gradus's, with all gradients") {
  // Both engines round in float, in different orders. The largest difference was 6e-7, ten units in
  // a number's last place. Another processor's vectors may round differently.
  compare(pocket::run_ops(), on_gradus::run_ops(), 2e-6);
}
