// rejected: by recorded ops
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

void OnlineSoftmax::add(const Tensor& scores, const Tensor& values) {
  if (!mixed.defined()) mixed = zeros({values.size(-1)});
  const Scalar before = largest;
  largest = std::max({before, *std::max_element(scores.begin(), scores.end()), Scalar(-1e30)});
  const Scalar factor = std::exp(before - largest);
  const Tensor weights = exp(scores - largest);
  sum = sum * factor + pocket::sum(weights).item();
  mixed = mixed * factor + reshape(matmul(reshape(weights, {1, -1}), values), {-1});
}

Tensor OnlineSoftmax::result() const { return mixed / std::max(sum, Scalar(1)); }
