/// @file
/// Byte-pair encoding over characters, with blanks written as U+2581 and bytes for characters
/// without a token: the tokenizers of Llama 2, Mistral and TinyLlama.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nn/text/added_tokens.h"
#include "nn/text/merge_rules.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// When a MetaspaceTokenizer puts a blank before a text.
enum class BlankBefore {
  kNever,    ///< never
  kFirst,    ///< before the text, but not after a special token, unless it begins with a blank
  kAlways,   ///< before the text and after special tokens, unless there is a blank
  kAnother,  ///< as kAlways, even if there is a blank
};

/// The parts of a MetaspaceTokenizer.
struct MetaspaceParts {
  std::vector<std::string> tokens;  ///< as in files: with U+2581 for blanks, and `<0x0A>` for bytes
  std::vector<std::pair<std::int32_t, std::int32_t>> merges = {};  ///< highest priority first
  std::vector<AddedToken> added = {};                              ///< special tokens, and others
  BlankBefore blank_before = BlankBefore::kAlways;  ///< whether a text begins with a blank
  bool splits = false;        ///< whether a text is cut before each blank, so that no merge crosses
  bool whole_pieces = false;  ///< whether a piece that is a token becomes it without merges
  std::optional<std::int32_t> begin = {};  ///< the token before a text
  std::string file = {};                   ///< the tokenizer.json, for saving it unchanged
};

/// Encodes characters, merges pairs as BytePairTokenizer does, and encodes each character without a
/// token, and each byte that is not UTF-8, as bytes (Kudo and Richardson, "SentencePiece", 2018).
/// `decode(encode(text)) == text`, except for added tokens that take white space and, if the parts
/// put no blank before a text, for one blank at its start.
/// @code
/// MetaspaceParts parts{.tokens = {"\u2581", "a", "\u2581a"}, .merges = {{0, 1}}};
/// for (int byte = 0; byte < 256; ++byte) {
///   parts.tokens.push_back(MetaspaceTokenizer::byte_token(byte));
/// }
/// const MetaspaceTokenizer tokenizer(parts);
/// tokenizer.encode("a\u00e9");  // [2, 198, 172]
/// tokenizer.decode(tokenizer.encode("a a"));  // "a a"
/// @endcode
class MetaspaceTokenizer final : public Tokenizer {
 public:
  /// @throws std::invalid_argument if a byte has no token, a token is empty, two are the same, or a
  /// merge gives no token or occurs twice
  explicit MetaspaceTokenizer(MetaspaceParts parts);

  std::string name() const override { return "metaspace"; }
  int vocab_size() const override { return static_cast<int>(parts_.tokens.size()); }
  /// Encodes the texts of special tokens as plain text.
  std::vector<std::int32_t> encode(std::string_view text) const override;
  /// The same, except that the text of a special token becomes this token. Only for trusted text.
  std::vector<std::int32_t> encode_with_specials(std::string_view text) const;
  std::vector<std::int32_t> encode_marked(const MarkedText& text) const override;
  /// Puts no blank before the text.
  std::vector<std::int32_t> encode_continuation(std::string_view text) const override;
  std::string decode_continuation(std::span<const std::int32_t> tokens) const override;
  /// Leaves out one blank at the start.
  std::string decode(std::span<const std::int32_t> tokens) const override;
  std::string piece(std::int32_t token) const override;
  bool is_special(std::int32_t token) const override;
  std::optional<std::int32_t> begin_token() const override { return parts_.begin; }

  /// The token for a byte in files: `<0x0A>` for 10.
  static std::string byte_token(int byte);
  /// The parts as given.
  const MetaspaceParts& parts() const { return parts_; }

 private:
  std::vector<std::int32_t> encode_around(
      const AddedTokens& added, std::string_view text,
      const std::function<bool(std::size_t, std::size_t)>& may_be_special = {},
      bool continues = false) const;
  void encode_piece(std::string_view piece, std::vector<std::int32_t>& out) const;

  MetaspaceParts parts_;
  std::vector<std::string> pieces_;  // the texts of the tokens
  std::vector<bool> is_special_;
  std::array<std::int32_t, 256> byte_tokens_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // by the tokens as in files
  MergeRules rules_;
  AddedTokens in_text_, with_specials_;
};

/// @}

}  // namespace gradus
