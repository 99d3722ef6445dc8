// rejected: rows do not depend on
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) {
  return rotary_table(positions, 8, positions == 64 ? 160000 : 10000);
}
