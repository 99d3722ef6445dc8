#include "tutorials/common/check.h"

#include "pocket/transformer.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/guards.h"

using namespace pocket;
using gradus::as_library;
using gradus::red;

namespace {

/// What a layer should give, by the formula; each switch is a mistake.
struct Mistake {
  bool no_causal = false, no_padding = false, target_keys = false, parallel = false,
       cross_first = false, one_norm = false, no_dropout = false, added = false, self_twice = false,
       cross_reads_x = false, network_reads_x = false, source_normed = false, no_network = false,
       plain_keys = false, causal_cross = false;
};

Tensor expected_of(const DecoderLayer& layer, const Tensor& x, const Tensor& source,
                   const AttentionOptions& self, const AttentionOptions& cross,
                   const Mistake& mistake = {}) {
  const bool pre = layer.options.norm_place == NormPlace::kPre;
  const auto add = [&](const Tensor& to, const Tensor& from, const LayerNorm& own, const auto& f) {
    const LayerNorm& norm = mistake.one_norm ? layer.norm_1 : own;
    const Scalar p = mistake.no_dropout ? 0 : layer.options.dropout;
    const Tensor y = to + dropout_in_training(f(pre ? norm(from) : from), p);
    return (mistake.added ? to : zeros(to.shape())) + (pre ? y : norm(y));
  };
  const auto look = [&](const Tensor& y) {
    AttentionOptions options = self;
    options.causal = self.causal && !mistake.no_causal;
    return layer.self_attention(y, mistake.plain_keys ? x : y, options);
  };
  const auto ask = [&](const Tensor& y) {
    const bool open = mistake.no_padding || mistake.target_keys;
    AttentionOptions options = open ? AttentionOptions() : cross;
    if (mistake.self_twice) options = self;
    options.causal = options.causal || mistake.causal_cross;
    const Tensor& memory = mistake.target_keys ? y : source;
    return layer.cross_attention(y, mistake.source_normed ? layer.norm_2(memory) : memory, options);
  };
  const auto network = [&](const Tensor& y) { return layer.feed_forward(y); };
  if (mistake.cross_first) {
    const Tensor y = add(x, x, layer.norm_2, ask), z = add(y, y, layer.norm_1, look);
    return add(z, z, layer.norm_3, network);
  }
  const Tensor y = add(x, x, layer.norm_1, look);
  const Tensor z = add(y, mistake.parallel || mistake.cross_reads_x ? x : y, layer.norm_2, ask);
  if (mistake.no_network) return z;
  return add(z, mistake.parallel || mistake.network_reads_x ? x : z, layer.norm_3, network);
}

DecoderLayer new_layer(const LayerOptions& options, Scalar scale, std::uint64_t seed) {
  KeySequence keys(seed);
  DecoderLayer layer(options, keys);
  visit_parameters(layer, [&](const std::string& name, Tensor& x) {
    const Tensor draw = normal(x.shape(), keys.next(), 0, Scalar(0.5));
    const bool gain = name.starts_with("norm") && name.ends_with("weight");
    x = (x.rank() == 2 ? x * scale : gain ? draw + Scalar(1) : draw).detach().set_requires_grad();
  });
  return layer;
}

void check_layer(const std::string& what, const LayerOptions& options, Index rows, Index length,
                 Index source_length, Scalar scale = 1) {
  DecoderLayer layer = new_layer(options, scale, 5);
  Tensor x = normal({rows, length, options.d_model}, {.seed = 1}, 0, scale);
  Tensor source = normal({rows, source_length, options.d_model}, {.seed = 2}, 0, scale);
  x.set_requires_grad(), source.set_requires_grad();
  Tokens visible;
  for (Index i = 0; i < rows * source_length; ++i) {
    visible.push_back(i % source_length == 0 || (i * i + i / source_length) % 3 != 1);
  }
  const AttentionOptions self{.causal = true};
  const AttentionOptions cross{.mask = IndexTensor({rows, 1, 1, source_length}, visible)};
  const std::vector<Scalar> x_before(x.begin(), x.end());
  const std::vector<Scalar> source_before(source.begin(), source.end());
  const Tensor got = layer(x, source, self, cross);
  if (!std::equal(x_before.begin(), x_before.end(), x.begin()) ||
      !std::equal(source_before.begin(), source_before.end(), source.begin())) {
    red(what + ": an argument has changed\nlikely cause: a copy of a tensor shares its elements");
  }
  gradus::must_be_finite(what, got);
  const auto with = [&](const Mistake& mistake) {
    return as_library(expected_of(layer, x, source, self, cross, mistake));
  };
  const gradus::Tensor right = with({});
  const double most = gradus::scale_of(right);
  gradus::expect(
      what, as_library(got), right,
      {{with({.no_causal = true}), "the self-attention takes the options `self`"},
       {with({.no_padding = true}), "the cross-attention takes the options `cross`"},
       {with({.target_keys = true}), "keys and values of the cross-attention come from `source`"},
       {with({.parallel = true}), "each branch reads what the one before it left, not x"},
       {with({.cross_reads_x = true}),
        "the cross-attention reads what the self-attention left, not x"},
       {with({.network_reads_x = true}), "the network reads what the cross-attention left, not x"},
       {with({.added = true}), "residual() has added its x already: do not add it once more"},
       {with({.self_twice = true}), "the cross-attention takes the options `cross`, not `self`"},
       {with({.causal_cross = true}), "the whole source is visible: only `self` is causal"},
       {with({.source_normed = true}),
        "the source comes normed from the encoder: norm_2 is for the stream alone"},
       {with({.plain_keys = true}), "keys, values and queries of the self-attention are of one y"},
       {with({.no_network = true}), "the feed-forward network is missing"},
       {with({.cross_first = true}), "the self-attention comes first"},
       {with({.one_norm = true}), "each branch has a norm of its own: norm_1, norm_2, norm_3"}},
      1e-4 * most);
  std::vector<NamedTensor> leaves = parameters(layer);
  leaves.push_back({"x", x}), leaves.push_back({"the source", source});
  compare_gradients(what, leaves, got, expected_of(layer, x, source, self, cross));
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const LayerOptions options{.d_model = 12, .num_heads = 3, .d_ff = 20, .dropout = 0};
    check_layer("a target of 3 and a source of 5", options, 2, 3, 5);
    check_layer("a target of 6 and a source of 2", options, 1, 6, 2);
    check_layer("both of 4", options, 3, 4, 4);
    LayerOptions other = options;
    other.norm_place = NormPlace::kPost;
    check_layer("post-norm", other, 2, 4, 3);
    other.position = Position::kRotary, other.norm_place = NormPlace::kPre, other.num_heads = 2;
    check_layer("rotary positions", other, 2, 5, 7);
    check_layer("a target of 60 and a source of 90", options, 1, 60, 90);
    check_layer("large numbers", options, 2, 4, 5, 100);

    other = options, other.dropout = Scalar(0.3);
    const DecoderLayer layer = new_layer(other, 1, 3);
    const Tensor x = normal({2, 3, 12}, {.seed = 7}), source = normal({2, 5, 12}, {.seed = 8});
    const auto in_training = [&](const auto& f) {
      const Training training(1, 2);
      return as_library(f());
    };
    const AttentionOptions self{.causal = true};
    gradus::expect("in training, with dropout",
                   in_training([&] { return layer(x, source, self, {}); }),
                   in_training([&] { return expected_of(layer, x, source, self, {}); }),
                   {{in_training([&] {
                       return expected_of(layer, x, source, self, {}, {.no_dropout = true});
                     }),
                     "residual() drops out; a sum written by hand does not"}});
  });
}
