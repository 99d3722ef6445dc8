/// @file
/// A Bert that learns words from those on both sides of them.
#pragma once

#include <memory>
#include <span>

#include "nn/data/baselines.h"
#include "nn/data/masking.h"
#include "nn/data/split.h"
#include "nn/models/bert.h"
#include "nn/tasks/rows.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A Bert with its tokenizer, and the names of its labels if it has been taught some.
struct BertModel {
  Bert model;                                  ///< of SpecialTokens::vocab_size words
  std::shared_ptr<const Tokenizer> tokenizer;  ///< of its texts
  std::vector<std::string> labels = {};        ///< as many as model.config.n_labels
  bool fills_masks = true;  ///< whether its head for masked words was ever taught
};

/// An untrained Bert with a tokenizer's vocabulary; byte pairs get BERT's special tokens among
/// their own, with the numbers that SpecialTokens would have given them.
/// @throws std::invalid_argument if the options make no sense.
BertModel make_bert(std::shared_ptr<const Tokenizer> tokenizer, int n_layer,
                    const LayerOptions& layer, std::uint64_t seed);

/// Writes a Bert into a folder. Tensors have the names and the layout of Hugging Face's
/// BertForPreTraining: weights for which is_transposed_in_bert() holds are [out, in] there.
/// @throws std::runtime_error naming the file and the system's reason.
void save_bert(const std::filesystem::path& folder, const BertModel& bert);

/// Reads a Bert from a checkpoint folder, or from one of Hugging Face's with any of BERT's heads:
/// BertModel, BertForMaskedLM, BertForPreTraining or BertForSequenceClassification, in names of
/// today or of 2018 (LayerNorm.gamma and beta), with or without the prefix "bert.". The head for
/// pairs is passed over, a decoder must be tied to the embedding, rows of the embedding that no
/// token has are left out, and what a missing pooler would be is drawn anew.
/// @throws std::runtime_error naming the file and what is missing or wrong.
BertModel load_bert(const std::filesystem::path& folder);

/// A text between [CLS] and [SEP]; what is beyond the model's longest is cut off, as in BERT.
/// @throws std::invalid_argument naming the text if it holds what the tokenizer cannot express.
TokenRow bert_row(const BertModel& bert, const std::string& text);

/// The tokens that may be masked, and put in: all of the tokenizer's but those that stand for what
/// it does not know, or for no text.
std::vector<std::int32_t> maskable_tokens(const Tokenizer& tokenizer);

/// A guess of what stood at a masked place.
struct WordGuess {
  std::int32_t token;  ///< one of maskable_tokens()
  double probability;  ///< among all of the model's
};

/// The `count` likeliest tokens at each place of a row that holds SpecialTokens::mask, in order.
std::vector<std::vector<WordGuess>> guess_words(const BertModel& bert, const TokenRow& row,
                                                std::size_t count);

/// Teaches a Bert to find masked words (Devlin and others, 2019). A batch's rows are parts of the
/// texts of at most T - 2 tokens, drawn so that each token is about as likely to be in one as any
/// other, between [CLS] and [SEP]; see mask_words() for the rest.
///
/// BERT was taught a second thing at once, whether one text follows another. That is left out on
/// purpose: Liu and others (RoBERTa, 2019) found that without it, on longer runs of text, a model
/// is as good or better at what comes after.
class MaskedWordTask final : public Task {
 public:
  /// @param name of the data set, shown to the user.
  /// @param texts as the tokenizer's tokens; a corpus is one long text to train on and one held
  /// out.
  /// @throws std::invalid_argument if there is no text to train on or none held out, or the
  /// longest row has no room for a word.
  MaskedWordTask(BertModel bert, std::string name, Divided<TokenRow> texts);

  std::vector<NamedTensor> parameters() override;
  Tensor loss(Split split, int batch_size, const RandomKey& key) override;
  Index tokens_in(int batch_size) const override;
  /// How often the likeliest word is right where held-out words are masked, and how often two
  /// guesses without a model are at the same places: "unigram", the most frequent word, and
  /// "bigram", what stood most often between those two neighbours (see NeighbourGuess). Here all
  /// chosen words become [MASK], so that the place itself tells nothing to anyone.
  std::vector<Score> scores() override;
  std::string describe() const override;
  /// Held-out texts with one word masked, and what the model thinks it is.
  std::string demonstrate() override;
  void save(const std::filesystem::path& folder) override { save_bert(folder, bert_); }

  const BertModel& bert() const { return bert_; }  ///< what learns

 private:
  struct Texts {
    std::vector<TokenRow> rows;
    std::vector<Index> ends;  // of each text, in tokens since the first
    Index tokens() const { return ends.back(); }
  };
  Texts checked(std::vector<TokenRow> rows, const char* part) const;
  TokenRow framed(std::span<const std::int32_t> words) const;
  IndexTensor drawn_rows(const Texts& texts, int count, const RandomKey& key) const;
  std::vector<TokenRow> held_out_rows(Index length, std::size_t count) const;

  BertModel bert_;
  std::string name_;
  SpecialTokens special_;
  Masking masking_;
  Texts train_, held_out_;
  NeighbourGuess neighbours_;
};

/// @}

}  // namespace gradus
