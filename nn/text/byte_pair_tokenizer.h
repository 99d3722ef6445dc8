#pragma once

#include <array>
#include <functional>
#include <unordered_map>
#include <utility>

#include "nn/text/added_tokens.h"
#include "nn/text/merge_rules.h"
#include "nn/text/pretokenize.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// GPT-2's separator between documents.
inline constexpr const char* kEndOfText = "<|endoftext|>";

/// The parts of a byte-pair tokenizer.
/// @code
/// const BytePairs pairs = learn_byte_pairs("low low lower", 258, {});
/// pairs.tokens[257];                      // "low"
/// pairs.merges.size();                    // 2
/// BytePairs::bytes_alone().tokens.size();  // 256
/// @endcode
struct BytePairs {
  /// The bytes of each token. A special token has the bytes of its text.
  std::vector<std::string> tokens;
  /// Pairs of tokens to merge, highest priority first. The result of a merge is the token with the
  /// bytes of both.
  std::vector<std::pair<std::int32_t, std::int32_t>> merges;
  /// The tokens that plain text never produces.
  std::vector<std::int32_t> specials;
  /// The conditions of special tokens, and tokens that a text contains as they are, which no merge
  /// gives. Special tokens that are not here have no conditions.
  std::vector<AddedToken> added = {};
  /// The expressions of the Pretokenizer.
  std::vector<std::string> cut = {gpt2_expression()};
  /// Whether texts are put into Unicode's normal form C.
  bool composes = false;
  /// Whether a piece that is a token becomes this token, even if no merges lead to it.
  bool whole_pieces = false;
  /// The token before a text.
  std::optional<std::int32_t> begin = {};
  /// The tokenizer.json with these settings, for saving it unchanged; empty for GPT-2's.
  std::string file = {};

  /// Returns the 256 bytes in GPT-2's order, without merges.
  static BytePairs bytes_alone();
};

/// The special tokens [PAD], [CLS], [SEP] and [MASK], if all four exist.
std::optional<FrameTokens> frame_tokens(const BytePairs& pairs);

/// Returns the same tokens and merges, followed by these four special tokens, unless plain text can
/// give one of them.
BytePairs with_frame_tokens(BytePairs pairs);

/// Byte-level byte-pair encoding (Sennrich et al., 2016; Radford et al., 2019). A text is cut into
/// pieces (pretokenize.h), and each piece starts as one token per byte. Then the adjacent pair with
/// the merge of highest priority is merged, leftmost first, until no adjacent pair has a merge. Any
/// bytes can be encoded, and `decode(encode(bytes)) == bytes`, unless the tokenizer composes texts
/// or has tokens that take white space. A piece of n bytes takes O(n log n) time.
/// @code
/// const BytePairTokenizer tokenizer(learn_byte_pairs("low low lower", 258, {}));
/// tokenizer.piece(257);       // "low"
/// tokenizer.encode("lower");  // [257, 68, 81]
/// @endcode
class BytePairTokenizer final : public Tokenizer {
 public:
  /// Makes a tokenizer with these tokens and merges.
  /// @throws std::invalid_argument if a byte has no token, two tokens are the same, a special token
  /// is empty or not UTF-8, or a merge uses unknown or special tokens, gives no existing token, or
  /// occurs twice
  explicit BytePairTokenizer(BytePairs pairs);

  std::string name() const override { return "bpe"; }
  int vocab_size() const override { return static_cast<int>(pairs_.tokens.size()); }

  /// Encodes the texts of special tokens, such as `<|endoftext|>`, as plain text.
  std::vector<std::int32_t> encode(std::string_view text) const override;

  /// The same, except that the text of a special token becomes this token. Where several match, the
  /// longest one is used. Only for trusted text.
  std::vector<std::int32_t> encode_with_specials(std::string_view text) const;

  std::vector<std::int32_t> encode_marked(const MarkedText& text) const override;

  std::string decode(std::span<const std::int32_t> tokens) const override;
  std::string piece(std::int32_t token) const override;
  bool is_special(std::int32_t token) const override;
  std::optional<std::int32_t> begin_token() const override { return pairs_.begin; }
  std::optional<FrameTokens> frame_tokens() const override { return gradus::frame_tokens(pairs_); }

  /// The tokens, merges and special tokens.
  const BytePairs& pairs() const { return pairs_; }
  /// Returns the token that merge number `merge` produces.
  std::int32_t result(std::size_t merge) const;

 private:
  /// The tokens of a kind, before and after the text is composed.
  struct Added {
    AddedTokens given, composed;
  };

  void check_and_number_tokens();
  void number_merges();
  void sort_added();
  std::vector<std::int32_t> encode_around(
      const AddedTokens& given, const AddedTokens& composed, std::string_view text,
      const std::function<bool(std::size_t, std::size_t)>& may_be_special = {}) const;
  void encode_plain(std::string_view text, std::vector<std::int32_t>& out) const;
  void encode_piece(std::string_view piece, std::vector<std::int32_t>& out) const;

  BytePairs pairs_;
  std::array<std::int32_t, 256> byte_tokens_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // of tokens that texts are made of
  MergeRules rules_;
  Pretokenizer pretokenizer_;
  Added in_text_, with_specials_;
};

/// @}

}  // namespace gradus
