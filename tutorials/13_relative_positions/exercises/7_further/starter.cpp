// Exercise 13.7, 15 minutes: read further, by the table alone.
//
// The page's rotary model of *the letter before*, trained on 16 positions with this table, fails
// from about position 39 on. Give the trained model another table, of the same layout, with which
// it reads 64 positions, and still reads the first 16.
#include "tutorials/13_relative_positions/exercises.h"

Tensor further_table(Index positions) { return rotary_table(positions, 8, 10000); }
