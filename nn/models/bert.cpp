#include "nn/models/bert.h"

#include <cmath>

#include "autograd/check.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;
namespace {

/// The 0.02 of BERT at its 768 channels, scaled by 1 / sqrt(C). With 0.02 at 128 channels,
/// attention stayed so uniform that after 800 steps on the fables the model was hardly better than
/// guessing by frequency.
Scalar initial_scale(const BertConfig& config) {
  constexpr double kScale = 0.02, kChannels = 768;
  return static_cast<Scalar>(kScale *
                             std::sqrt(kChannels / static_cast<double>(config.layer.d_model)));
}

/// Sets tables and weights to normal random numbers and biases to 0. Norms keep their initial
/// values.
void initialise(Bert& bert, KeySequence& keys) {
  visit_parameters(bert, [&](const std::string& name, Tensor& parameter) {
    if (parameter.rank() == 2) {
      std::ranges::copy(normal(parameter.shape(), keys.next(), 0, initial_scale(bert.config)),
                        parameter.mutable_data());
    } else if (name.ends_with("bias")) {
      std::fill_n(parameter.mutable_data(), parameter.size(), Scalar(0));
    }
  });
}

}  // namespace

bool BertConfig::is_bert() const {
  return layer.activation == Activation::kGeluErf && layer.norm == NormKind::kLayer &&
         layer.norm_place == NormPlace::kPost && layer.position == Position::kLearned && layer.bias;
}

Bert::Bert(const BertConfig& given, std::uint64_t seed) : config(given) {
  check(config.vocab_size >= 1, "bert: vocab_size must be at least 1, got ", config.vocab_size);
  check(config.type_vocab_size >= 1, "bert: type_vocab_size must be at least 1, got ",
        config.type_vocab_size);
  check(config.n_labels >= 0, "bert: n_labels must not be negative, got ", config.n_labels);
  const Index channels = config.layer.d_model;
  KeySequence keys(seed);
  encoder = Encoder(config.layer, config.n_layer, keys);
  words = Embedding(config.vocab_size, channels, keys);
  segments = Embedding(config.type_vocab_size, channels, keys);
  norm = config.layer.make_norm();
  pooler = Linear(channels, channels, keys);
  transform = Linear(channels, channels, keys);
  transform_norm = config.layer.make_norm();
  word_bias = zeros({config.vocab_size}).set_requires_grad();
  initialise(*this, keys);
  if (config.n_labels > 0) {
    set_labels(config.n_labels, seed);
  }
}

Tensor Bert::features(const IndexTensor& tokens, const IndexTensor& mask,
                      const IndexTensor& segment) const {
  require_made("Bert", words.weight.defined());
  check(tokens.rank() == 2, "bert: needs tokens [B, T], got ", tokens.shape());
  const IndexTensor first = segment.defined() ? segment : IndexTensor(tokens.shape());
  const Tensor x = encoder.positions.embed(words(tokens) + segments(first));
  return encoder.run(dropout_in_training(norm(x), config.layer.dropout), mask);
}

Tensor Bert::word_logits(const Tensor& features) const {
  require_made("Bert", words.weight.defined());
  const Tensor x = transform_norm(gelu_erf(transform(features)));
  return matmul(x, words.weight, {.b = true}) + word_bias;
}

Tensor Bert::masked_loss(const IndexTensor& tokens, const IndexTensor& targets,
                         const IndexTensor& mask, const IndexTensor& segment) const {
  check(targets.shape() == tokens.shape(), "bert: targets must have the tokens' shape, got ",
        targets.shape(), " and ", tokens.shape());
  // The head has by far the widest matrix product, so it is computed at the chosen positions only.
  std::vector<std::int32_t> positions, wanted;
  for (Index i = 0; i < targets.size(); ++i) {
    if (targets.data()[i] != kIgnoreIndex) {
      positions.push_back(static_cast<std::int32_t>(i));
      wanted.push_back(targets.data()[i]);
    }
  }
  const Shape count{std::ssize(positions)};
  const Tensor x = reshape(features(tokens, mask, segment), {tokens.size(), config.layer.d_model});
  return cross_entropy(word_logits(embedding(IndexTensor(count, positions), x)),
                       IndexTensor(count, wanted));
}

Tensor Bert::pooled(const Tensor& features) const {
  require_made("Bert", words.weight.defined());
  const Tensor first = slice(features, 1, 0, 1);  // [B, 1, C]
  return gradus::tanh(pooler(reshape(first, {features.size(0), features.size(2)})));
}

Tensor Bert::sequence_logits(const Tensor& features) const {
  check(classifier.weight.defined(), "bert: has no classifier (set_labels() makes one)");
  return classifier(dropout_in_training(pooled(features), config.layer.dropout));
}

void Bert::set_labels(Index n_labels, std::uint64_t seed) {
  config.n_labels = n_labels;
  KeySequence keys(seed + 1);
  classifier = Linear(config.layer.d_model, n_labels, keys);
  std::ranges::copy(normal(classifier.weight.shape(), keys.next(), 0, initial_scale(config)),
                    classifier.weight.mutable_data());
  std::fill_n(classifier.bias.mutable_data(), classifier.bias.size(), Scalar(0));
}

bool is_transposed_in_bert(const std::string& name, const Tensor& tensor) {
  return tensor.rank() == 2 && name.find("embeddings") == std::string::npos;
}

}  // namespace gradus
