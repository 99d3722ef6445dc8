// Exercise 10.6, 45 minutes: an induction head by hand.
//
// Set the weights of two layers of attention so that they find the successor in every row, without
// training. With V words and T positions, x has C = 3 V + T channels:
//
//     [0, V)            1 at the word's number, 0 elsewhere
//     [V, V + T)        1 at the position's number, 0 elsewhere
//     [V + T, 2 V + T)  zeros: free, for the result of the first layer
//     [2 V + T, C)      zeros: the answer, the word whose number is largest
//
// The model is x = x + first(x, x, {.causal = true}), then the same with `second`. Each layer has
// one head of width D = C and no biases. Its weights query, key, value and output are [C, C] and
// 0: write put(first.query.weight, i, j, number). A row x becomes x W, so number is what channel i
// of x adds to number j of the query.
//
// Wherever the present word has occurred before, the answer must be the word that followed it
// there, or one of them if it was followed by several. Elsewhere the answer does not count.
#include "tutorials/10_multi_head_attention/exercises.h"

void set_induction_head(Index words, Index length, MultiHeadAttention& first,
                        MultiHeadAttention& second) {}
