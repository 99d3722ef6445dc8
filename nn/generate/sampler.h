/// @file
/// Text from a GPT, token by token.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "autograd/kernels/philox.h"
#include "nn/generate/gpt_reader.h"

namespace gradus {

/// @addtogroup generate
/// @{

/// How the next token is chosen.
struct SampleOptions {
  double temperature = 0.8;  ///< divides the logits; 0 takes the likeliest token
  int top_k = 200;           ///< only the k likeliest tokens; 0 for all
  double top_p = 1;          ///< only the likeliest tokens that together reach this probability
                             ///< (Holtzman and others, 2020)
  double repetition_penalty = 1;  ///< above 1 makes tokens that the window holds unlikelier; 1 for
                                  ///< none: see penalise_repetition()
  /// @throws std::invalid_argument naming the flag of the first setting that makes no sense.
  void validate() const;
};

/// Chooses a token by its logits: temperature, then top_k, then top_p, which is a share of what
/// top_k has left, then one draw, uniform in [0, 1).
///
/// Of equal logits the lower token number counts as the likelier: at temperature 0 and at the
/// borders of top_k and top_p. The tokens that remain divide [0, 1) in the order of their numbers.
/// @throws std::invalid_argument if a logit is NaN, or all are -inf.
std::int32_t choose_token(std::span<const Scalar> logits, const SampleOptions& options,
                          Scalar draw);

/// Makes tokens that have been seen less likely: a logit x becomes x / penalty if it is positive
/// and x penalty if not, once for each token, however often it was seen (Keskar and others, "CTRL:
/// a conditional transformer language model for controllable generation", 2019, who use 1.2). A
/// penalty below 1 makes them likelier.
/// @throws std::invalid_argument unless the penalty is positive and finite, or if a token has no
/// logit.
void penalise_repetition(std::span<Scalar> logits, std::span<const std::int32_t> seen,
                         double penalty);

/// Continues `prompt` by up to `count` tokens. Each is handed to `on_token` as it is chosen;
/// generation ends when that returns false. The draws are a function of the key: token number i
/// uses uniform number i of its stream.
///
/// Each token is chosen by the logits after a window of those before it. The window begins with the
/// text and grows with it; whenever it would be longer than n_positions (positions count from the
/// window's beginning, not the text's), it becomes the last window_after_slide() tokens, which
/// are read again, and grows from there. Apart from that, each token is read once: see GptReader.
/// The repetition penalty is for the tokens of that window, the prompt's among them.
/// @returns the tokens that were chosen, without the prompt.
/// @throws std::invalid_argument if the prompt is empty or holds a token that the model lacks, or
/// if `count` is negative.
std::vector<std::int32_t> generate(const Gpt& model, std::vector<std::int32_t> prompt, Index count,
                                   const SampleOptions& options, const RandomKey& key,
                                   const std::function<bool(std::int32_t)>& on_token = {});

/// As many continuations side by side as there are keys: the weights are read once for all of them.
/// With up to kFewRows keys, each is what generate() gives by its key alone, bit for bit.
/// `on_token` gets the number of the continuation too; where it returns false, that one has ended.
std::vector<std::vector<std::int32_t>> generate_batch(
    const Gpt& model, const std::vector<std::int32_t>& prompt, Index count,
    const SampleOptions& options, std::span<const RandomKey> keys,
    const std::function<bool(std::size_t, std::int32_t)>& on_token = {});

/// @}

}  // namespace gradus
