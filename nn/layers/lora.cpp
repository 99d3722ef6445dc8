#include "nn/layers/lora.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/check.h"
#include "autograd/ops/random.h"
#include "nn/names.h"

namespace gradus {

void add_lora(Linear& layer, const LoraOptions& options, KeySequence& keys) {
  detail::require_made("lora", layer.is_made());
  if (layer.narrow.defined()) {
    detail::fail("lora: the layer's weight must be in float32, got ", name_of(layer.narrow.type()),
                 " (load the model with weights in float32)");
  }
  const Index in = layer.weight.size(0), out = layer.weight.size(1), most = std::min(in, out);
  detail::check(options.rank >= 1 && options.rank <= most, "lora: the rank must be from 1 to ",
                most, ", the smaller side of a layer [", in, ", ", out, "], got ", options.rank);
  detail::check(options.alpha > 0 && options.alpha <= std::numeric_limits<Scalar>::max(),
                "lora: alpha must be above 0 and finite, got ", options.alpha);
  detail::check(!layer.lora_a.defined(), "lora: the layer has a low-rank pair already");
  layer.weight.set_requires_grad(false);
  if (layer.bias.defined()) layer.bias.set_requires_grad(false);
  const Scalar deviation = 1 / std::sqrt(static_cast<Scalar>(in));
  layer.lora_a = normal({in, options.rank}, keys.next(), 0, deviation).set_requires_grad();
  layer.lora_b = zeros({options.rank, out}).set_requires_grad();
  layer.lora_scale = options.scale();
}

}  // namespace gradus
