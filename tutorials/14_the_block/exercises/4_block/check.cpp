#include "pocket/block.h"
#include "tutorials/common/compare.h"

namespace {

using namespace pocket;

/// Where a block may go wrong; 0 is the right one.
struct Fault {
  bool options = false, only_causal = false, no_mask = false, no_bias = false, first_twice = false,
       swapped = false, order = false, no_attention = false, no_network = false,
       no_residual = false, parallel = false, no_dropout = false, outer_x = false,
       norm_in_first = false, norm_in_second = false, one_branch = false, first_default = false,
       second_default = false;
};

Tensor expected_of(const Block& block, const Tensor& x, AttentionOptions options,
                   const Fault& fault = {}) {
  if (fault.options) options = {};
  if (fault.only_causal) options = {.causal = options.causal};
  if (fault.no_mask) options.mask = {};
  if (fault.no_bias) options.bias = {};
  LayerOptions layer = block.options;
  if (fault.no_dropout) layer.dropout = 0;
  const LayerNorm &ln_1 = fault.swapped ? block.ln_2 : block.ln_1,
                  &ln_2 = fault.swapped || fault.first_twice ? block.ln_1 : block.ln_2;
  const auto wire = [&](const Tensor& x, const LayerNorm& norm, const auto& f,
                        bool by_default = false) {
    return residual(x, norm, by_default ? LayerOptions{} : layer, f);
  };
  const auto attend = [&](const Tensor& branch_x) {
    const Tensor read = fault.outer_x ? x : fault.norm_in_first ? block.ln_1(branch_x) : branch_x;
    return block.attn(read, read, options);
  };
  const auto network = [&](const Tensor& x) {
    return block.mlp(fault.norm_in_second ? block.ln_2(x) : x);
  };
  if (fault.one_branch) return wire(x, ln_1, [&](const Tensor& x) { return block.mlp(attend(x)); });
  if (fault.order) return wire(wire(x, ln_1, block.mlp), ln_2, attend);
  const Tensor half = fault.no_attention ? x : wire(x, ln_1, attend, fault.first_default);
  if (fault.no_network) return half;
  if (fault.no_residual) return block.mlp(half);
  if (fault.parallel) return half + wire(x, ln_2, block.mlp) - x;
  return wire(half, ln_2, network, fault.second_default);
}

/// The gradients of x and of all parameters, for fixed random weights of the output.
std::vector<NamedTensor> gradients(Block& block, Tensor x, const Tensor& y) {
  std::vector<NamedTensor> all = parameters(block);
  all.insert(all.begin(), {"x", x});
  for (NamedTensor& p : all) p.tensor.zero_grad();
  if (y.requires_grad()) backward(y, normal(y.shape(), {.seed = 77}));
  for (NamedTensor& p : all) {
    p.tensor = p.tensor.grad().defined() ? p.tensor.grad() : zeros(p.tensor.shape());
  }
  return all;
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
  const auto in_training = [&](const auto& compute) -> Tensor {
    if (dropout == 0) return compute();
    const Training training(seed, 1);
    return compute();
  };
  const auto with = [&](const Fault& fault) {
    return in_training([&] { return expected_of(block, x, options, fault); });
  };
  const auto as = [&](const Fault& fault) { return gradus::as_library(with(fault)); };
  const Tensor got = in_training([&] { return block(x, options); });
  gradus::expect(
      name, gradus::as_library(got), as({}),
      {{as({.options = true}), "the mask is lost: hand the options on to attn"},
       {as({.only_causal = true}), "only causal is handed on: hand on all the options"},
       {as({.no_mask = true}), "options.mask is lost: hand on all the options"},
       {as({.no_bias = true}), "options.bias is lost: hand on all the options"},
       {as({.no_dropout = true}), "dropout is missing: residual() has it"},
       {as({.first_twice = true}), "ln_1 is used twice"},
       {as({.swapped = true}), "ln_1 and ln_2 are swapped"},
       {as({.order = true}), "attention comes first"},
       {as({.no_attention = true}),
        "attention is missing, or its result is dropped: the second branch must read it"},
       {as({.outer_x = true}),
        "attention reads the x outside: let the lambda read its own argument, which is normalised"},
       {as({.norm_in_first = true}), "one norm too many: residual() gives attention norm(x)"},
       {as({.norm_in_second = true}), "one norm too many: residual() gives the network norm(x)"},
       {as({.one_branch = true}), "one branch for both: each part has a residual of its own"},
       {as({.first_default = true}), "the first residual() is not given the block's options"},
       {as({.second_default = true}), "the second residual() is not given the block's options"},
       {as({.no_network = true}), "the feed-forward network is missing"},
       {as({.no_residual = true}), "the network has no residual around it"},
       {as({.parallel = true}), "the network reads x: let it read what attention has added to"}});
  const auto mine = gradients(block, x, got), right = gradients(block, x, with({}));
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const double most = gradus::scale_of(right[i].tensor);
    const auto a = gradus::as_library(mine[i].tensor), b = gradus::as_library(right[i].tensor);
    if (!gradus::is_close(a, b, 1e-4 * most)) {
      gradus::red(name + ": the gradient of " + mine[i].name +
                  " is wrong\nlikely cause: a detach(), or numbers copied out of the graph");
    }
  }
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const IndexTensor mask({2, 1, 1, 5}, {1, 1, 1, 0, 0, 1, 0, 1, 1, 1});
    const Tensor bias = normal({2, 5, 5}, {.seed = 50});
    check_at("pre-norm", NormPlace::kPre, {}, 3, 1);
    check_at("post-norm, causal", NormPlace::kPost, {.causal = true}, 4, 3);
    check_at("mask, causal and bias", NormPlace::kPre, {.mask = mask, .causal = true, .bias = bias},
             5, 4);
    check_at("in training, causal", NormPlace::kPre, {.causal = true}, 5, 2, Scalar(0.3));
    check_at("in training, post-norm", NormPlace::kPost, {.mask = mask}, 5, 5, Scalar(0.3));
    gradus::green("each time, the gradients of x and of all parameters");
  });
}
