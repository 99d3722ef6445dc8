// rejected: each head sees all channels, not a slice of them
#include "tutorials/10_multi_head_attention/exercises.h"

Index my_parameter_count(Index channels, Index heads, Index key_dim, Index value_dim, bool bias) {
  const Index slice = channels / heads;
  const Index weights =
      heads * (2 * slice * key_dim + slice * value_dim) + heads * value_dim * channels;
  return weights + (bias ? heads * (2 * key_dim + value_dim) + channels : 0);
}
