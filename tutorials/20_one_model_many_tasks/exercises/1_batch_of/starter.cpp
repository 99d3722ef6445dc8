// Exercise 20.1, 15 minutes: targets for the answers alone.
//
// Make a batch of rows: inputs and targets [B, T], where T is the number of tokens of the longest
// row, prompt and answer together, less 1. A position reads a token and has the next one as its
// target. Inside a prompt the target is -100; with `everything` it is the next token there, too.
// The first token of the answer is always asked for, and so is the end. Shorter rows are padded on
// the right: inputs with kEnd, targets with -100.
#include "tutorials/20_one_model_many_tasks/exercises.h"

Batch batch_of(const Rows& rows, bool everything) { return {}; }
