#include "pocket/transformer.h"
#include "tutorials/common/compare_in_training.h"

using namespace pocket;

namespace {

/// The expected output of a layer, from the formula.
Tensor expected_of(const DecoderLayer& layer, const Tensor& x, const Tensor& source,
                   const AttentionOptions& self, const AttentionOptions& cross) {
  const bool pre = layer.options.norm_place == NormPlace::kPre;
  const auto add = [&](const Tensor& to, const LayerNorm& norm, const auto& f) {
    const Tensor y = to + dropout_in_training(f(pre ? norm(to) : to), layer.options.dropout);
    return pre ? y : norm(y);
  };
  const Tensor y =
      add(x, layer.norm_1, [&](const Tensor& y) { return layer.self_attention(y, y, self); });
  const Tensor z = add(y, layer.norm_2,
                       [&](const Tensor& y) { return layer.cross_attention(y, source, cross); });
  return add(z, layer.norm_3, [&](const Tensor& y) { return layer.feed_forward(y); });
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
  std::vector<NamedTensor> leaves = parameters(layer);
  leaves.push_back({"x", x}), leaves.push_back({"the source", source});
  compare(
      what, leaves, [&] { return layer(x, source, self, cross); },
      [&] { return expected_of(layer, x, source, self, cross); });
}

}  // namespace

CHECK_ANSWER() {
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
  DecoderLayer layer = new_layer(other, 1, 3);
  const Tensor x = normal({2, 3, 12}, {.seed = 7}), source = normal({2, 5, 12}, {.seed = 8});
  compare_in_training(
      "with dropout", parameters(layer), [&] { return layer(x, source, {.causal = true}, {}); },
      [&] { return expected_of(layer, x, source, {.causal = true}, {}); });
}
