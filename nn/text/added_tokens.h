/// @file
/// Tokens that a text contains as they are, whatever the other rules of its tokenizer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// A token with its text and the conditions under which a text contains it.
struct AddedToken {
  std::string content;       ///< its text, UTF-8
  std::int32_t number = 0;   ///< the token
  bool special = false;      ///< whether plain text never contains it
  bool single_word = false;  ///< whether letters, digits or _ beside it prevent a match
  bool left_strip = false;   ///< whether it takes the white space before it
  bool right_strip = false;  ///< whether it takes the white space after it
  bool normalized = false;   ///< whether it is searched after the text was normalised
};

/// Cuts a text at the tokens in it. Where several match, the longest is used.
/// @code
/// const AddedTokens tokens({{.content = "<end>", .number = 7}});
/// std::vector<std::int32_t> found;
/// tokens.each("one<end>", [&](std::string_view, const AddedToken* token) {
///   found.push_back(token != nullptr ? token->number : -1);
/// });
/// found.size();  // 2
/// @endcode
class AddedTokens {
 public:
  AddedTokens() = default;
  /// These tokens, none of which is empty.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  /// Whether there are none.
  bool empty() const { return longest_first_.empty(); }
  /// Calls visit(part, token) for each part of a text, in order: `token` is nullptr for text
  /// between tokens, which is never empty. With `may_be_special`, a special token is used only if
  /// may_be_special(begin, end) is true for its place.
  void each(std::string_view text,
            const std::function<void(std::string_view, const AddedToken*)>& visit,
            const std::function<bool(std::size_t, std::size_t)>& may_be_special = {}) const;

 private:
  std::vector<AddedToken> longest_first_;
  std::vector<bool> starts_;  // by first byte
};

/// @}

}  // namespace gradus
