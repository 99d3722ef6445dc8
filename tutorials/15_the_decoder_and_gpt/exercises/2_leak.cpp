// Exercise 15.2, 15 minutes: which of three models leaks?
//
// Three language models, tokens [1, T] to logits [1, T, V]. In two of them the logits of place t
// depend on tokens 0 to t at most. In one, somewhere, they depend on a later token. Return the
// number of that one: 0, 1 or 2. You may call the models as often as you like, with texts of up to
// `time` tokens of [0, vocabulary). Not every leak shows at every place.
#include "tutorials/15_the_decoder_and_gpt/exercises.h"

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index time) { return 0; }
