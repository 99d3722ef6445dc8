// rejected: 1000 positions, 4 channels: with base 10000
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) { return 10000; }
