/// @file
/// Words of a text that a vocabulary does not hold, and that a model reads as unknown.
#pragma once

#include <string>
#include <vector>

#include "nn/text/tokenizer.h"

namespace gradus {

/// Some words for the user: `'bird' (9 times), 'blue' and 3 more`. The most frequent words come
/// first; equally frequent words keep their order.
std::string listed(const std::vector<std::string>& words);

/// Prints on standard error which words of these texts the vocabulary does not hold, and how many;
/// prints nothing if it holds all. `what` names the texts, such as a flag or a file.
/// @throws TextError if a text cannot be encoded at all
void note_unknown_words(const Tokenizer& tokenizer, const std::vector<std::string>& texts,
                        const std::string& what);

}  // namespace gradus
