// Exercise 09.4, 15 minutes: weights by hand.
//
// Four tokens, and an attention that copies: token t must get the value of token t - 1, and token 0
// its own. The values are given; you choose queries and keys, [4, 4] each, so that
// softmax(q k^T / sqrt(4)) has at least 0.99 of each row where it belongs.
#include "tutorials/09_self_attention/exercises.h"

QueriesAndKeys copy_the_previous() { return {.queries = zeros({4, 4}), .keys = zeros({4, 4})}; }
