#include "nn/text/word_piece_tokenizer.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/text/pair_counts.h"
#include "nn/text/pattern.h"
#include "nn/text/unicode_folding.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::array kSpecialTokens = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
constexpr const char* kGoesOn = "##";

/// A mark is a word of its own: Unicode's punctuation, the other ASCII symbols, and Chinese
/// characters. Other words are the text between marks and white space. The ranges are taken from
/// Hugging Face's tokenizers, in which one begins at U+2B920, whereas Google's code has U+2B820.
const Pattern& word_pattern() {
  static const std::string mark =
      R"(\p{P}$+<=>^`|~\x{4E00}-\x{9FFF}\x{3400}-\x{4DBF}\x{20000}-\x{2A6DF}\x{2A700}-\x{2B73F})"
      R"(\x{2B740}-\x{2B81F}\x{2B920}-\x{2CEAF}\x{F900}-\x{FAFF}\x{2F800}-\x{2FA1F})";
  static const Pattern pattern("[" + mark + "]|[^" + kBlank + mark + "]+");
  return pattern;
}

/// Matches runs of characters that are kept. Control, format and private-use characters are
/// dropped, as in Hugging Face's tokenizers (Google's first code kept private-use characters). Tab
/// and line ends are control characters too, but they are kept, as they separate words.
const Pattern& kept_pattern(bool marks) {
  static const std::string dropped =
      R"(\x{0}-\x{8}\x{b}\x{c}\x{e}-\x{1f}\x{7f}-\x{9f}\p{Cf}\p{Co}\x{FFFD})";
  static const Pattern all("[^" + dropped + "]+"), without_marks("[^" + dropped + R"(\p{Mn}]+)");
  return marks ? all : without_marks;
}

/// Folds one character: first removes accents, then converts to lower case, in Hugging Face's
/// order.
std::u32string folded(char32_t character, const BertNormalisation& normalisation) {
  const std::u32string bare =
      normalisation.strip_accents ? without_accents(character) : std::u32string{character};
  if (!normalisation.lower_case) return bare;
  std::u32string lower;
  for (const char32_t part : bare) lower += lower_case(part);
  return lower;
}

std::string folded(std::string_view text, const BertNormalisation& normalisation) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char read = read_utf8(text, at);
    at += read.length;
    const char32_t character = read.code_point;
    if (character >= 0x80) {
      out += utf8_encode(folded(character, normalisation));
    } else {
      const bool is_capital = character >= 'A' && character <= 'Z' && normalisation.lower_case;
      out += static_cast<char>(is_capital ? character + ('a' - 'A') : character);
    }
  }
  return out;
}

void for_each_bert_word(std::string_view text, const BertNormalisation& normalisation,
                        const std::function<void(std::string_view)>& visit) {
  const std::string whole = folded(text, normalisation);
  std::string kept;
  kept_pattern(!normalisation.strip_accents).each(whole, [&](std::string_view part) {
    kept += part;
  });
  word_pattern().each(kept, visit);
}

/// The distinct words with their characters as numbers. `number` gives a number to each new piece.
template <class Number>
std::vector<CountedWord> counted(const std::map<std::string, std::int64_t>& counts,
                                 const Number& number) {
  std::vector<CountedWord> words;
  for (const auto& [word, count] : counts) {
    const std::u32string characters = utf8_decode(word);
    if (characters.size() > kLongestBertWord) continue;
    CountedWord& added = words.emplace_back(CountedWord{{}, count});
    for (const char32_t character : characters) {
      added.symbols.push_back(number(character, !added.symbols.empty()));
    }
  }
  return words;
}

std::string written(char32_t character, bool goes_on) {
  return (goes_on ? kGoesOn : "") + utf8_encode({&character, 1});
}

}  // namespace

std::vector<std::string> bert_words(std::string_view text, const BertNormalisation& normalisation) {
  std::vector<std::string> words;
  for_each_bert_word(text, normalisation, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

WordPieceTokenizer WordPieceTokenizer::learn(std::string_view text, int vocab_size,
                                             const BertNormalisation& normalisation,
                                             const LearningProgress& progress) {
  std::map<std::string, std::int64_t> counts;
  for_each_bert_word(text, normalisation,
                     [&](std::string_view word) { ++counts[std::string(word)]; });
  // All characters must be collected before they can be numbered in order: (continues, character).
  std::map<std::pair<bool, char32_t>, std::int32_t> alphabet;
  counted(counts, [&](char32_t character, bool goes_on) {
    return alphabet[{goes_on, character}] = 0;
  });
  std::vector<std::string> vocabulary(kSpecialTokens.begin(), kSpecialTokens.end());
  for (auto& [character, number] : alphabet) {
    number = static_cast<std::int32_t>(vocabulary.size());
    vocabulary.push_back(written(character.second, character.first));
  }
  check(vocab_size >= 0 && vocabulary.size() <= static_cast<std::size_t>(vocab_size),
        "vocab_size must be at least ", vocabulary.size(),
        " for wordpiece on this text (its characters and five special tokens), got ", vocab_size);
  PairCounts pairs(counted(counts, [&](char32_t character, bool goes_on) {
    return alphabet.at({goes_on, character});
  }));
  while (vocabulary.size() < static_cast<std::size_t>(vocab_size)) {
    const auto [left, right, count] = pairs.most_frequent();
    if (count < 2) break;
    const auto next = static_cast<std::int32_t>(vocabulary.size());
    const std::string token =
        vocabulary[static_cast<std::size_t>(left)] +
        vocabulary[static_cast<std::size_t>(right)].substr(std::string_view(kGoesOn).size());
    if (token.size() > kLongestToken) {
      pairs.drop(left, right);
      continue;
    }
    vocabulary.push_back(token);
    pairs.merge(left, right, next);
    if (progress) progress(static_cast<int>(vocabulary.size()), vocab_size);
  }
  return WordPieceTokenizer(std::move(vocabulary), normalisation);
}

WordPieceTokenizer::WordPieceTokenizer(std::vector<std::string> vocabulary,
                                       const BertNormalisation& normalisation,
                                       WordPieceSpecials specials)
    : vocabulary_(std::move(vocabulary)),
      normalisation_(normalisation),
      specials_(std::move(specials)) {
  check(vocabulary_.size() < std::numeric_limits<std::int32_t>::max(),
        "wordpiece tokenizer: too many tokens");
  for (const std::string& token : vocabulary_) {
    check(!token.empty(), "wordpiece tokenizer: token ", numbers_.size(), " is empty");
    const bool is_new = numbers_.emplace(token, static_cast<std::int32_t>(numbers_.size())).second;
    check(is_new, "wordpiece tokenizer: '", token, "' occurs twice");
    longest_ = std::max(longest_, token.size());
  }
  for (std::size_t i = 0; i < special_.size(); ++i) {
    const auto found = numbers_.find(kSpecialTokens[i]);
    check(found != numbers_.end(), "wordpiece tokenizer: the vocabulary lacks ", kSpecialTokens[i]);
    special_[i] = found->second;
  }
}

std::vector<std::int32_t> WordPieceTokenizer::encode(std::string_view text) const {
  std::vector<std::int32_t> tokens;
  for_each_bert_word(text, normalisation_, [&](std::string_view word) {
    const std::size_t before = tokens.size();
    const auto is_start = [](char byte) { return (byte & 0xC0) != 0x80; };
    bool is_known =
        static_cast<std::size_t>(std::ranges::count_if(word, is_start)) <= kLongestBertWord;
    for (std::size_t at = 0; is_known && at < word.size();) {
      const std::string prefix = at == 0 ? "" : kGoesOn;
      std::size_t length = std::min(word.size() - at, longest_);
      auto found = numbers_.end();
      // Half characters need not be skipped: they are never tokens.
      for (; length > 0 && found == numbers_.end(); --length) {
        found = numbers_.find(prefix + std::string(word.substr(at, length)));
      }
      is_known = found != numbers_.end();
      if (!is_known) break;
      tokens.push_back(found->second);
      at += found->first.size() - prefix.size();
    }
    if (!is_known) {
      tokens.resize(before);
      tokens.push_back(unknown());
    }
  });
  return tokens;
}

std::vector<std::string> WordPieceTokenizer::unknown_words(std::string_view text) const {
  std::vector<std::string> words = bert_words(text, normalisation_);
  std::erase_if(words, [&](const std::string& word) {
    return std::ranges::count(encode(word), unknown()) == 0;
  });
  return words;
}

std::string WordPieceTokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) {
    const std::string next = piece(token);
    if (next.starts_with(kGoesOn) && next.size() > 2 && !text.empty()) {
      text += next.substr(2);
    } else {
      text += (text.empty() ? "" : " ") + next;
    }
  }
  return text;
}

std::string WordPieceTokenizer::piece(std::int32_t token) const {
  check_token(token);
  return vocabulary_[static_cast<std::size_t>(token)];
}

bool WordPieceTokenizer::is_special(std::int32_t token) const {
  return std::ranges::find(special_, token) != special_.end() ||
         std::ranges::find(specials_.others, token) != specials_.others.end();
}

std::optional<FrameTokens> WordPieceTokenizer::frame_tokens() const {
  if (!specials_.frames) return std::nullopt;
  return FrameTokens{.pad = pad(), .begin = cls(), .end = sep(), .mask = mask()};
}

}  // namespace gradus
