// rejected: a model without positions distinguishes them
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {.first = {3, 1, 4, 2, 3, 4}, .second = {3, 2, 4, 1, 3, 3}}; }
