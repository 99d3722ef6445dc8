/// @file
/// Splits a text into words, for baselines, scores and word vectors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// @addtogroup data
/// @{

/// Whether to convert capitals to lower case.
enum class Case { kKeep, kLower };

/// Returns the words and punctuation marks of a text. A word is a run of ASCII letters, digits and
/// bytes above 0x7f (which includes accented letters), with single apostrophes and hyphens inside.
/// Any other visible character is a separate word. Lower case covers ASCII and U+00C0 to U+00DE,
/// enough for Portuguese and French.
/// @code
/// split_words("Não, J. P.!", Case::kLower);  // ["não", ",", "j", ".", "p", ".", "!"]
/// @endcode
std::vector<std::string> split_words(std::string_view text, Case letters = Case::kKeep);

/// @}

}  // namespace gradus
