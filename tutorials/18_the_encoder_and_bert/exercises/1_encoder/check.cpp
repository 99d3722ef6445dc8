#include "pocket/bert.h"
#include "tutorials/common/compare_in_training.h"

using namespace pocket;

namespace {

/// The expected output of an encoder with these parts.
Tensor expected_of(const Encoder& encoder, const Tensor& x, const IndexTensor& mask) {
  const LayerOptions& options = encoder.options;
  const AttentionOptions attention{.mask = mask,
                                   .bias = encoder.positions.bias(x.size(1), x.size(1))};
  Tensor y = dropout_in_training(encoder.positions.embed(x), options.dropout);
  for (const Block& layer : encoder.layers) y = layer(y, attention);
  return options.norm_place == NormPlace::kPre ? encoder.norm(y) : y;
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
  std::vector<NamedTensor> leaves = parameters(encoder);
  leaves.push_back({"x", x});
  compare(
      what, leaves, [&] { return encoder(x, mask); },
      [&] { return expected_of(encoder, x, mask); });
}

}  // namespace

CHECK_ANSWER() {
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

  for (const float rate : {0.3f, 0.6f}) {
    options.dropout = rate;
    Encoder encoder(options, 2, keys);
    const Tensor x = normal({2, 4, 12}, {.seed = 8});
    compare_in_training(
        "with dropout", parameters(encoder), [&] { return encoder(x); },
        [&] { return expected_of(encoder, x, {}); });
  }
}
