// Exercise 25.5, 15 minutes: from many heads of keys to few.
//
// A model was trained with `heads` heads of keys. Make a weight with `kv_heads` heads out of its
// k_proj's (or v_proj's) weight [C, H D]: each new head is the mean of the old heads of its group.
// The result is [C, K D]. Heads are neighbours in the columns: head h has columns h D to (h + 1) D.
#include "tutorials/25_the_block_of_today/exercises.h"

Tensor pooled(const Tensor& weight, Index heads, Index kv_heads) {
  return zeros({weight.size(0), weight.size(1) / heads * kv_heads});
}
