// rejected: must have 6 tokens
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {.first = {1, 2}, .second = {2, 1}}; }
