#include "nn/layers.h"

#include <cmath>

#include "autograd/ops/activation.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/matmul.h"
#include "autograd/random.h"

namespace gradus {

Linear::Linear(Index in, Index out, KeySequence& keys, bool with_bias) {
  const Scalar bound = 1 / std::sqrt(static_cast<Scalar>(in));
  weight = uniform({in, out}, keys.next(), -bound, bound).set_requires_grad();
  if (with_bias) {
    bias = uniform({out}, keys.next(), -bound, bound).set_requires_grad();
  }
}

Tensor Linear::operator()(const Tensor& x) const { return linear(x, weight, bias); }

Embedding::Embedding(Index vocab_size, Index channels, KeySequence& keys)
    : weight(normal({vocab_size, channels}, keys.next()).set_requires_grad()) {}

Tensor Embedding::operator()(const IndexTensor& tokens) const { return embedding(tokens, weight); }

LayerNorm::LayerNorm(Index channels, bool with_bias, Scalar epsilon)
    : weight(ones({channels}).set_requires_grad()), epsilon(epsilon) {
  if (with_bias) {
    bias = zeros({channels}).set_requires_grad();
  }
}

Tensor LayerNorm::operator()(const Tensor& x) const { return layer_norm(x, weight, bias, epsilon); }

FeedForward::FeedForward(Index channels, Index hidden, KeySequence& keys, bool with_bias,
                         Scalar dropout, Activation activation)
    : c_fc(channels, hidden, keys, with_bias),
      c_proj(hidden, channels, keys, with_bias),
      dropout{dropout},
      activation(activation) {}

Tensor FeedForward::operator()(const Tensor& x) const {
  const Tensor hidden = c_fc(x);
  return dropout(c_proj(activation == Activation::kGelu ? gelu(hidden) : relu_squared(hidden)));
}

}  // namespace gradus
