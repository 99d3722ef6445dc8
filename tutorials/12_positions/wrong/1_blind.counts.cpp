// rejected: a word stands in one text more often than in the other
#include "tutorials/12_positions/exercises.h"

TwoTexts which_came_first() { return {.first = {3, 1, 4, 2, 4, 3}, .second = {3, 2, 4, 1, 4, 4}}; }
