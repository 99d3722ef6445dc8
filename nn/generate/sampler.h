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

/// The settings for choosing the next token.
struct SampleOptions {
  double temperature = 0.8;  ///< divides the logits; 0: always the most probable token
  int top_k = 200;           ///< only the k most probable tokens; 0: all
  double top_p = 1;          ///< only the fewest most probable tokens with this total probability
                             ///< (Holtzman and others, 2020)
  double repetition_penalty = 1;  ///< above 1: tokens in the window become less probable; 1:
                                  ///< no penalty: see penalise_repetition()
  /// Checks the settings.
  /// @throws std::invalid_argument naming the flag of the first invalid setting.
  void validate() const;
};

/// Chooses a token from logits [V]: applies the temperature, then top_k, then top_p (a fraction of
/// the probability that top_k leaves), and takes the token at `draw`, a uniform number in [0, 1).
///
/// Of equal logits the lower token number counts as more probable, at temperature 0 and at the
/// limits of top_k and top_p. The remaining tokens divide [0, 1) in the order of their numbers.
/// @code
/// const std::vector<Scalar> logits = {0, 3, 1};
/// choose_token(logits, {.temperature = 0}, 0);                         // 1
/// choose_token(logits, {.temperature = 1, .top_k = 2}, Scalar(0.95));  // 2
/// @endcode
/// @throws std::runtime_error if a logit is NaN, because the weights are too large or damaged.
/// @throws std::invalid_argument if all logits are -inf.
std::int32_t choose_token(std::span<const Scalar> logits, const SampleOptions& options,
                          Scalar draw);

/// Returns the probability with which choose_token() chooses each token, [V]: 0 for tokens that
/// top_k and top_p leave out.
/// @code
/// const std::vector<Scalar> logits = {0, 3, 1};
/// token_probabilities(logits, {.temperature = 0});             // 0, 1, 0
/// token_probabilities(logits, {.temperature = 1, .top_k = 2}); // 0, 0.88, 0.12
/// @endcode
/// @throws as choose_token() does.
std::vector<double> token_probabilities(std::span<const Scalar> logits,
                                        const SampleOptions& options);

/// Makes the tokens in `seen` less probable, once per token, even if a token occurs several times.
/// With the penalty \f$ \theta \f$, a logit x becomes
/// \f[ x / \theta \text{ if } x > 0, \text{ otherwise } \theta x \f]
/// (Keskar and others, "CTRL: a conditional transformer language model for controllable
/// generation", 2019; they use 1.2). A penalty below 1 makes the tokens more probable.
/// @code
/// std::vector<Scalar> logits = {2, -2, 2};
/// penalise_repetition(logits, std::vector{0, 1}, 2);
/// logits;  // [1, -4, 2]
/// @endcode
/// @throws std::invalid_argument unless the penalty is positive and finite, or if a token has no
/// logit.
void penalise_repetition(std::span<Scalar> logits, std::span<const std::int32_t> seen,
                         double penalty);

/// Continues `prompt` with up to `count` tokens. Passes each token to `on_token` as soon as it is
/// chosen, and stops when on_token returns false. The draws depend only on the key: token number i
/// uses uniform number i of the key's stream.
///
/// Each token is chosen from the logits after a window of the tokens before it. The window starts
/// at the beginning of the text and grows with the text. Before it exceeds n_positions, it shrinks
/// to the last window_after_slide() tokens, which are read again, and grows from there. Positions
/// count from the beginning of the window, not of the text. Otherwise each token is read once: see
/// inference_session.h. The repetition penalty applies to all tokens in the window, also to the
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

/// Generates a batch of continuations, one per key. Each step reads the weights once for all of
/// them. With up to kFewRows keys, each continuation equals the result of generate() with its key.
/// `on_token` also receives the number of the continuation, and ends this continuation by returning
/// false.
std::vector<std::vector<std::int32_t>> generate_batch(
    const Gpt& model, const std::vector<std::int32_t>& prompt, Index count,
    const SampleOptions& options, std::span<const RandomKey> keys,
    const std::function<bool(std::size_t, std::int32_t)>& on_token = {});

/// @}

}  // namespace gradus
