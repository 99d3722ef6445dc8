// rejected: not even within
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) { return rotary_table(positions, 8, 1e9); }
