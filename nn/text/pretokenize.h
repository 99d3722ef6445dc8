/// @file
/// Cuts a text into pieces, as GPT-2 does or by other expressions. Byte-pair encoding never merges
/// across pieces.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nn/text/pattern.h"

namespace gradus {

/// @addtogroup text
/// @{

/// Cuts a text as GPT-2 does (Radford et al., 2019) and visits the pieces in order. Together the
/// pieces are the text. A piece is the end of a contraction ('s, 't, 're, 've, 'm, 'll, 'd), or a
/// run of letters, of digits or of other characters, each with a blank before it if there is one,
/// or a run of white space without the blank that belongs to the next piece.
///
/// Accepts any bytes. Each run of bytes that are not valid UTF-8 is one piece, and the parts
/// between these runs are cut as separate texts.
/// @code
/// std::vector<std::string> pieces;
/// for_each_pretoken("I'm 24  now", [&](std::string_view piece) { pieces.emplace_back(piece); });
/// pieces;  // ["I", "'m", " 24", " ", " now"]
/// @endcode
void for_each_pretoken(std::string_view text, const std::function<void(std::string_view)>& visit);

/// The expression that for_each_pretoken() cuts by.
const std::string& gpt2_expression();

/// Cuts texts by regular expressions, in order: each match is a piece, and so is the text between
/// two matches. The next expression cuts these pieces further. Invalid UTF-8 is treated as in
/// for_each_pretoken().
/// @code
/// const Pretokenizer digits({R"(\p{L}+)", R"(\p{N})"});
/// std::vector<std::string> pieces;
/// digits.each("In 24h", [&](std::string_view piece) { pieces.emplace_back(piece); });
/// pieces;  // ["In", " ", "2", "4", "h"]
/// @endcode
class Pretokenizer {
 public:
  /// Without an expression, a text is one piece. Expressions are PCRE2's, except that `\s` and `\S`
  /// stand for Unicode's white space, as in other programs (see kBlank).
  /// @throws std::invalid_argument naming an expression that PCRE2 refuses
  explicit Pretokenizer(const std::vector<std::string>& expressions);

  /// Visits the pieces of a text in order.
  void each(std::string_view text, const std::function<void(std::string_view)>& visit) const;

 private:
  void cut(std::string_view text, std::size_t step,
           const std::function<void(std::string_view)>& visit) const;

  std::vector<std::shared_ptr<const Pattern>> patterns_;
};

/// @}

}  // namespace gradus
