// rejected: the texts are not made of the same words
#include "tutorials/12_positions/exercises.h"

TwoTexts which_came_first() { return {.first = {3, 1, 4, 2, 5, 5}, .second = {5, 2, 3, 1, 4, 6}}; }
