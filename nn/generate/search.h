/// @file
/// Generates sequences with any model: greedy search and beam search.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "autograd/index_tensor.h"
#include "nn/generate/inference_session.h"
#include "nn/generate/sampler.h"
#include "nn/models/transformer.h"

namespace gradus {

/// @addtogroup generate
/// @{

/// A decoding state: a model that has read the beginning of N sequences, one per row, and predicts
/// their next tokens.
/// @code
/// struct Cycle final : DecodingState {  // 1 follows 0, 2 follows 1, and 0 follows 2
///   IndexTensor last = indices({0});
///   Tensor logits() const override {
///     return embedding(last, tensor({{0, 9, 0}, {0, 0, 9}, {9, 0, 0}}));
///   }
///   void advance(const IndexTensor&, const IndexTensor& tokens) override { last = tokens; }
/// };
/// Cycle cycle;
/// greedy_search(cycle, {.end = 0})[0].tokens;  // [1, 2]
/// @endcode
class DecodingState {
 public:
  virtual ~DecodingState() = default;
  /// Returns the logits of the next token of each row, [N, V].
  virtual Tensor logits() const = 0;
  /// Makes new rows: row i becomes the old row from[i] with tokens[i] appended. An old row may
  /// occur several times or not at all.
  virtual void advance(const IndexTensor& from, const IndexTensor& tokens) = 0;
};

/// A generated sequence.
struct Hypothesis {
  std::vector<std::int32_t> tokens;  ///< without the end token
  double log_probability = 0;        ///< sum over all tokens and the end token, in nats
  double score = 0;                  ///< log_probability, normalised for length in beam_search()
  bool complete = false;             ///< whether the sequence reached the end token
};

/// Where a sequence ends.
struct WriteLimits {
  std::int32_t end = 0;    ///< the end token
  Index max_tokens = 100;  ///< a longer sequence is cut off
};

/// Returns one sequence per row, with the most probable token at each position.
std::vector<Hypothesis> greedy_search(DecodingState& state, const WriteLimits& limits);

/// Returns the best sequences that a beam of `width` hypotheses finds for the state's single row,
/// best first.
///
/// At each position, every hypothesis is extended with every token, and the `width` most probable
/// results are kept. A hypothesis that ends leaves the beam, which becomes narrower by one.
/// Sequences y are ordered by the score of Wu and others, "Google's neural machine translation
/// system", 2016:
/// \f[ \frac{\ln P(y)}{\left( (5 + |y|) / 6 \right)^\alpha} \f]
/// where |y| is the number of tokens, with the end token. Without this normalisation, the shortest
/// sequence would win. A width of 1 finds the sequence of greedy_search().
/// @throws std::invalid_argument unless width >= 1, alpha >= 0 and the state has one row.
std::vector<Hypothesis> beam_search(DecodingState& state, const WriteLimits& limits, int width,
                                    double alpha = 0.6);

/// A Transformer that generates the translation of src [B, S].
/// @code
/// const Transformer model(11, 13, 8, 1, 2);
/// TransformerDecoding state(model, indices({{1, 2, 3}}), IndexTensor(), 1);
/// const auto found = beam_search(state, {.end = 0, .max_tokens = 4}, 3);
/// found.size();                       // 3
/// found[0].score >= found[1].score;  // true
/// @endcode
class TransformerDecoding final : public DecodingState {
 public:
  /// Reads the sources, with `begin` as the first token of each target.
  TransformerDecoding(const Transformer& model, const IndexTensor& src, const IndexTensor& src_mask,
                      std::int32_t begin);
  Tensor logits() const override { return logits_; }
  void advance(const IndexTensor& from, const IndexTensor& tokens) override;

 private:
  void read(const IndexTensor& tokens);

  const Transformer& model_;
  DecoderCache cache_;
  Tensor logits_;
};

/// A GPT that continues a prompt. A text longer than the model's window continues from its last
/// part, as in generate().
/// @code
/// const Gpt model({.vocab_size = 9, .n_layer = 1, .n_head = 2, .n_embd = 16});
/// GptDecoding state(model, {5, 2});
/// greedy_search(state, {.end = -1, .max_tokens = 4})[0].tokens.size();  // 4
/// @endcode
class GptDecoding final : public DecodingState {
 public:
  /// Reads the prompt.
  /// @throws std::invalid_argument if the prompt is empty or holds a token outside the vocabulary.
  GptDecoding(const Gpt& model, std::vector<std::int32_t> prompt);
  Tensor logits() const override { return logits_; }
  void advance(const IndexTensor& from, const IndexTensor& tokens) override;

 private:
  InferenceSession reader_;
  std::vector<std::vector<std::int32_t>> rows_;
  Tensor logits_;
};

/// @}

}  // namespace gradus
