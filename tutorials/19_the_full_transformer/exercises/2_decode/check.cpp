#include "pocket/transformer.h"
#include "tutorials/common/compare_in_training.h"

using namespace pocket;

namespace {

/// The expected output of decode.
Tensor expected_of(const Transformer& model, const Tensor& source, const IndexTensor& trg,
                   const IndexTensor& src_mask, const IndexTensor& trg_mask) {
  const Index length = trg.size(1);
  const AttentionOptions self{
      .mask = trg_mask, .causal = true, .bias = model.positions.bias(length, length)};
  Tensor y =
      dropout_in_training(model.positions.embed(model.trg_embed(trg)), model.config.layer.dropout);
  for (const DecoderLayer& layer : model.layers) y = layer(y, source, self, {.mask = src_mask});
  return model.out(model.config.layer.norm_place == NormPlace::kPre ? model.norm(y) : y);
}

Transformer new_model(const LayerOptions& layer, int layers, Scalar scale) {
  Transformer model({.src_vocab = 17, .trg_vocab = 11, .n_layer = layers, .layer = layer}, 4);
  KeySequence keys(9);
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    const Tensor draw = normal(x.shape(), keys.next(), 0, Scalar(0.5));
    const bool gain = name.find("norm") != std::string::npos && name.ends_with("weight");
    x = (x.rank() == 2 ? x * scale : gain ? draw + Scalar(1) : draw).detach().set_requires_grad();
  });
  return model;
}

IndexTensor tokens_of(Index rows, Index length) {
  Tokens tokens;
  for (Index i = 0; i < rows * length; ++i)
    tokens.push_back(std::int32_t((3 * i * i + i + 1) % 11));
  return IndexTensor({rows, length}, tokens);
}

void check_model(const std::string& what, const LayerOptions& layer, int layers, Index rows,
                 Index length, Index source_length, Scalar scale = 1) {
  Transformer model = new_model(layer, layers, scale);
  Tensor source = normal({rows, source_length, layer.d_model}, {.seed = 2});
  source.set_requires_grad();
  const IndexTensor trg = tokens_of(rows, length);
  Tokens seen, own;
  for (Index i = 0; i < rows * source_length; ++i) seen.push_back(i % source_length < 2 || i % 3);
  for (Index i = 0; i < rows * length; ++i) own.push_back(i % length == 0 || i % 4 != 2);
  const IndexTensor src_mask({rows, 1, 1, source_length}, seen),
      trg_mask({rows, 1, 1, length}, own);
  std::vector<NamedTensor> leaves = parameters(model);
  leaves.push_back({"the source", source});
  compare(
      what, leaves, [&] { return model.decode(source, trg, src_mask, trg_mask); },
      [&] { return expected_of(model, source, trg, src_mask, trg_mask); });
}

}  // namespace

CHECK_ANSWER() {
  LayerOptions layer{.d_model = 12, .num_heads = 3, .dropout = 0, .max_length = 80};
  check_model("two layers", layer, 2, 2, 3, 5);
  check_model("one layer, a long target", layer, 1, 1, 70, 4);
  check_model("five layers", layer, 5, 3, 4, 2);
  LayerOptions other = layer;
  other.position = Position::kLearned;
  check_model("learned positions", other, 2, 2, 4, 6);
  other.position = Position::kAlibi;
  check_model("relative positions", other, 2, 2, 6, 3);
  other.position = Position::kSinusoidal, other.norm_place = NormPlace::kPost;
  check_model("post-norm", other, 2, 2, 5, 3);
  check_model("large numbers", layer, 2, 2, 4, 5, 50);

  other = layer, other.dropout = Scalar(0.3);
  Transformer model = new_model(other, 2, 1);
  const Tensor source = normal({2, 5, 12}, {.seed = 8});
  const IndexTensor trg = tokens_of(2, 4);
  compare_in_training(
      "with dropout", parameters(model), [&] { return model.decode(source, trg); },
      [&] { return expected_of(model, source, trg, {}, {}); });
}
