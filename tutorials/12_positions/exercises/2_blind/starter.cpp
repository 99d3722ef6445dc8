// Exercise 12.2, 10 minutes: two rows that look the same.
//
// Tokens are 0 to 7. Write a row of three tokens and a row of six which attention without positions
// cannot distinguish: the mean of its outputs is the same for both. Both rows contain the tokens 1
// and 2. In the first row the first 1 comes before the first 2, in the second row after it.
#include "tutorials/12_positions/exercises.h"

TwoRows which_came_first() { return {}; }
