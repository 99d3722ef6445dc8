#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "autograd/kernels/allocator.h"

// Fills memory blocks with NaN: an op that does not write all of its result must not pass with the
// right numbers of an earlier run.
[[maybe_unused]] static const bool filled = [] {
  gradus::fill_blocks_with_nan(true);
  return true;
}();
