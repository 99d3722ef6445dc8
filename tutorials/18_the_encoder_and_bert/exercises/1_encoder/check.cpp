#include "tutorials/common/check.h"

#include "pocket/bert.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/guards.h"

using namespace pocket;
using gradus::as_library;

namespace {

/// What an encoder with these parts should give; each switch is a mistake.
struct Mistake {
  bool no_positions = false, no_attention = false, other_norm = false, last_alone = false;
  bool no_bias = false, added = false, norm_first = false, norm_each = false, causal = false;
  bool dropped_each = false;
  Scalar dropout = -1;
};

Tensor expected_of(const Encoder& encoder, const Tensor& x, const IndexTensor& mask,
                   const Mistake& mistake = {}) {
  const LayerOptions& options = encoder.options;
  AttentionOptions attention{.mask = mask, .bias = encoder.positions.bias(x.size(1), x.size(1))};
  if (mistake.no_attention) attention = {};
  if (mistake.no_bias) attention.bias = {};
  attention.causal = mistake.causal;
  const bool pre = options.norm_place == NormPlace::kPre;
  Tensor y = mistake.no_positions ? x : encoder.positions.embed(x);
  const Scalar dropout = mistake.dropout >= 0 ? mistake.dropout : options.dropout;
  if (!mistake.dropped_each) y = dropout_in_training(y, dropout);
  if (mistake.norm_first && pre) y = encoder.norm(y);
  const Tensor start = y;
  for (const Block& layer : encoder.layers) {
    if (mistake.dropped_each) y = dropout_in_training(y, dropout);
    const Tensor made = layer(mistake.last_alone ? start : y, attention);
    y = mistake.added ? y + made : made;
    if (mistake.norm_each && pre) y = encoder.norm(y);
  }
  if (mistake.norm_first || mistake.norm_each) return y;
  return pre != mistake.other_norm ? encoder.norm(y) : y;
}

void check_encoder(const std::string& what, const LayerOptions& options, int layers,
                   const Shape& shape, const IndexTensor& mask, Scalar scale = 1) {
  KeySequence keys(5);
  Encoder encoder(options, layers, keys);
  encoder.norm.weight = normal({options.d_model}, keys.next(), 1).set_requires_grad();
  encoder.norm.bias = normal({options.d_model}, keys.next()).set_requires_grad();
  Tensor& distances = encoder.positions.distances;  // 0 in a new encoder, and then no bias shows
  if (distances.defined()) distances = normal(distances.shape(), keys.next()).set_requires_grad();
  Tensor x = normal(shape, {.seed = 3}, 0, scale).set_requires_grad();
  const auto with = [&](const Mistake& mistake) {
    return as_library(expected_of(encoder, x, mask, mistake));
  };
  const Tensor got = gradus::unchanged<Tensor>(what, {x}, [&] { return encoder(x, mask); });
  if (!got.defined()) gradus::red(what + ": got nothing: a tensor that was never set");
  gradus::must_be_finite(what, got);
  const gradus::Tensor right = with({});
  const double most = gradus::scale_of(right);
  const bool pre = options.norm_place == NormPlace::kPre;
  gradus::expect(
      what, as_library(got), right,
      {{with({.no_positions = true}), "the positions are missing: positions.embed(x)"},
       {with({.no_attention = true}), "`attention` is not handed to the layers: no mask, no bias"},
       {with({.other_norm = true}),
        pre ? "with pre-norm, the last norm follows" : "with post-norm, there is no last norm"},
       {with({.last_alone = true}), "each layer reads what the one before it returned"},
       {with({.no_bias = true}),
        "`attention` holds the mask and the bias of positions: hand on all of it"},
       {with({.added = true}),
        "a block returns the stream itself, y and its branches: y = layer(y, attention)"},
       {with({.norm_first = true}), "the last norm follows the last layer"},
       {with({.norm_each = true}), "the last norm follows the last layer alone"},
       {with({.causal = true}), "an encoder reads both sides: nothing but the mask is hidden"}},
      1e-3 * most);
  std::vector<NamedTensor> leaves = parameters(encoder);
  leaves.push_back({"x", x});
  compare_gradients(what, leaves, got, expected_of(encoder, x, mask));
}

}  // namespace

int main() {
  return gradus::run_check([] {
    LayerOptions options{.d_model = 8, .num_heads = 2, .dropout = 0};
    options.position = Position::kLearned, options.max_length = 9;
    const IndexTensor padding = padding_mask(indices({{1, 4, 5, 2, 0}, {1, 6, 2, 0, 0}}), 0);
    check_encoder("pre-norm, three layers, padding", options, 3, {2, 5, 8}, padding);
    options.norm_place = NormPlace::kPost;
    check_encoder("post-norm", options, 2, {2, 5, 8}, padding);
    check_encoder("a causal mask", options, 2, {1, 7, 8}, causal_mask(7, 7));
    options.position = Position::kBuckets;
    KeySequence keys(1);
    check_encoder("a bias for positions, and padding", options, 1, {2, 5, 8}, padding);
    check_encoder("a bias for positions, no mask", options, 1, {3, 6, 8}, {});
    options = {.d_model = 12, .num_heads = 3, .d_ff = 5, .dropout = 0, .max_length = 40};
    check_encoder("sinusoids, a long text", options, 2, {1, 37, 12}, {});
    options.position = Position::kAlibi;
    check_encoder("distances as a bias", options, 2, {2, 6, 12}, {});
    check_encoder("large numbers", options, 2, {2, 6, 12}, {}, 1e4);
    options.position = Position::kSinusoidal;
    check_encoder("no layer", options, 0, {1, 3, 12}, {});

    options.dropout = Scalar(0.3);
    const Encoder encoder(options, 2, keys);
    const Tensor x = normal({2, 4, 12}, {.seed = 8});
    const auto in_training = [&](const auto& f) {
      const Training training(1, 2);
      return as_library(f());
    };
    const auto with = [&](Scalar dropout) {
      return in_training([&] { return expected_of(encoder, x, {}, {.dropout = dropout}); });
    };
    gradus::expect(
        "in training, with dropout", in_training([&] { return encoder(x); }), with(options.dropout),
        {{with(0), "the embeddings have no dropout: dropout_in_training(..., options.dropout)"},
         {in_training([&] { return expected_of(encoder, x, {}, {.dropped_each = true}); }),
          "dropout comes once, behind the positions; the layers have their own"},
         {with(1 - options.dropout),
          "dropout takes the share that is dropped, not the share that is kept"}},
        1e-3);
  });
}
