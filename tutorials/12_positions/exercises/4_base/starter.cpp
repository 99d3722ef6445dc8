// Exercise 12.4, 15 minutes: a base for longer rows.
//
// The slowest hand is pair k = channels / 2 - 1. From position 0 to position `positions` it may
// turn by half a turn, pi, and no more. Return the smallest base for which that holds. channels is
// even and more than 2.
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) { return 10000; }
