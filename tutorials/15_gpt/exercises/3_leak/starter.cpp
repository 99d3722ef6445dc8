// Exercise 15.3, 15 minutes: which of three models leaks?
//
// Three language models (`Model` in exercises.h) map tokens [1, T] to logits [1, T, V]. Two of them
// are sound: the logits of position t depend on no token after t. One leaks: some position depends
// on a later token. Return the number of the one that leaks: 0, 1 or 2. Call the models as often as
// you like, with up to `length` tokens below `vocabulary`. A leak need not show at every position.
#include "tutorials/15_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index length) { return 0; }
