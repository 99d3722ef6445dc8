/// @file
/// Generates text with a GPT, token by token.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "autograd/kernels/philox.h"
#include "nn/generate/inference_session.h"

namespace gradus {

/// @addtogroup generate
/// @{

/// How to choose the next token.
struct SampleOptions {
  double temperature = 0.8;  ///< divides the logits; 0 takes the most probable token
  int top_k = 200;           ///< only the k most probable tokens; 0 for all
  double top_p = 1;          ///< only the most probable tokens that together reach this probability
                             ///< (Holtzman and others, 2020)
  double repetition_penalty = 1;  ///< above 1 makes tokens in the window less probable; 1 for
                                  ///< none: see penalise_repetition()
  /// @throws std::invalid_argument naming the flag of the first invalid setting.
  void validate() const;
};

/// Chooses a token by its logits: temperature, then top_k, then top_p (a fraction of what top_k has
/// left), then one draw, uniform in [0, 1).
///
/// Among equal logits, the lower token number counts as more probable: at temperature 0 and at the
/// limits of top_k and top_p. The remaining tokens divide [0, 1) in the order of their numbers.
/// @code
/// const std::vector<Scalar> logits = {0, 3, 1};
/// choose_token(logits, {.temperature = 0}, 0);                         // 1
/// choose_token(logits, {.temperature = 1, .top_k = 2}, Scalar(0.95));  // 2
/// @endcode
/// @throws std::runtime_error if a logit is NaN, as the weights are too large or damaged.
/// @throws std::invalid_argument if all logits are -inf.
std::int32_t choose_token(std::span<const Scalar> logits, const SampleOptions& options,
                          Scalar draw);

/// The probability of each token [V] with which choose_token() takes it: 0 for those that top_k and
/// top_p leave out.
/// @code
/// const std::vector<Scalar> logits = {0, 3, 1};
/// token_probabilities(logits, {.temperature = 0});             // 0, 1, 0
/// token_probabilities(logits, {.temperature = 1, .top_k = 2}); // 0, 0.88, 0.12
/// @endcode
/// @throws as choose_token() does.
std::vector<double> token_probabilities(std::span<const Scalar> logits,
                                        const SampleOptions& options);

/// Makes tokens that have been seen less probable, once per token, however often it was seen. With
/// the penalty \f$ \theta \f$, a logit x becomes
/// \f[ x / \theta \text{ if } x > 0, \text{ otherwise } \theta x \f]
/// (Keskar and others, "CTRL: a conditional transformer language model for controllable
/// generation", 2019, who use 1.2). A penalty below 1 makes them more probable.
/// @code
/// std::vector<Scalar> logits = {2, -2, 2};
/// penalise_repetition(logits, std::vector{0, 1}, 2);
/// logits;  // [1, -4, 2]
/// @endcode
/// @throws std::invalid_argument unless the penalty is positive and finite, or if a token has no
/// logit.
void penalise_repetition(std::span<Scalar> logits, std::span<const std::int32_t> seen,
                         double penalty);

/// Continues `prompt` by up to `count` tokens. Passes each to `on_token` as it is chosen, and stops
/// when that returns false. The draws are a function of the key: token number i uses uniform number
/// i of its stream.
///
/// Each token is chosen from the logits after a window of the tokens before it. The window starts
/// at the text's beginning and grows with it. When it would exceed n_positions, it becomes the last
/// window_after_slide() tokens, which are read again, and grows from there: positions count from
/// the window's beginning, not the text's. Otherwise each token is read once: see
/// inference_session.h. The repetition penalty applies to the tokens in the window, including the
/// prompt's.
/// @code
/// const Gpt model({.vocab_size = 9, .n_layer = 1, .n_head = 2, .n_embd = 16});
/// generate(model, {5, 2}, 4, {.temperature = 0}, {}).size();  // 4
/// @endcode
/// @returns the chosen tokens, without the prompt.
/// @throws std::invalid_argument if the prompt is empty or holds a token outside the vocabulary, or
/// if `count` is negative.
std::vector<std::int32_t> generate(const Gpt& model, std::vector<std::int32_t> prompt, Index count,
                                   const SampleOptions& options, const RandomKey& key,
                                   const std::function<bool(std::int32_t)>& on_token = {});

/// Generates a batch of continuations, one per key; all share each reading of the weights. With up
/// to kFewRows keys, each is what generate() gives for its key alone, bit for bit. `on_token` also
/// gets the number of the continuation; returning false ends that one.
std::vector<std::vector<std::int32_t>> generate_batch(
    const Gpt& model, const std::vector<std::int32_t>& prompt, Index count,
    const SampleOptions& options, std::span<const RandomKey> keys,
    const std::function<bool(std::size_t, std::int32_t)>& on_token = {});

/// @}

}  // namespace gradus
