// rejected: the exponent of the last pair is (C - 2) / C, not 1
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) { return double(positions) / 3.141592653589793; }
