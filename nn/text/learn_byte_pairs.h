#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/text/byte_pair_tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// Receives the progress of learning: the number of tokens so far, and the maximum.
using LearningProgress = std::function<void(int done, int of)>;

/// Learns merges from a text (Sennrich et al., 2016), until there are vocab_size tokens or no
/// adjacent pair occurs twice. Each merge makes a token, with the next free number, from the most
/// frequent pair of adjacent tokens within pieces of the text (pretokenize.h). Of equally frequent
/// pairs, the one with the smallest left token is merged, then the one with the smallest right
/// token. A pair longer than kLongestToken is never merged. Tokens 0 to 255 are the bytes in
/// GPT-2's order; special tokens come last. Text that looks like a special token is treated as
/// text.
///
/// @throws std::invalid_argument if vocab_size is below 256 plus the number of special tokens
BytePairs learn_byte_pairs(std::string_view text, int vocab_size,
                           const std::vector<std::string>& special_tokens = {kEndOfText},
                           const LearningProgress& progress = {});

/// @}

}  // namespace gradus
