/// @file
/// Words of a text, for what counts words: baselines, scores, word vectors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// @addtogroup data
/// @{

/// Whether capitals become small letters.
enum class Case { kKeep, kLower };

/// The words and the marks of a text. A word is a run of ASCII letters, digits and bytes above
/// 0x7f (so that accents stay inside), with single apostrophes and hyphens between them; any other
/// visible character is a word of its own. Small letters are known for ASCII and for U+00C0 to
/// U+00DE, which Portuguese and French get by with.
///
///     split_words("É o J. P., não?", Case::kLower);   // é o j . p . , não ?
std::vector<std::string> split_words(std::string_view text, Case letters = Case::kKeep);

/// @}

}  // namespace gradus
