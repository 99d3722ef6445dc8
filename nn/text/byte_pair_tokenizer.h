#pragma once

#include <array>
#include <unordered_map>
#include <utility>

#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup text
/// @{

/// What GPT-2 puts between documents.
inline constexpr const char* kEndOfText = "<|endoftext|>";

/// What a byte-pair tokenizer is made of.
struct BytePairs {
  /// The bytes of each token; of a special token, its text.
  std::vector<std::string> tokens;
  /// Two tokens that become one, the most urgent first: the token that holds the bytes of both.
  std::vector<std::pair<std::int32_t, std::int32_t>> merges;
  /// Those of the tokens that plain text never gives.
  std::vector<std::int32_t> specials;

  /// The 256 bytes as GPT-2 numbers them, before anything is learnt.
  static BytePairs bytes_alone();
};

/// The special tokens [PAD], [CLS], [SEP] and [MASK], if all four are there.
std::optional<FrameTokens> frame_tokens(const BytePairs& pairs);

/// The same tokens and merges, and behind them those four, unless one of these stands for plain
/// text already.
BytePairs with_frame_tokens(BytePairs pairs);

/// Byte-level byte-pair encoding (Sennrich et al., 2016; Radford et al., 2019): a text is cut into
/// pieces (pretokenize.h), each begins as its bytes, and of the pairs of neighbours for which there
/// is a merge, the most urgent is merged, the leftmost of these first, until there is none.
/// Any bytes can be encoded, and `decode(encode(bytes)) == bytes`. A piece of n bytes takes time in
/// n log n.
///
///     const BytePairTokenizer tokenizer(learn_byte_pairs(text, 1000));   // learn_byte_pairs.h
///     tokenizer.encode("The fox");
class BytePairTokenizer final : public Tokenizer {
 public:
  /// A tokenizer of these tokens and merges.
  /// @throws std::invalid_argument if a byte has no token, two tokens are the same, a special
  ///   token is empty or not UTF-8, or a merge is of unknown or special tokens, makes none of the
  ///   tokens, or stands there twice
  explicit BytePairTokenizer(BytePairs pairs);

  std::string name() const override { return "bpe"; }
  int vocab_size() const override { return static_cast<int>(pairs_.tokens.size()); }

  /// Never gives a special token: `<|endoftext|>` is written out in other tokens.
  std::vector<std::int32_t> encode(std::string_view text) const override;

  /// The same, but the texts of special tokens become these; where several fit, the longest does.
  /// For text that nobody else can write into.
  std::vector<std::int32_t> encode_with_specials(std::string_view text) const;

  std::string decode(std::span<const std::int32_t> tokens) const override;
  std::string piece(std::int32_t token) const override;
  bool is_special(std::int32_t token) const override;
  std::string to_json() const override;
  bool is_hugging_face() const override { return true; }
  std::optional<FrameTokens> frame_tokens() const override { return gradus::frame_tokens(pairs_); }

  /// Its tokens, merges and special tokens.
  const BytePairs& pairs() const { return pairs_; }
  /// The token that a merge makes.
  std::int32_t result(std::size_t merge) const;

 private:
  struct Rule {
    std::uint32_t rank;
    std::int32_t result;
  };

  void check_and_number_tokens();
  void number_merges();
  const Rule* rule(std::int32_t left, std::int32_t right) const;
  void encode_plain(std::string_view text, std::vector<std::int32_t>& out) const;
  void encode_piece(std::string_view piece, std::vector<std::int32_t>& out) const;

  BytePairs pairs_;
  std::array<std::int32_t, 256> byte_tokens_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // of tokens that are not special
  std::unordered_map<std::uint64_t, Rule> rules_;
};

/// @}

}  // namespace gradus
