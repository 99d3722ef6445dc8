// Exercise 10.3, 5 minutes: count the parameters.
//
// Multi-head attention over vectors of `channels` numbers, whose heads have queries and keys of
// key_dim and values of value_dim numbers, and whose result has `channels` numbers again. Neither
// width need be channels / heads. With `bias`, each of the four maps also adds a number to each of
// its outputs.
#include "tutorials/10_multi_head_attention/exercises.h"

Index my_parameter_count(Index channels, Index heads, Index key_dim, Index value_dim, bool bias) {
  return 0;
}
