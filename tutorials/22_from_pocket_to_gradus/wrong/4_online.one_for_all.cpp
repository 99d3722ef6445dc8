// rejected: something is kept in static or global variables
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

OnlineSoftmax all;

void OnlineSoftmax::add(const Tensor& scores, const Tensor& values) {
  const Index width = values.size(-1);
  if (!all.mixed.defined()) all.mixed = zeros({width});
  const Scalar before = all.largest;
  all.largest = std::max({before, *std::max_element(scores.begin(), scores.end()), Scalar(-1e30)});
  const Scalar factor =
      std::exp(before - all.largest);  // what is there was made for another all.largest
  Scalar* to = all.mixed.mutable_data();
  all.sum *= factor;
  for (Index e = 0; e < width; ++e) to[e] *= factor;
  for (Index s = 0; s < scores.size(); ++s) {
    const Scalar weight = std::exp(scores.data()[s] - all.largest);
    all.sum += weight;
    for (Index e = 0; e < width; ++e) to[e] += weight * values.data()[s * width + e];
  }
}

Tensor OnlineSoftmax::result() const { return all.mixed / std::max(all.sum, Scalar(1)); }
