#include "nn/text/byte_pair_tokenizer.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_set>

#include "autograd/check.h"
#include "nn/text/byte_level.h"
#include "nn/text/pretokenize.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

std::uint64_t key_of(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
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

BytePairTokenizer::BytePairTokenizer(BytePairs pairs) : pairs_(std::move(pairs)) {
  check_and_number_tokens();
  number_merges();
}

void BytePairTokenizer::check_and_number_tokens() {
  check(pairs_.tokens.size() < std::numeric_limits<std::int32_t>::max(), "bpe: too many tokens");
  std::ranges::sort(pairs_.specials);
  std::unordered_set<std::string> written;  // as in files, where all tokens must differ
  for (std::int32_t token = 0; token < vocab_size(); ++token) {
    const std::string& bytes = pairs_.tokens[static_cast<std::size_t>(token)];
    check(!bytes.empty(), "bpe: token ", token, " is empty");
    const bool is_mark = is_special(token);
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
  rules_.reserve(pairs_.merges.size());
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
    const Rule rule{static_cast<std::uint32_t>(rank), made->second};
    const bool is_new = rules_.emplace(key_of(merge.first, merge.second), rule).second;
    if (!is_new) fail("bpe: the merge ", shown(), " occurs twice");
  }
}

const BytePairTokenizer::Rule* BytePairTokenizer::rule(std::int32_t left,
                                                       std::int32_t right) const {
  const auto found = rules_.find(key_of(left, right));
  return found == rules_.end() ? nullptr : &found->second;
}

std::int32_t BytePairTokenizer::result(std::size_t merge) const {
  const auto& [left, right] = pairs_.merges.at(merge);
  return rule(left, right)->result;
}

/// The piece is a linked list of tokens. The queue holds the rank and position of each pair that
/// can be merged, and also outdated entries, whose rank is no longer the rank of the pair at their
/// position.
void BytePairTokenizer::encode_piece(std::string_view piece, std::vector<std::int32_t>& out) const {
  check(piece.size() < kNone, "bpe: a piece of text must have fewer than ", kNone, " bytes, got ",
        piece.size());
  const auto size = static_cast<std::uint32_t>(piece.size());
  std::vector<std::int32_t> tokens(size);
  std::vector<std::uint32_t> next(size), previous(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    tokens[i] = byte_tokens_[static_cast<unsigned char>(piece[i])];
    next[i] = i + 1 == size ? kNone : i + 1;
    previous[i] = i == 0 ? kNone : i - 1;
  }
  const auto rule_at = [&](std::uint32_t i) -> const Rule* {
    return i == kNone || next[i] == kNone ? nullptr : rule(tokens[i], tokens[next[i]]);
  };
  using Candidate = std::uint64_t;  // the rank in the upper half, the position in the lower
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto propose = [&](std::uint32_t i) {
    if (const Rule* found = rule_at(i)) queue.push(Candidate{found->rank} << 32 | i);
  };
  for (std::uint32_t i = 0; i < size; ++i) propose(i);
  while (!queue.empty()) {
    const auto rank = static_cast<std::uint32_t>(queue.top() >> 32);
    const auto i = static_cast<std::uint32_t>(queue.top());
    queue.pop();
    const Rule* found = rule_at(i);
    if (!found || found->rank != rank) continue;
    const std::uint32_t second = next[i];
    tokens[i] = found->result;
    next[i] = next[second];
    next[second] = kNone;
    if (next[i] != kNone) previous[next[i]] = i;
    propose(previous[i]);
    propose(i);
  }
  for (std::uint32_t i = 0; i != kNone; i = next[i]) out.push_back(tokens[i]);
}

void BytePairTokenizer::encode_plain(std::string_view text, std::vector<std::int32_t>& out) const {
  struct Range {
    std::size_t begin, end;
  };
  // Most pieces of a text have occurred before, so their tokens are copied.
  std::unordered_map<std::string_view, Range> known;
  for_each_pretoken(text, [&](std::string_view piece) {
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

std::vector<std::int32_t> BytePairTokenizer::encode(std::string_view text) const {
  std::vector<std::int32_t> tokens;
  encode_plain(text, tokens);
  return tokens;
}

std::vector<std::int32_t> BytePairTokenizer::encode_with_specials(std::string_view text) const {
  std::vector<std::int32_t> longest_first = pairs_.specials, tokens;
  const auto length = [&](std::int32_t token) { return piece(token).size(); };
  std::ranges::stable_sort(longest_first, std::greater<>(), length);
  std::array<bool, 256> starts{};
  for (const std::int32_t token : longest_first) {
    starts[static_cast<unsigned char>(piece(token)[0])] = true;
  }
  std::size_t plain = 0;  // start of the plain text before the next special token
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!starts[static_cast<unsigned char>(text[at])]) continue;
    const auto fits = [&](std::int32_t token) { return text.substr(at).starts_with(piece(token)); };
    const auto found = std::ranges::find_if(longest_first, fits);
    if (found == longest_first.end()) continue;
    encode_plain(text.substr(plain, at - plain), tokens);
    tokens.push_back(*found);
    plain = at + length(*found);
    at = plain - 1;
  }
  encode_plain(text.substr(plain), tokens);
  return tokens;
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
