#include "pocket/block.h"
#include "tutorials/common/compare_in_training.h"

namespace {

using namespace pocket;

/// The block as its page has it.
Tensor expected_of(const Block& block, const Tensor& x, const AttentionOptions& options) {
  const auto attend = [&](const Tensor& x) { return block.attn(x, x, options); };
  const Tensor half = residual(x, block.ln_1, block.options, attend);
  return residual(half, block.ln_2, block.options, block.mlp);
}

/// With dropout, the block is in training.
void check_at(const std::string& name, NormPlace place, const AttentionOptions& options, Index time,
              std::uint64_t seed, Scalar dropout = 0) {
  KeySequence keys(seed);
  Block block({.d_model = 8, .num_heads = 2, .dropout = dropout, .norm_place = place}, keys);
  for (NamedTensor& p : parameters(block)) {  // no norm is like the other
    const Tensor noise = normal(p.tensor.shape(), keys.next(), 1, Scalar(0.5));
    if (p.tensor.rank() == 1) std::copy(noise.begin(), noise.end(), p.tensor.mutable_data());
  }
  const Tensor x = normal({2, time, 8}, {.seed = seed}, 1, 2).set_requires_grad();
  std::vector<NamedTensor> leaves = parameters(block);
  leaves.insert(leaves.begin(), {"x", x});
  const auto mine = [&] { return block(x, options); };
  const auto right = [&] { return expected_of(block, x, options); };
  if (dropout == 0) return compare(name, leaves, mine, right);
  compare_in_training(name, leaves, mine, right);
}

}  // namespace

CHECK_ANSWER() {
  const IndexTensor mask({2, 1, 1, 5}, {1, 1, 1, 0, 0, 1, 0, 1, 1, 1});
  const Tensor bias = normal({2, 5, 5}, {.seed = 50});
  check_at("pre-norm", NormPlace::kPre, {}, 3, 1);
  check_at("post-norm, causal", NormPlace::kPost, {.causal = true}, 4, 3);
  check_at("mask, causal and bias", NormPlace::kPre, {.mask = mask, .causal = true, .bias = bias},
           5, 4);
  check_at("causal", NormPlace::kPre, {.causal = true}, 5, 2, Scalar(0.3));
  check_at("post-norm with a mask", NormPlace::kPost, {.mask = mask}, 5, 5, Scalar(0.3));
}
