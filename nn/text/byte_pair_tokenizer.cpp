#include "nn/text/byte_pair_tokenizer.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_set>

#include "autograd/check.h"
#include "nn/text/byte_level.h"
#include "nn/text/unicode_folding.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

/// Composes the parts of a text that are UTF-8.
std::string composed_runs(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    for (Utf8Char read{}; end < text.size(); end += read.length) {
      read = read_utf8(text, end);
      if (read.state != Utf8::kValid) break;
    }
    result += composed(text.substr(at, end - at));
    at = end;
    if (at < text.size()) result += text[at++];
  }
  return result;
}

constexpr std::array kFrameTokens = {"[PAD]", "[CLS]", "[SEP]", "[MASK]"};  // as FrameTokens

}  // namespace

BytePairs BytePairs::bytes_alone() {
  BytePairs pairs;
  for (const unsigned char byte : byte_level_order()) {
    pairs.tokens.emplace_back(1, static_cast<char>(byte));
  }
  return pairs;
}

std::optional<FrameTokens> frame_tokens(const BytePairs& pairs) {
  std::array<std::int32_t, kFrameTokens.size()> numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto found = std::ranges::find_if(pairs.specials, [&](std::int32_t token) {
      return pairs.tokens[static_cast<std::size_t>(token)] == kFrameTokens[i];
    });
    if (found == pairs.specials.end()) return std::nullopt;
    numbers[i] = *found;
  }
  return FrameTokens{numbers[0], numbers[1], numbers[2], numbers[3]};
}

BytePairs with_frame_tokens(BytePairs pairs) {
  const bool is_taken = std::ranges::any_of(kFrameTokens, [&](const char* token) {
    return std::ranges::find(pairs.tokens, token) != pairs.tokens.end();
  });
  if (is_taken) return pairs;
  for (const char* token : kFrameTokens) {
    pairs.specials.push_back(static_cast<std::int32_t>(pairs.tokens.size()));
    pairs.tokens.emplace_back(token);
  }
  return pairs;
}

BytePairTokenizer::BytePairTokenizer(BytePairs pairs)
    : pairs_(std::move(pairs)), pretokenizer_(pairs_.cut) {
  check_and_number_tokens();
  number_merges();
  sort_added();
}

void BytePairTokenizer::check_and_number_tokens() {
  check(pairs_.tokens.size() < std::numeric_limits<std::int32_t>::max(), "bpe: too many tokens");
  std::ranges::sort(pairs_.specials);
  std::unordered_set<std::string> written;  // as in files, where all tokens must differ
  std::unordered_set<std::int32_t> marks(pairs_.specials.begin(), pairs_.specials.end());
  for (const AddedToken& token : pairs_.added) marks.insert(token.number);
  for (std::int32_t token = 0; token < vocab_size(); ++token) {
    const std::string& bytes = pairs_.tokens[static_cast<std::size_t>(token)];
    check(!bytes.empty(), "bpe: token ", token, " is empty");
    const bool is_mark = marks.contains(token);
    if (is_mark) {
      check_utf8(bytes);
    } else {
      numbers_.emplace(bytes, token);
    }
    const auto [as_written, is_new] = written.insert(is_mark ? bytes : to_byte_level(bytes));
    check(is_new, "bpe: the token '", *as_written, "' occurs twice");
  }
  for (const std::int32_t token : pairs_.specials) check_token(token);
  const auto twice = std::ranges::adjacent_find(pairs_.specials);
  check(twice == pairs_.specials.end(), "bpe: a special token occurs twice");
  for (const unsigned char byte : byte_level_order()) {
    const std::string bytes(1, static_cast<char>(byte));
    const auto found = numbers_.find(bytes);
    check(found != numbers_.end(), "bpe: needs a token for the byte ", static_cast<int>(byte),
          ", which files write as '", to_byte_level(bytes), "'");
    byte_tokens_[byte] = found->second;
  }
}

void BytePairTokenizer::number_merges() {
  for (const auto& merge : pairs_.merges) {
    const std::size_t rank = rules_.size();
    for (const std::int32_t part : {merge.first, merge.second}) {
      check(part >= 0 && part < vocab_size(), "bpe: merge ", rank, " must be of tokens below ",
            vocab_size(), ", got ", part);
      check(!is_special(part), "bpe: merge ", rank, " is of the special token '", piece(part), "'");
    }
    const std::string left = piece(merge.first), right = piece(merge.second);
    const auto shown = [&] { return "'" + to_byte_level(left) + " " + to_byte_level(right) + "'"; };
    const auto made = numbers_.find(left + right);
    if (made == numbers_.end())
      fail("bpe: the result of merge ", rank, ", ", shown(), ", must be a token");
    const bool is_new = rules_.add(merge.first, merge.second, made->second);
    if (!is_new) fail("bpe: the merge ", shown(), " occurs twice");
  }
}

std::int32_t BytePairTokenizer::result(std::size_t merge) const {
  const auto& [left, right] = pairs_.merges.at(merge);
  return rules_.result(left, right);
}

void BytePairTokenizer::sort_added() {
  std::unordered_set<std::int32_t> listed;
  for (const AddedToken& token : pairs_.added) listed.insert(token.number);
  std::vector<AddedToken> all = pairs_.added;
  for (const std::int32_t token : pairs_.specials) {
    if (!listed.contains(token)) {
      all.push_back({.content = piece(token), .number = token, .special = true});
    }
  }
  const auto some = [&](bool specials, bool normalized) {
    std::vector<AddedToken> tokens;
    std::ranges::copy_if(all, std::back_inserter(tokens), [&](const AddedToken& token) {
      return (specials || !token.special) && (token.normalized && pairs_.composes) == normalized;
    });
    return AddedTokens(std::move(tokens));
  };
  in_text_ = {some(false, false), some(false, true)};
  with_specials_ = {some(true, false), some(true, true)};
}

void BytePairTokenizer::encode_piece(std::string_view piece, std::vector<std::int32_t>& out) const {
  if (pairs_.whole_pieces) {
    if (const auto found = numbers_.find(std::string(piece)); found != numbers_.end()) {
      out.push_back(found->second);
      return;
    }
  }
  std::vector<std::int32_t> tokens(piece.size());
  std::ranges::transform(piece, tokens.begin(),
                         [&](char byte) { return byte_tokens_[static_cast<unsigned char>(byte)]; });
  std::ranges::copy(rules_.merged(std::move(tokens)), std::back_inserter(out));
}

void BytePairTokenizer::encode_plain(std::string_view text, std::vector<std::int32_t>& out) const {
  struct Range {
    std::size_t begin, end;
  };
  // Most pieces of a text have occurred before, so their tokens are copied.
  std::unordered_map<std::string_view, Range> known;
  pretokenizer_.each(text, [&](std::string_view piece) {
    const std::size_t begin = out.size();
    const auto [found, is_new] = known.try_emplace(piece, Range{begin, begin});
    if (is_new) {
      encode_piece(piece, out);
      found->second.end = out.size();
    } else {
      const Range range = found->second;
      for (std::size_t i = range.begin; i < range.end; ++i) out.push_back(out[i]);
    }
  });
}

std::vector<std::int32_t> BytePairTokenizer::encode_around(
    const AddedTokens& given, const AddedTokens& composed, std::string_view text,
    const std::function<bool(std::size_t, std::size_t)>& may_be_special) const {
  std::vector<std::int32_t> tokens;
  const auto or_token = [&](const auto& encode_rest) {
    return [&tokens, encode_rest](std::string_view rest, const AddedToken* token) {
      if (token != nullptr) {
        tokens.push_back(token->number);
      } else {
        encode_rest(rest);
      }
    };
  };
  const auto encode_composed = [&](std::string_view part) {
    const std::string normal = pairs_.composes ? composed_runs(part) : "";
    composed.each(pairs_.composes ? normal : part,
                  or_token([&](std::string_view rest) { encode_plain(rest, tokens); }));
  };
  given.each(text, or_token(encode_composed), may_be_special);
  return tokens;
}

std::vector<std::int32_t> BytePairTokenizer::encode(std::string_view text) const {
  return encode_around(in_text_.given, in_text_.composed, text);
}

std::vector<std::int32_t> BytePairTokenizer::encode_with_specials(std::string_view text) const {
  return encode_around(with_specials_.given, with_specials_.composed, text);
}

std::vector<std::int32_t> BytePairTokenizer::encode_marked(const MarkedText& text) const {
  // Special tokens that are searched after the text is composed have lost their place in it.
  return encode_around(
      with_specials_.given, in_text_.composed, text.bytes(),
      [&](std::size_t begin, std::size_t end) { return text.is_markup(begin, end); });
}

std::string BytePairTokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) text += piece(token);
  return text;
}

std::string BytePairTokenizer::piece(std::int32_t token) const {
  check_token(token);
  return pairs_.tokens[static_cast<std::size_t>(token)];
}

bool BytePairTokenizer::is_special(std::int32_t token) const {
  return std::ranges::binary_search(pairs_.specials, token);
}

}  // namespace gradus
