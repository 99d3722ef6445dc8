// rejected: or a row of them, were kept
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

Tensor streaming_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index rows = q.size(0), keys = k.size(0), d = q.size(1), e = v.size(1);
  Tensor y({rows, e});
  for (Index t = 0; t < rows; ++t) {
    Scalar* out = y.mutable_data() + t * e;
    std::vector<Scalar> kept(keys);
    Scalar most = -INFINITY, total = 0;
    for (Index s = 0; s < keys; ++s) {
      const Scalar* a = q.data() + t * d;
      const Scalar score =
          std::inner_product(a, a + d, k.data() + s * d, Scalar(0)) / std::sqrt(Scalar(d));
      kept[s] = score;
      const Scalar larger = std::max(most, score);
      const Scalar shrink = std::exp(most - larger), weight = std::exp(score - larger);
      total = total * shrink + weight;
      for (Index j = 0; j < e; ++j) out[j] = out[j] * shrink + weight * v.data()[s * e + j];
      most = larger;
    }
    for (Index j = 0; j < e; ++j) out[j] /= total;
  }
  return y;
}
