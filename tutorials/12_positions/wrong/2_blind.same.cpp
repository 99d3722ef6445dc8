// rejected: in the second row 2 must come before 1
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {.first = {3, 1, 4, 2, 5, 5}, .second = {3, 1, 4, 2, 5, 5}}; }
