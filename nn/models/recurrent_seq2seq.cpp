#include "nn/models/recurrent_seq2seq.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/views.h"

namespace gradus {
using namespace detail;
namespace {

/// The weights of all steps, [B, T, S], if attention computed any.
Tensor stack_defined(const std::vector<Tensor>& weights) {
  const bool any = !weights.empty() && weights[0].defined();
  return any ? stack(weights, 1) : Tensor();
}

}  // namespace

RecurrentSeq2Seq::RecurrentSeq2Seq(const RecurrentSeq2SeqConfig& config, KeySequence& keys)
    : config(config),
      source_embedding(config.source_vocab, config.channels, keys),
      target_embedding(config.target_vocab, config.channels, keys) {
  const Index hidden = config.hidden, ways = config.bidirectional ? 2 : 1;
  check(hidden > 0 && hidden % ways == 0, "seq2seq: hidden must be even for two directions, got ",
        hidden);
  for (Index way = 0; way < ways; ++way) {
    directions.emplace_back(config.kind, config.channels, hidden / ways, keys, way == 1);
  }
  bridge = Linear(hidden, parts_of(config.kind) * hidden, keys);
  if (config.alignment) {
    alignment.emplace(
        *config.alignment,
        Alignment::Sizes{.state = hidden, .source = hidden, .longest = config.longest}, keys);
  }
  decoder = RecurrentLayer(config.kind, config.channels, hidden, keys);
  from_context = Linear(hidden, gates_of(config.kind) * hidden, keys, false);
  output = Linear(2 * hidden, config.target_vocab, keys);
}

RecurrentSeq2Seq::Encoded RecurrentSeq2Seq::encode(const IndexTensor& source,
                                                   const IndexTensor& mask) const {
  require_made("RecurrentSeq2Seq", !directions.empty());
  check(source.rank() == 2 && source.size(1) > 0, "seq2seq: needs a source [B, S], got ",
        source.shape());
  const Tensor x = source_embedding(source);
  std::vector<Tensor> states, last;
  for (const RecurrentLayer& layer : directions) {
    const Tensor all = layer(x, Tensor(), mask);
    states.push_back(layer.h_of(all));
    last.push_back(layer.h_of(layer.last_of(all)));
  }
  Encoded encoded;
  if (alignment) {
    encoded.source = alignment->prepare(concat(states, -1), mask);
  }
  encoded.last = concat(last, -1);
  encoded.state = tanh(bridge(encoded.last));
  return encoded;
}

RecurrentSeq2Seq::Step RecurrentSeq2Seq::step(const Tensor& from_input, const Tensor& state,
                                              const Encoded& encoded) const {
  Alignment::Aligned aligned{Tensor(), encoded.last};
  if (alignment) {
    aligned = (*alignment)(decoder.h_of(state), encoded.source);
  }
  const Tensor next = decoder.step_from(from_input + from_context(aligned.context), state);
  return {next, concat({decoder.h_of(next), aligned.context}, -1), aligned.weights};
}

RecurrentSeq2Seq::Output RecurrentSeq2Seq::operator()(const IndexTensor& source,
                                                      const IndexTensor& inputs,
                                                      const IndexTensor& mask) const {
  check(inputs.rank() == 2 && inputs.size(1) > 0 && inputs.size(0) == source.size(0),
        "seq2seq: needs inputs [B, T] of as many rows as the source ", source.shape(), ", got ",
        inputs.shape());
  const Encoded encoded = encode(source, mask);
  // One product for the tokens of all steps.
  const std::vector<Tensor> from_inputs =
      split(decoder.ih(target_embedding(inputs)), inputs.size(1), 1);
  Tensor state = encoded.state;
  std::vector<Tensor> features, weights;
  for (const Tensor& from_input : from_inputs) {
    const Step now = step(reshape(from_input, {inputs.size(0), -1}), state, encoded);
    state = now.state;
    features.push_back(now.features);
    weights.push_back(now.weights);
  }
  return {output(stack(features, 1)), stack_defined(weights)};
}

RecurrentSeq2Seq::Written RecurrentSeq2Seq::greedy(const IndexTensor& source, std::int32_t begin,
                                                   Index length, const IndexTensor& mask) const {
  const NoGrad no_grad;
  const Encoded encoded = encode(source, mask);
  const Index batch = source.size(0);
  IndexTensor tokens(Shape{batch}), written(Shape{batch, length});
  std::fill_n(tokens.mutable_data(), tokens.size(), begin);
  Tensor state = encoded.state;
  std::vector<Tensor> weights;
  for (Index t = 0; t < length; ++t) {
    const Step now = step(decoder.ih(target_embedding(tokens)), state, encoded);
    tokens = argmax(output(now.features), -1);
    for (Index row = 0; row < batch; ++row) {
      written.mutable_data()[row * length + t] = tokens.data()[row];
    }
    state = now.state;
    weights.push_back(now.weights);
  }
  return {written, stack_defined(weights)};
}

}  // namespace gradus
