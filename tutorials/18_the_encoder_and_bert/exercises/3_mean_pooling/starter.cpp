// Exercise 18.3, 15 minutes: the mean of all vectors.
//
// The vector of [CLS] is one summary of a text. Another is the mean of the vectors of all positions
// but padding: features [B, T, C] and tokens [B, T] to [B, C]. A row of nothing but padding gives
// zeros. Gradients must go through.
#include "tutorials/18_the_encoder_and_bert/exercises.h"

Tensor mean_of_vectors(const Tensor& features, const IndexTensor& tokens, std::int32_t padding) {
  return Tensor();
}
