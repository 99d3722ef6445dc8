// Exercise 09.6, 5 minutes: a bias that does nothing.
//
// The table of weights of "Hello I love you", and how much its largest change is when the bias of
// one of the two maps is no longer 0. Which of the two changes the table? One? Both?
#include <cstdio>

#include "tutorials/09_self_attention/exercises.h"

int main() {
  KeySequence keys(5);
  const Embedding embedding(4, 6, keys);
  Linear query(6, 3, keys), key(6, 3, keys);
  const Tensor x = embedding(indices({0, 1, 2, 3}));
  const Tensor before = attention_weights(query(x), key(x));
  const auto print_change = [&](const char* what) {
    const Tensor after = attention_weights(query(x), key(x));
    Scalar largest = 0;
    for (Index i = 0; i < before.size(); ++i)
      largest = std::max(largest, std::abs(after.data()[i] - before.data()[i]));
    std::printf("%s: the largest change of a weight is %.3f\n", what, largest);
  };
  query.bias = tensor({2, -1, 3});
  print_change("bias of the queries");
  query.bias = zeros({3});
  key.bias = tensor({2, -1, 3});
  print_change("bias of the keys");
}
