// Three maps in, one out; each with as many biases as it has outputs.
#include "tutorials/10_multi_head_attention/exercises.h"

Index my_parameter_count(Index channels, Index heads, Index key_dim, Index value_dim, bool bias) {
  const Index keys = heads * key_dim, values = heads * value_dim;
  const Index weights = 2 * channels * keys + channels * values + values * channels;
  return weights + (bias ? 2 * keys + values + channels : 0);
}
