//! [08 recurrent]
// An encoder-decoder that reads and writes one token after another, with or without attention.
#pragma once

#include <optional>

#include "text.h"

namespace pocket {

enum class RecurrentKind { kRnn, kGru };

/// A recurrent network: its state h [B, 1, H] depends on all tokens so far.
struct RecurrentLayer {
  RecurrentLayer(RecurrentKind kind, Index channels, Index hidden, KeySequence& keys)
      : kind(kind), ih(channels, gates() * hidden, keys), hh(hidden, gates() * hidden, keys) {}
  Index gates() const { return kind == RecurrentKind::kGru ? 3 : 1; }

  /// The next state, from ih(x) and the last state.
  Tensor step_from(const Tensor& from_input, const Tensor& state) const {
    const Tensor from_state = hh(state);
    if (kind == RecurrentKind::kRnn) return tanh(from_input + from_state);
    // A GRU (Cho and others, 2014) has two gates, reset and keep: a number for each element of h.
    const std::vector<Tensor> x = split(from_input, 3, -1), s = split(from_state, 3, -1);
    //! [08.1]
    const Tensor reset = sigmoid(x[0] + s[0]), keep = sigmoid(x[1] + s[1]);
    const Tensor value = tanh(x[2] + reset * s[2]);
    return value + keep * (state - value);
    //! [08.1]
  }
  /// All steps, one after another: x [B, T, C] to the states [B, T, H].
  Tensor operator()(const Tensor& x) const {
    Tensor state = zeros({x.size(0), 1, hh.weight.size(0)});
    std::vector<Tensor> states;
    for (const Tensor& from_input : split(ih(x), x.size(1), 1)) {
      states.push_back(state = step_from(from_input, state));
    }
    return concat(states, 1);
  }
  void fields(auto&& f) { f("ih", ih), f("hh", hh); }
  RecurrentKind kind;
  Linear ih, hh;  // from the input, and from the state
};
//! [08 recurrent]

//! [08 AlignmentKind]
/// How well a decoder's state s matches an encoder's state h.
enum class AlignmentKind {
  kCosine,     // beta cos(s, h): Graves and others, 2014
  kAdditive,   // v^T tanh(W [s; h]): Bahdanau and others, 2015
  kLocation,   // (W s)_j, for any h: Luong and others, 2015
  kGeneral,    // s^T W h: Luong and others, 2015
  kDot,        // s^T h: Luong and others, 2015
  kScaledDot,  // s^T h / sqrt(H): Vaswani and others, 2017
};
//! [08 AlignmentKind]

//! [08 Alignment]
inline Tensor unit(const Tensor& x) {
  return x / sqrt(sum(x * x, -1, {.keepdim = true}) + Scalar(1e-12));
}

/// Attention, for each s: a_j = softmax_j(score(s, h_j)), and the context z = sum_j a_j h_j.
struct Alignment {
  using enum AlignmentKind;
  struct Aligned {
    Tensor weights, context;  // a [B, T, S], z [B, T, H]
  };
  Alignment() = default;
  Alignment(AlignmentKind kind, Index hidden, Index longest, KeySequence& keys) : kind(kind) {
    if (kind == kCosine) log_beta = zeros({}).set_requires_grad();
    if (kind == kAdditive) source = Linear(hidden, hidden, keys, false);
    if (kind == kAdditive) v = Linear(hidden, 1, keys, false);
    const Index width = kind == kLocation ? longest : hidden;
    if (kAdditive <= kind && kind <= kGeneral) state = Linear(hidden, width, keys, false);
  }
  /// s [B, T, H] and h [B, S, H] to the scores [B, T, S].
  Tensor scores(const Tensor& s, const Tensor& h) const {
    if (kind == kLocation) return slice(state(s), -1, 0, h.size(1));
    //! [08.2]
    if (kind == kCosine) return matmul(unit(s), unit(h), {.b = true}) * exp(log_beta);
    if (kind == kAdditive) {  // W [s; h] is the sum of one product for s and one for h
      const Tensor of_s = reshape(state(s), {s.size(0), s.size(1), 1, -1});
      const Tensor of_h = reshape(source(h), {h.size(0), 1, h.size(1), -1});
      return reshape(v(tanh(of_s + of_h)), {s.size(0), s.size(1), h.size(1)});
    }
    const Tensor dots = matmul(kind == kGeneral ? state(s) : s, h, {.b = true});
    return kind == kScaledDot ? dots / std::sqrt(Scalar(s.size(2))) : dots;
    //! [08.2]
  }
  Aligned operator()(const Tensor& s, const Tensor& h) const {
    const Tensor weights = softmax(scores(s, h));
    return {weights, matmul(weights, h)};
  }
  void fields(auto&& f) {
    f("state", state), f("source", source), f("v", v), f("log_beta", log_beta);
  }
  AlignmentKind kind = kDot;
  Linear state, source, v;
  Tensor log_beta;
};
//! [08 Alignment]

//! [08 seq2seq]
struct RecurrentSeq2SeqConfig {
  Index source_vocab = 0, target_vocab = 0, channels = 64, hidden = 64;
  RecurrentKind kind = RecurrentKind::kGru;
  std::optional<AlignmentKind> alignment = {};  // none: one vector carries the whole source
  Index longest = 0;                            // for kLocation: the longest source
};

/// Reads a source as states h_j and writes a target: s_i = cell(s_{i-1}, y_{i-1}, z_i).
struct RecurrentSeq2Seq {
  struct Output {
    Tensor logits, weights;  // [B, T, V] and a [B, T, S]
  };
  RecurrentSeq2Seq(const RecurrentSeq2SeqConfig& config, KeySequence& keys)
      : config(config),
        source_embedding(config.source_vocab, config.channels, keys),
        target_embedding(config.target_vocab, config.channels, keys),
        encoder(config.kind, config.channels, config.hidden, keys),
        decoder(config.kind, config.channels + config.hidden, config.hidden, keys),
        output(2 * config.hidden, config.target_vocab, keys) {
    if (config.alignment) alignment = {*config.alignment, config.hidden, config.longest, keys};
  }
  /// The logits of each next token. `inputs` [B, T] is the target, one token late.
  Output operator()(const IndexTensor& source, const IndexTensor& inputs) const {
    const Tensor h = encoder(source_embedding(source)), last = slice(h, 1, -1);  // [B, 1, H]
    Tensor state = last;
    std::vector<Tensor> features, weights;
    //! [08.3]
    for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
      const auto [a, z] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
      state = decoder.step_from(decoder.ih(concat({y, z}, -1)), state);
      features.push_back(concat({state, z}, -1));
      if (config.alignment) weights.push_back(a);
    }
    //! [08.3]
    return {output(concat(features, 1)), config.alignment ? concat(weights, 1) : Tensor()};
  }
  void fields(auto&& f) {
    f("source_embedding", source_embedding), f("target_embedding", target_embedding);
    f("encoder", encoder), f("decoder", decoder), f("output", output), f("alignment", alignment);
  }
  RecurrentSeq2SeqConfig config;
  Embedding source_embedding, target_embedding;
  RecurrentLayer encoder, decoder;
  Linear output;
  Alignment alignment;
};

/// Writes `length` tokens after `begin`, the most probable one each time.
Tokens greedy(const auto& model, const IndexTensor& source, std::int32_t begin, Index length) {
  const NoGrad no_grad;
  Tokens tokens{begin};
  for (Index t = 1; t <= length; ++t) {
    const Tensor logits = model(source, IndexTensor({1, t}, tokens)).logits;
    tokens.push_back(*(argmax(logits, -1).end() - 1));
  }
  return {tokens.begin() + 1, tokens.end()};
}

}  // namespace pocket
//! [08 seq2seq]
