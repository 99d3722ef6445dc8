#include "nn/layers/layers.h"

#include <cmath>

#include "autograd/check.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"

namespace gradus {

void detail::check_width(const char* layer, Index width) {
  constexpr Index kMost = Index{1} << 30;
  check(width >= 1 && width <= kMost, layer, ": sizes must be in [1, ", kMost, "], got ", width);
}

Linear::Linear(Index in, Index out, KeySequence& keys, bool with_bias) {
  for (const Index width : {in, out}) detail::check_width("Linear", width);
  const Scalar bound = 1 / std::sqrt(static_cast<Scalar>(in));
  if (keys.weights() != WeightType::kFloat32) {
    narrow = NarrowMatrix(keys.weights(), out, in);
  } else {
    weight = uniform({in, out}, keys.next(), -bound, bound).set_requires_grad();
  }
  if (with_bias) {
    bias = uniform({out}, keys.next(), -bound, bound).set_requires_grad();
  }
}

Tensor Linear::operator()(const Tensor& x) const {
  detail::require_made("Linear", is_made());
  const Tensor y = narrow.defined() ? narrow_linear(x, narrow, bias) : linear(x, weight, bias);
  return lora_a.defined() ? y + lora_scale * linear(linear(x, lora_a), lora_b) : y;
}

Embedding::Embedding(Index vocab_size, Index channels, KeySequence& keys) {
  if (keys.weights() != WeightType::kFloat32) {
    narrow = NarrowMatrix(keys.weights(), vocab_size, channels);
  } else {
    weight = normal({vocab_size, channels}, keys.next()).set_requires_grad();
  }
}

Tensor Embedding::operator()(const IndexTensor& tokens) const {
  detail::require_made("Embedding", weight.defined() || narrow.defined());
  return narrow.defined() ? narrow_embedding(tokens, narrow) : embedding(tokens, weight);
}

}  // namespace gradus
