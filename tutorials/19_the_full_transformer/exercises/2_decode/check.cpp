#include "tutorials/common/check.h"

#include "pocket/transformer.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/guards.h"

using namespace pocket;
using gradus::as_library;

namespace {

/// What decode should give; each switch is a mistake.
struct Mistake {
  bool no_positions = false, no_norm = false, no_mask = false, last_layer = false,
       source_table = false, normed_logits = false, probabilities = false, added = false,
       norm_first = false, dropped_each = false;
  Scalar dropout = 0;
};

Tensor expected_of(const Transformer& model, const Tensor& source, const IndexTensor& trg,
                   const IndexTensor& src_mask, const IndexTensor& trg_mask,
                   const Mistake& mistake = {}) {
  const Index length = trg.size(1);
  const AttentionOptions self{
      .mask = trg_mask, .causal = true, .bias = model.positions.bias(length, length)};
  const AttentionOptions cross{.mask = mistake.no_mask ? IndexTensor() : src_mask};
  Tensor x = mistake.source_table ? model.src_embed(trg) : model.trg_embed(trg);
  if (!mistake.no_positions) x = model.positions.embed(x);
  const bool pre = model.config.layer.norm_place == NormPlace::kPre;
  if (!mistake.dropped_each) x = dropout_in_training(x, mistake.dropout);
  if (pre && mistake.norm_first) x = model.norm(x);
  Tensor y = x;
  for (const DecoderLayer& layer : model.layers) {
    if (mistake.dropped_each) y = dropout_in_training(y, mistake.dropout);
    const Tensor made = layer(mistake.last_layer ? x : y, source, self, cross);
    y = mistake.added ? y + made : made;
  }
  const Tensor logits =
      model.out(pre && !mistake.no_norm && !mistake.norm_first ? model.norm(y) : y);
  if (mistake.probabilities) return softmax(logits);
  return mistake.normed_logits ? log_softmax(logits) : logits;
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
  const Tensor got = model.decode(source, trg, src_mask, trg_mask);
  gradus::must_be_finite(what, got);
  const auto with = [&](const Mistake& mistake) {
    return as_library(expected_of(model, source, trg, src_mask, trg_mask, mistake));
  };
  const gradus::Tensor right = with({});
  const double most = gradus::scale_of(right);
  gradus::expect(
      what, as_library(got), right,
      {{with({.no_positions = true}), "the positions are missing: positions.embed(...)"},
       {with({.no_norm = true}), "the last norm is missing"},
       {with({.no_mask = true}), "the source's padding is not hidden: {.mask = src_mask}"},
       {with({.last_layer = true}), "each layer reads what the one before it returned"},
       {with({.source_table = true}), "the target has a table of its own: trg_embed"},
       {with({.normed_logits = true}), "logits are asked for, as out makes them"},
       {with({.probabilities = true}), "logits are asked for, not probabilities: no softmax"},
       {with({.added = true}),
        "a layer returns the stream itself, y and its branches: y = layer(y, ...)"},
       {with({.norm_first = true}), "the last norm follows the last layer"}},
      1e-4 * most);
  std::vector<NamedTensor> leaves = parameters(model);
  leaves.push_back({"the source", source});
  compare_gradients(what, leaves, got, expected_of(model, source, trg, src_mask, trg_mask));
}

}  // namespace

int main() {
  return gradus::run_check([] {
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
    const Transformer model = new_model(other, 2, 1);
    const Tensor source = normal({2, 5, 12}, {.seed = 8});
    const IndexTensor trg = tokens_of(2, 4);
    const auto in_training = [&](const auto& f) {
      const Training training(1, 2);
      return as_library(f());
    };
    const auto with = [&](Scalar dropout) {
      return in_training(
          [&] { return expected_of(model, source, trg, {}, {}, {.dropout = dropout}); });
    };
    gradus::expect("in training, with dropout",
                   in_training([&] { return model.decode(source, trg); }), with(other.dropout),
                   {{in_training([&] {
                       return expected_of(model, source, trg, {}, {},
                                          {.dropped_each = true, .dropout = other.dropout});
                     }),
                     "dropout comes once, behind the positions; the layers have their own"},
                    {with(0), "the embeddings have no dropout: dropout_in_training(...)"},
                    {with(1 - other.dropout), "dropout takes the share that is dropped"}});
  });
}
