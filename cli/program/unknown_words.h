/// @file
/// Words of a text that a vocabulary does not hold, and that a model reads as unknown.
#pragma once

#include <string>
#include <vector>

#include "nn/text/tokenizer.h"

namespace gradus {

/// Some words for the user: `'bird' (9 times), 'blue' and 3 more`, the most frequent first, of
/// equally frequent ones the first.
std::string listed(const std::vector<std::string>& words);

/// Says on standard error which words of these texts the vocabulary does not hold, and how many;
/// nothing if it holds all. `what` are the texts, such as a flag or a file.
/// @throws TextError where a text cannot be encoded at all
void note_unknown_words(const Tokenizer& tokenizer, const std::vector<std::string>& texts,
                        const std::string& what);

}  // namespace gradus
