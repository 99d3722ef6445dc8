#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/text/byte_pair_tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// Hears of how much has been learnt: tokens so far, and at most.
using LearningProgress = std::function<void(int done, int of)>;

/// Learns merges from a text (Sennrich et al., 2016), until there are vocab_size tokens or no pair
/// of neighbours occurs twice. A pair that is longer than kLongestToken stays two tokens. Again and
/// again the most frequent pair of tokens that stand side by side in a piece of the text
/// (pretokenize.h) becomes a token, the next free number. Of equally frequent pairs the one of the
/// smallest numbers is taken: the smallest left token, then the smallest right one. Tokens 0 to 255
/// are the bytes in GPT-2's order; special tokens come last. What looks like a special token in the
/// text is text.
///
/// @throws std::invalid_argument if vocab_size is below 256 and the special tokens
BytePairs learn_byte_pairs(std::string_view text, int vocab_size,
                           const std::vector<std::string>& special_tokens = {kEndOfText},
                           const LearningProgress& progress = {});

/// @}

}  // namespace gradus
