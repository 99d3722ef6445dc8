// Exercise 20.7, 45 minutes: a fourth task.
//
// Think of a task, and write the grammar that draws one example of it: what the model reads, and
// what it should write. `tweet`, `translation` and `report` of prompts.h show how: draws.pick(list)
// takes one of a list, draws.chance(75) is true in 75 of 100 draws, draws.below(n) is from 0 to
// n - 1. Ideas: the same sentence in the past, or with "not"; a sum in words; a list backwards; a
// question on a report.
//
// - Each prompt ends with one mark of your own, such as <past>, which no other task has.
// - The answer follows from the prompt: it may not depend on a draw that the prompt does not show.
// - There are at least 1100 different prompts, and no answer fits nine of ten. With "." or "!" at
//   its end a prompt is the same one.
// - Prompt and answer have at most 40 tokens together, and the answer at most 11.
//
// Once this holds, the check trains: a model of three tasks learns yours beside them.
#include "tutorials/20_one_model_many_tasks/exercises.h"

Prompt fourth(Draws& draws) { return {}; }
