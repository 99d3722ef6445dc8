// Exercise 12.2, 5 minutes: two rows that look the same.
//
// Tokens are 0 to 7. Write two rows of six tokens which attention without positions cannot
// distinguish: both contain token 1 once and token 2 once, and 1 comes first in the first row, 2 in
// the second.
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {}; }
