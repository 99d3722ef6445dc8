// Exercise 08.7, 5 minutes: the cell of an LSTM
#include "tutorials/08_attention_before_transformers/exercises.h"

// One step of an LSTM. sums: four parts [B, 1, H], each the sum of a product with the input and a
// product with the state h; the first three are for the gates f, i and o, the last for the value
// v. cell: the old c. Returns the new h and c.
LstmState lstm_step(const std::vector<Tensor>& sums, const Tensor& cell) {
  return {Tensor(), Tensor()};
}
