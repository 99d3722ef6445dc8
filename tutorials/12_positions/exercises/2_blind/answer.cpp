// The second row has each token of the first twice: attention sees only the shares of tokens.
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {.first = {3, 1, 2}, .second = {2, 3, 1, 1, 2, 3}}; }
