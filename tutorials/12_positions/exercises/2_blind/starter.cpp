// Exercise 12.2, 5 minutes: two rows that look the same.
//
// Tokens are 0 to 7. Write two rows of six tokens which attention without positions cannot
// distinguish. Both contain token 1 once and token 2 once. In the first row 1 comes before 2, in
// the second 2 comes before 1.
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {}; }
