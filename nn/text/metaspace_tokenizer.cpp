#include "nn/text/metaspace_tokenizer.h"

#include <algorithm>
#include <cstdio>
#include <unordered_set>

#include "autograd/check.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::string_view kMark = "\xE2\x96\x81";  // U+2581, which stands for a blank

std::string replaced_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(from, at), text.size());
    result += text.substr(at, found - at);
    if (found < text.size()) result += to;
    at = found + from.size();
  }
  return result;
}

}  // namespace

MetaspaceTokenizer::MetaspaceTokenizer(MetaspaceParts parts) : parts_(std::move(parts)) {
  check(parts_.tokens.size() < INT32_MAX, "metaspace: too many tokens");
  for (std::int32_t token = 0; token < vocab_size(); ++token) {
    const std::string& written = parts_.tokens[static_cast<std::size_t>(token)];
    check(!written.empty(), "metaspace: token ", token, " is empty");
    check_utf8(written);
    check(numbers_.emplace(written, token).second, "metaspace: the token '", written,
          "' occurs twice");
    pieces_.push_back(replaced_all(written, kMark, " "));
  }
  is_special_.resize(pieces_.size());
  for (int byte = 0; byte < 256; ++byte) {
    const auto found = numbers_.find(byte_token(byte));
    check(found != numbers_.end(), "metaspace: needs a token for each of the 256 bytes, but ",
          byte_token(byte), " is missing");
    byte_tokens_[static_cast<std::size_t>(byte)] = found->second;
    pieces_[static_cast<std::size_t>(found->second)] = std::string(1, static_cast<char>(byte));
  }
  for (const auto& [left, right] : parts_.merges) {
    check_token(left);
    check_token(right);
    const auto text_of = [&](std::int32_t token) {
      return parts_.tokens[static_cast<std::size_t>(token)];
    };
    const auto made = numbers_.find(text_of(left) + text_of(right));
    if (made == numbers_.end()) {
      fail("metaspace: the result of merge ", rules_.size(), ", '", text_of(left), " ",
           text_of(right), "', must be a token");
    }
    check(rules_.add(left, right, made->second), "metaspace: the merge '", text_of(left), " ",
          text_of(right), "' occurs twice");
  }
  std::vector<AddedToken> plain;
  for (const AddedToken& token : parts_.added) {
    check_token(token.number);
    pieces_[static_cast<std::size_t>(token.number)] = token.content;
    is_special_[static_cast<std::size_t>(token.number)] = token.special;
    if (!token.special) plain.push_back(token);
  }
  in_text_ = AddedTokens(std::move(plain));
  with_specials_ = AddedTokens(parts_.added);
}

void MetaspaceTokenizer::encode_piece(std::string_view piece,
                                      std::vector<std::int32_t>& out) const {
  if (parts_.whole_pieces) {
    if (const auto found = numbers_.find(std::string(piece)); found != numbers_.end()) {
      out.push_back(found->second);
      return;
    }
  }
  std::vector<std::int32_t> tokens;
  for (std::size_t at = 0; at < piece.size();) {
    const Utf8Char read = read_utf8(piece, at);
    const std::string_view bytes = piece.substr(at, read.length);
    const auto found = numbers_.find(std::string(bytes));
    if (found != numbers_.end()) {
      tokens.push_back(found->second);
    } else {
      for (const char byte : bytes)
        tokens.push_back(byte_tokens_[static_cast<unsigned char>(byte)]);
    }
    at += read.length;
  }
  std::ranges::copy(rules_.merged(std::move(tokens)), std::back_inserter(out));
}

std::string MetaspaceTokenizer::byte_token(int byte) {
  std::array<char, 8> name{};
  std::snprintf(name.data(), name.size(), "<0x%02X>", static_cast<unsigned>(byte) & 0xff);
  return name.data();
}

std::vector<std::int32_t> MetaspaceTokenizer::encode_around(
    const AddedTokens& added, std::string_view text,
    const std::function<bool(std::size_t, std::size_t)>& may_be_special, bool continues) const {
  std::vector<std::int32_t> tokens;
  const auto encode_part = [&](std::string_view part, const AddedToken* token) {
    if (token != nullptr) {
      tokens.push_back(token->number);
      return;
    }
    const bool is_first = part.data() == text.data();
    const BlankBefore rule = is_first && continues ? BlankBefore::kNever : parts_.blank_before;
    std::string marked = replaced_all(part, " ", kMark);
    const bool may_have = rule == BlankBefore::kAlways || (rule == BlankBefore::kFirst && is_first);
    if (rule == BlankBefore::kAnother || (may_have && !marked.starts_with(kMark))) {
      marked.insert(0, kMark);
    }
    if (!parts_.splits) return encode_piece(marked, tokens);
    for (std::size_t begin = 0; begin < marked.size();) {
      const std::size_t end = std::min(marked.find(kMark, begin + 1), marked.size());
      encode_piece(std::string_view(marked).substr(begin, end - begin), tokens);
      begin = end;
    }
  };
  added.each(text, encode_part, may_be_special);
  return tokens;
}

std::vector<std::int32_t> MetaspaceTokenizer::encode(std::string_view text) const {
  return encode_around(in_text_, text);
}

std::vector<std::int32_t> MetaspaceTokenizer::encode_with_specials(std::string_view text) const {
  return encode_around(with_specials_, text);
}

std::vector<std::int32_t> MetaspaceTokenizer::encode_marked(const MarkedText& text) const {
  return encode_around(with_specials_, text.bytes(), [&](std::size_t begin, std::size_t end) {
    return text.is_markup(begin, end);
  });
}

std::vector<std::int32_t> MetaspaceTokenizer::encode_continuation(std::string_view text) const {
  return encode_around(in_text_, text, {}, true);
}

std::string MetaspaceTokenizer::decode_continuation(std::span<const std::int32_t> tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) text += piece(token);
  return text;
}

std::string MetaspaceTokenizer::decode(std::span<const std::int32_t> tokens) const {
  const std::string text = decode_continuation(tokens);
  return parts_.blank_before != BlankBefore::kNever && text.starts_with(' ') ? text.substr(1)
                                                                             : text;
}

std::string MetaspaceTokenizer::piece(std::int32_t token) const {
  check_token(token);
  return pieces_[static_cast<std::size_t>(token)];
}

bool MetaspaceTokenizer::is_special(std::int32_t token) const {
  return token >= 0 && token < vocab_size() && is_special_[static_cast<std::size_t>(token)];
}

}  // namespace gradus
