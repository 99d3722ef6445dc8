// The first layer's query t is the key of position t - 1, and brings its word into the free
// channels. The second layer's query is the present word; a key is the word before its position.
#include "tutorials/10_multi_head_attention/exercises.h"

void set_induction_head(Index words, Index length, MultiHeadAttention& first,
                        MultiHeadAttention& second) {
  const Index position = words, before = words + length, answer = before + words;
  const Scalar sharp = 30 * std::sqrt(static_cast<Scalar>(answer + words));  // scores of 30
  for (Index t = 0; t < length; ++t) {
    if (t > 0) put(first.query.weight, position + t, position + t - 1, sharp);
    put(first.key.weight, position + t, position + t, 1);
  }
  for (Index w = 0; w < words; ++w) {
    put(first.value.weight, w, w, 1), put(first.output.weight, w, before + w, 1);
    put(second.query.weight, w, w, sharp), put(second.key.weight, before + w, w, 1);
    put(second.key.weight, position, w, -1);  // position 0 saw only itself: it must match nothing
    put(second.value.weight, w, w, 1), put(second.output.weight, w, answer + w, 1);
  }
}
