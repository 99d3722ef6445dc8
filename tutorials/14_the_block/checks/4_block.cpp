#include "own.h"

namespace {

using namespace pocket;

void check_at(const std::string& name, NormPlace place, bool causal, Index time,
              std::uint64_t seed) {
  KeySequence keys(seed);
  Block block({.d_model = 8, .num_heads = 2, .dropout = 0, .norm_place = place}, keys);
  for (NamedTensor& p : parameters(block)) {  // no norm is like the other
    const Tensor noise = normal(p.tensor.shape(), keys.next(), 1, Scalar(0.5));
    if (p.tensor.rank() == 1) std::copy(noise.begin(), noise.end(), p.tensor.mutable_data());
  }
  const Tensor x = normal({2, time, 8}, {.seed = seed}, 1, 2);
  const AttentionOptions options{.causal = causal};
  const bool pre = place == NormPlace::kPre;
  const auto wire = [&](const Tensor& x, const LayerNorm& norm, const auto& f) {
    return pre ? x + f(norm(x)) : norm(x + f(x));
  };
  const auto attend = [&](const Tensor& x) { return block.attn(x, x, options); };
  const auto all = [&](const Tensor& x) { return block.attn(x, x); };
  const auto& network = block.mlp;
  const Tensor half = wire(x, block.ln_1, attend);
  const auto as = [](const Tensor& x) { return gradus::as_library(x); };
  gradus::expect(
      name, as(block(x, options)), as(wire(half, block.ln_2, network)),
      {{as(wire(wire(x, block.ln_1, all), block.ln_2, network)),
        "the mask is lost: hand the options on to attn"},
       {as(wire(half, block.ln_1, network)), "ln_1 is used twice"},
       {as(wire(wire(x, block.ln_2, attend), block.ln_1, network)), "ln_1 and ln_2 are swapped"},
       {as(wire(wire(x, block.ln_1, network), block.ln_2, attend)), "attention comes first"},
       {as(wire(x, block.ln_2, network)), "attention is missing"},
       {as(half), "the feed-forward network is missing"},
       {as(network(half)), "the network has no residual around it"},
       {as(half + wire(x, block.ln_2, network) - x),
        "the network reads x: let it read what attention has added to"}});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("pre-norm", NormPlace::kPre, false, 3, 1);
    check_at("pre-norm, causal", NormPlace::kPre, true, 5, 2);
    check_at("post-norm, causal", NormPlace::kPost, true, 4, 3);
  });
}
