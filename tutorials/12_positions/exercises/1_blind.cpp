// Exercise 12.1, 5 minutes: two texts that look the same.
//
// Two texts of six tokens each, tokens from 0 to 7. In each, token 1 stands once and token 2 stands
// once. In the first text 1 comes before 2, in the second 2 comes before 1. Choose them such that
// no attention without positions can tell one text from the other, whatever its weights are.
#include "tutorials/12_positions/exercises.h"

TwoTexts which_came_first() { return {.first = {0, 0, 0, 0, 0, 0}, .second = {0, 0, 0, 0, 0, 0}}; }
