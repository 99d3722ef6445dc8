#pragma once

#include <array>
#include <functional>
#include <unordered_map>

#include "nn/text/learn_byte_pairs.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// How BERT simplifies a text before it looks for pieces; BERT's uncased models do both, the cased
/// ones neither.
struct BertNormalisation {
  bool lower_case = true;     ///< letters become small
  bool strip_accents = true;  ///< what unicode_folding.h calls without accents
};

/// What the tokenizer knows of its special tokens beyond their names.
struct WordPieceSpecials {
  bool frames = true;  ///< whether [PAD], [CLS], [SEP] and [MASK] are its frame_tokens()
  std::vector<std::int32_t> others = {};  ///< tokens that are special besides BERT's five
};

/// The words of a text as BERT sees them (Devlin et al., 2019): control characters, U+FFFD and
/// whatever is not UTF-8 are dropped, letters become small and lose their accents if so wanted, and
/// the text is cut at white space and around each punctuation mark, ASCII symbol and Chinese
/// character.
///
///     bert_words("H\xc3\xa9llo, world!", {})   // {"hello", ",", "world", "!"}
std::vector<std::string> bert_words(std::string_view text, const BertNormalisation& normalisation);

/// WordPiece (Schuster & Nakajima, 2012; Devlin et al., 2019): a word becomes the longest token
/// that it begins with, then the longest that goes on from there, and so on; tokens that go on are
/// written with ## before them. A word that cannot be put together so, or has more than 100
/// characters, becomes [UNK]. Plain text gives no other special token.
/// Lossy: decode() joins words with blanks. [CLS] and [SEP] are added by whoever needs them.
///
///     auto tokenizer = WordPieceTokenizer::learn(text, 1000);
///     tokenizer.encode("unaffable");   // un ##aff ##able, if these are tokens
class WordPieceTokenizer final : public Tokenizer {
 public:
  /// Learns pieces until there are vocab_size or no pair of neighbours occurs twice: the special
  /// tokens, the characters of the words in both their roles, as far as they occur, first and then
  /// going on, in the order of their code points, and then what merging the most frequent pair of
  /// neighbours makes, again and again, with ties as in learn_byte_pairs(). That is the frequency
  /// of pairs, as in byte-pair encoding, and not the gain in likelihood of the first paper, whose
  /// trainer was not published.
  /// @throws std::invalid_argument if vocab_size has no room for special tokens and characters
  static WordPieceTokenizer learn(std::string_view text, int vocab_size,
                                  const BertNormalisation& normalisation = {},
                                  const LearningProgress& progress = {});

  /// The tokenizer whose token i is vocabulary[i], in any order, as BERT's vocab.txt has them.
  /// @throws std::invalid_argument if a token is empty or stands there twice, or one of [PAD],
  ///   [UNK], [CLS], [SEP] and [MASK] is missing
  WordPieceTokenizer(std::vector<std::string> vocabulary, const BertNormalisation& normalisation,
                     WordPieceSpecials specials = {});

  std::string name() const override { return "wordpiece"; }
  int vocab_size() const override { return static_cast<int>(vocabulary_.size()); }
  std::vector<std::int32_t> encode(std::string_view text) const override;
  std::vector<std::string> unknown_words(std::string_view text) const override;
  std::string decode(std::span<const std::int32_t> tokens) const override;
  /// As the vocabulary has it: `##able`.
  std::string piece(std::int32_t token) const override;
  std::string to_json() const override;

  std::int32_t pad() const { return special_[0]; }      ///< [PAD], which fills up
  std::int32_t unknown() const { return special_[1]; }  ///< [UNK]
  std::int32_t cls() const { return special_[2]; }      ///< [CLS], before a text
  std::int32_t sep() const { return special_[3]; }      ///< [SEP], after each of its parts
  std::int32_t mask() const { return special_[4]; }     ///< [MASK], in place of what is asked for
  /// Whether it is one of these five, or of the others.
  bool is_special(std::int32_t token) const override;
  /// [PAD], [CLS], [SEP] and [MASK], but for a tokenizer of an earlier version: see
  /// kOwnTokenizerFile.
  std::optional<FrameTokens> frame_tokens() const override;
  bool is_hugging_face() const override { return specials_.frames; }

  /// How it simplifies texts.
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
