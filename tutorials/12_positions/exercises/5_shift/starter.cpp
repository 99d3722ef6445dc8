// Exercise 12.5, 15 minutes: the matrix that moves on.
//
// Tables have positions as rows. Return N [C, C] such that row t of matmul(table, N) is row
// t + distance of the table, for every t at once, with table = sinusoidal_table(..., channels).
// Mind on which side of the product the matrix is. distance may be negative.
#include "tutorials/12_positions/exercises.h"

Tensor my_shift(Index distance, Index channels) { return zeros({channels, channels}); }
