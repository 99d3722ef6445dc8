/// @file
/// Writing a sequence with any model: the likeliest token at each place, a draw, or a beam of
/// hypotheses.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "autograd/index_tensor.h"
#include "nn/generate/gpt_reader.h"
#include "nn/generate/sampler.h"
#include "nn/models/transformer.h"

namespace gradus {

/// @addtogroup generate
/// @{

/// A model that has read the beginnings of some sequences, one a row, and says what comes next.
class Writer {
 public:
  virtual ~Writer() = default;
  /// The logits of the next token of each row, [N, V].
  virtual Tensor logits() const = 0;
  /// Goes on with row from[i], with tokens[i] behind it, as row i; a row may go on several times or
  /// not at all.
  virtual void advance(const IndexTensor& from, const IndexTensor& tokens) = 0;
};

/// A sequence that was written.
struct Hypothesis {
  std::vector<std::int32_t> tokens;  ///< without the end token
  double log_probability = 0;        ///< of all its tokens and its end, in nats
  double score = 0;                  ///< the same, normalised by the length
  bool complete = false;             ///< whether it came to an end by itself
};

/// What ends a sequence.
struct WriteLimits {
  std::int32_t end = 0;    ///< the token that ends one
  Index max_tokens = 100;  ///< one that has so many is cut off
};

/// One sequence a row, each token the likeliest.
std::vector<Hypothesis> greedy_search(Writer& writer, const WriteLimits& limits);

/// One sequence a row, each token drawn: see choose_token(). Row i draws from `key` at place + i.
/// @throws std::invalid_argument if the options ask for a repetition penalty, which is
/// generate()'s.
std::vector<Hypothesis> sample_search(Writer& writer, const WriteLimits& limits,
                                      const SampleOptions& options, const RandomKey& key);

/// The best sequences that a beam of `width` hypotheses finds for the writer's only row, best
/// first.
///
/// At each place, every hypothesis is continued by every token, and the `width` likeliest stay. One
/// that ends leaves the beam, which becomes narrower by it. Sequences are ordered by log P / ((5 +
/// length) / 6)^alpha (Wu and others, "Google's neural machine translation system", 2016): without
/// that, the shortest would win. A width of 1 is greedy_search().
/// @throws std::invalid_argument unless width >= 1, alpha >= 0 and the writer has one row.
std::vector<Hypothesis> beam_search(Writer& writer, const WriteLimits& limits, int width,
                                    double alpha = 0.6);

/// A Transformer that writes the translation of src [B, S].
class TransformerWriter final : public Writer {
 public:
  /// Reads the sources, and `begin` as the first token of each target.
  TransformerWriter(const Transformer& model, const IndexTensor& src, const IndexTensor& src_mask,
                    std::int32_t begin);
  Tensor logits() const override { return logits_; }
  void advance(const IndexTensor& from, const IndexTensor& tokens) override;

 private:
  void read(const IndexTensor& tokens);

  const Transformer& model_;
  DecoderCache cache_;
  Tensor logits_;
};

/// A GPT that goes on with a prompt. A text that outgrows the model's window goes on from the last
/// part of it, as in generate().
class GptWriter final : public Writer {
 public:
  /// Reads the prompt.
  /// @throws std::invalid_argument if the prompt is empty or holds a token that the model lacks.
  GptWriter(const Gpt& model, std::vector<std::int32_t> prompt);
  Tensor logits() const override { return logits_; }
  void advance(const IndexTensor& from, const IndexTensor& tokens) override;

 private:
  GptReader reader_;
  std::vector<std::vector<std::int32_t>> texts_;
  Tensor logits_;
};

/// @}

}  // namespace gradus
