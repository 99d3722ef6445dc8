// Exercise 17.4, 15 minutes: bits per byte of a batch.
//
// Logits [N, V] and targets [N]: each row predicts one token, and pieces[token] is the text of that
// token. Return the bits that these targets cost, per byte of their text. A target of -1 does not
// count, neither its cost nor any byte.
#include "tutorials/17_tokens/exercises.h"

double bits_per_byte_of(const Tensor& logits, const IndexTensor& targets,
                        const std::vector<std::string>& pieces) {
  return 0;
}
