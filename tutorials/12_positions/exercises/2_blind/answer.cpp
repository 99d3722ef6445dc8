// The same six tokens in two orders: attention sees a set.
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {.first = {3, 1, 4, 2, 5, 5}, .second = {3, 2, 4, 1, 5, 5}}; }
