#include "nn/text/word_tokenizer.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"
#include "nn/text/pattern.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kUnknownText = "<unk>";
constexpr int kLeast = 3;  // <unk>, a blank and a piece

const Pattern& piece_pattern() {
  static const std::string letters = R"(\p{L}[\p{L}\p{M}]*+)";
  static const Pattern pattern(" ?(?:" + letters + "(?:['\\x{2019}]" + letters +
                               R"(){0,3}+|\p{N}++|[^)" + kBlank + "])|[" + kBlank + "]");
  return pattern;
}

}  // namespace

WordTokenizer WordTokenizer::learn(std::string_view text, int vocab_size) {
  check(vocab_size >= kLeast, "vocab_size must be at least ", kLeast,
        " for word (<unk>, a blank and a piece), got ", vocab_size);
  check_utf8(text);
  std::unordered_map<std::string_view, std::int64_t> counts;
  piece_pattern().each(text, [&](std::string_view piece) { ++counts[piece]; });
  counts.erase(" ");
  std::vector<std::pair<std::int64_t, std::string_view>> by_count;
  for (const auto& [piece, count] : counts) by_count.emplace_back(-count, piece);
  std::ranges::sort(by_count);
  const std::size_t room = static_cast<std::size_t>(vocab_size) - 2;
  std::vector<std::string> vocabulary = {kUnknownText, " "};
  for (const auto& entry : std::span(by_count).first(std::min(room, by_count.size()))) {
    vocabulary.emplace_back(entry.second);
  }
  return WordTokenizer(std::move(vocabulary));
}

WordTokenizer::WordTokenizer(std::vector<std::string> vocabulary)
    : vocabulary_(std::move(vocabulary)) {
  check(vocabulary_.size() >= 2 && vocabulary_[0] == kUnknownText && vocabulary_[1] == " ",
        "word tokenizer: the vocabulary must begin with <unk> and a blank");
  check(vocabulary_.size() < std::numeric_limits<std::int32_t>::max(),
        "word tokenizer: too many tokens");
  for (const std::string& piece : vocabulary_) {
    check(!piece.empty(), "word tokenizer: token ", numbers_.size(), " is empty");
    const bool is_new = numbers_.emplace(piece, static_cast<std::int32_t>(numbers_.size())).second;
    check(is_new, "word tokenizer: '", piece, "' occurs twice");
  }
}

std::int32_t WordTokenizer::number_of(std::string_view piece) const {
  const auto found = numbers_.find(std::string(piece));
  return found == numbers_.end() ? kUnknown : found->second;
}

std::vector<std::int32_t> WordTokenizer::encode(std::string_view text) const {
  check_utf8(text);
  std::vector<std::int32_t> tokens;
  piece_pattern().each(text, [&](std::string_view piece) {
    const std::int32_t token = number_of(piece);
    if (token == kUnknown && piece.size() > 1 && piece[0] == ' ') {
      tokens.push_back(kBlankToken);
      tokens.push_back(number_of(piece.substr(1)));
    } else {
      tokens.push_back(token);
    }
  });
  return tokens;
}

std::vector<std::string> WordTokenizer::unknown_words(std::string_view text) const {
  check_utf8(text);
  std::vector<std::string> words;
  piece_pattern().each(text, [&](std::string_view piece) {
    const std::string_view word = piece.size() > 1 && piece[0] == ' ' ? piece.substr(1) : piece;
    if (number_of(piece) == kUnknown && number_of(word) == kUnknown) words.emplace_back(word);
  });
  return words;
}

std::string WordTokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) text += piece(token);
  return text;
}

std::string WordTokenizer::piece(std::int32_t token) const {
  check_token(token);
  return vocabulary_[static_cast<std::size_t>(token)];
}

}  // namespace gradus
