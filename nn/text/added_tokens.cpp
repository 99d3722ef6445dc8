#include "nn/text/added_tokens.h"

#include <algorithm>

#include "nn/text/unicode_folding.h"
#include "nn/text/utf8.h"

namespace gradus {
namespace {

/// The character that ends at byte `end` of a text. An invalid byte is U+FFFD, with length 1.
Utf8Char read_before(std::string_view text, std::size_t end) {
  for (std::size_t begin = end; begin > 0 && end - begin < 4;) {
    const Utf8Char read = read_utf8(text, --begin);
    if (read.state == Utf8::kValid && begin + read.length == end) return read;
  }
  return {kReplacementCharacter, 1, Utf8::kBroken};
}

/// Where the white space that ends at `end` begins.
std::size_t begin_of_blank(std::string_view text, std::size_t end) {
  while (end > 0) {
    const Utf8Char read = read_before(text, end);
    if (!is_white_space(read.code_point)) break;
    end -= read.length;
  }
  return end;
}

/// Where the white space that begins at `begin` ends.
std::size_t end_of_blank(std::string_view text, std::size_t begin) {
  while (begin < text.size()) {
    const Utf8Char read = read_utf8(text, begin);
    if (!is_white_space(read.code_point)) break;
    begin += read.length;
  }
  return begin;
}

/// Whether a letter, digit or _ is beside the bytes [begin, end).
bool is_in_word(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin > 0 && is_word_character(read_before(text, begin).code_point)) ||
         (end < text.size() && is_word_character(read_utf8(text, end).code_point));
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens)
    : longest_first_(std::move(tokens)), starts_(256) {
  std::ranges::stable_sort(longest_first_, std::ranges::greater(),
                           [](const AddedToken& token) { return token.content.size(); });
  for (const AddedToken& token : longest_first_) {
    starts_[static_cast<unsigned char>(token.content[0])] = true;
  }
}

void AddedTokens::each(std::string_view text,
                       const std::function<void(std::string_view, const AddedToken*)>& visit,
                       const std::function<bool(std::size_t, std::size_t)>& may_be_special) const {
  std::size_t plain = 0;  // the start of the text before the next token
  for (std::size_t at = 0; !empty() && at < text.size(); ++at) {
    if (!starts_[static_cast<unsigned char>(text[at])]) continue;
    const auto found = std::ranges::find_if(longest_first_, [&](const AddedToken& token) {
      return text.substr(at).starts_with(token.content) &&
             (!token.special || !may_be_special || may_be_special(at, at + token.content.size()));
    });
    if (found == longest_first_.end()) continue;
    std::size_t begin = at, end = at + found->content.size();
    at = end - 1;
    if (found->single_word && is_in_word(text, begin, end)) continue;
    if (found->left_strip) begin = std::max(plain, begin_of_blank(text, begin));
    if (found->right_strip) end = end_of_blank(text, end);
    if (begin > plain) visit(text.substr(plain, begin - plain), nullptr);
    visit(text.substr(begin, end - begin), &*found);
    plain = end;
  }
  if (plain < text.size()) visit(text.substr(plain), nullptr);
}

}  // namespace gradus
