#pragma once

#include <array>
#include <functional>
#include <unordered_map>

#include "nn/text/learn_byte_pairs.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// The largest number of characters in a word. Longer words are unknown, as in Hugging Face's
/// tokenizers.
inline constexpr std::size_t kLongestBertWord = 100;

/// How a text is normalised before pieces are looked up. BERT's uncased models use both steps, the
/// cased ones neither.
struct BertNormalisation {
  bool lower_case = true;     ///< converts letters to lower case
  bool strip_accents = true;  ///< strips accents: see unicode_folding.h
};

/// Properties of the special tokens.
struct WordPieceSpecials {
  bool frames = true;  ///< whether [PAD], [CLS], [SEP] and [MASK] are its frame_tokens()
  std::vector<std::int32_t> others = {};  ///< special tokens other than BERT's five
};

/// Splits a text into words as BERT does (Devlin et al., 2019). Control, format and private-use
/// characters, U+FFFD and invalid UTF-8 are dropped. If requested, letters lose their accents and
/// are lower-cased. The text is cut at white space and around each punctuation mark, ASCII symbol
/// and Chinese character.
/// @code
/// bert_words("H\xc3\xa9llo, world!", {});  // ["hello", ",", "world", "!"]
/// @endcode
std::vector<std::string> bert_words(std::string_view text, const BertNormalisation& normalisation);

/// WordPiece (Schuster & Nakajima, 2012; Devlin et al., 2019). A word is split into the longest
/// token that begins it, then the longest token that continues from there, and so on. Tokens that
/// continue a word are written with ## in front. A word that cannot be split like this, or has more
/// than kLongestBertWord characters, becomes [UNK]. Plain text gives no other special token.
/// Encoding is lossy: decode() joins words with blanks. The caller adds [CLS] and [SEP].
/// @code
/// const auto tokenizer = WordPieceTokenizer::learn("able unable unused", 22);
/// tokenizer.encode("unable");  // [15, 7, 17]
/// tokenizer.piece(15);          // "un"
/// @endcode
class WordPieceTokenizer final : public Tokenizer {
 public:
  /// Learns pieces until there are vocab_size tokens or no adjacent pair occurs twice. First come
  /// the special tokens, then the characters of the words, in code point order. A character that
  /// starts some words and continues others gives two tokens. Then the most frequent adjacent pair
  /// is merged, again and again, with ties as in learn_byte_pairs(). The criterion is the frequency
  /// of pairs, as in byte-pair encoding, and not the likelihood gain of the first paper, whose
  /// trainer was not published.
  /// @throws std::invalid_argument if vocab_size has no room for the special tokens and the
  /// characters
  static WordPieceTokenizer learn(std::string_view text, int vocab_size,
                                  const BertNormalisation& normalisation = {},
                                  const LearningProgress& progress = {});

  /// Makes a tokenizer whose token i is vocabulary[i], in any order, as in BERT's vocab.txt.
  /// @throws std::invalid_argument if a token is empty or occurs twice, or one of [PAD], [UNK],
  /// [CLS], [SEP] and [MASK] is missing
  WordPieceTokenizer(std::vector<std::string> vocabulary, const BertNormalisation& normalisation,
                     WordPieceSpecials specials = {});

  std::string name() const override { return "wordpiece"; }
  int vocab_size() const override { return static_cast<int>(vocabulary_.size()); }
  std::vector<std::int32_t> encode(std::string_view text) const override;
  std::vector<std::string> unknown_words(std::string_view text) const override;
  std::string decode(std::span<const std::int32_t> tokens) const override;
  /// Returns the token as in the vocabulary, with its ##: `##able`.
  std::string piece(std::int32_t token) const override;

  std::int32_t pad() const { return special_[0]; }      ///< [PAD], which fills rows
  std::int32_t unknown() const { return special_[1]; }  ///< [UNK]
  std::int32_t cls() const { return special_[2]; }      ///< [CLS], before a text
  std::int32_t sep() const { return special_[3]; }      ///< [SEP], after each part of a text
  std::int32_t mask() const { return special_[4]; }     ///< [MASK], in place of a word to predict
  /// Whether a token is one of these five, or one of WordPieceSpecials::others.
  bool is_special(std::int32_t token) const override;
  /// [PAD], [CLS], [SEP] and [MASK], except for a tokenizer from an earlier version: see
  /// kOwnTokenizerFile.
  std::optional<FrameTokens> frame_tokens() const override;

  /// How the tokenizer normalises texts.
  const BertNormalisation& normalisation() const { return normalisation_; }

 private:
  std::vector<std::string> vocabulary_;
  BertNormalisation normalisation_;
  WordPieceSpecials specials_;
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::size_t longest_ = 0;  // bytes of the longest token, with its ##
  std::array<std::int32_t, 5> special_;
};

/// @}

}  // namespace gradus
