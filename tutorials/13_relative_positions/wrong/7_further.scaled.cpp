// rejected: is no rotation
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) { return 2.5 * rotary_table(positions, 8, 160000); }
