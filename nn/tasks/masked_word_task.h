/// @file
/// A Bert trained to predict masked words from the words on both sides.
#pragma once

#include <memory>
#include <span>

#include "nn/data/baselines.h"
#include "nn/data/masking.h"
#include "nn/data/split.h"
#include "nn/files/bert_files.h"
#include "nn/tasks/examples_task.h"
#include "nn/tasks/rows.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// An untrained Bert with a tokenizer's vocabulary. Byte pairs get BERT's special tokens among
/// their own, with the numbers that SpecialTokens would have given them.
/// @throws std::invalid_argument if the options are invalid.
BertModel make_bert(std::shared_ptr<const Tokenizer> tokenizer, int n_layer,
                    const LayerOptions& layer, std::uint64_t seed);

/// Writes a BERT with its labels into a folder: see save_bert().
inline void save_model(const std::filesystem::path& folder, const BertModel& bert) {
  save_bert(folder, bert);
}

/// A text between [CLS] and [SEP]; tokens beyond the model's longest row are cut off, as in BERT.
/// @throws std::invalid_argument naming the text if the tokenizer cannot encode it.
TokenRow bert_row(const BertModel& bert, const std::string& text);

/// The tokens that may be masked and inserted: all tokens of the tokenizer, except the tokens for
/// unknown words and the tokens that represent no text.
std::vector<std::int32_t> maskable_tokens(const Tokenizer& tokenizer);

/// A prediction of the token at a masked position.
struct TokenPrediction {
  std::int32_t token;  ///< one of maskable_tokens()
  double probability;  ///< among all of the model's tokens
};

/// The `count` most probable tokens at each position of a row that holds SpecialTokens::mask, in
/// order.
std::vector<std::vector<TokenPrediction>> predict_masked(const BertModel& bert, const TokenRow& row,
                                                         std::size_t count);

/// Trains a Bert to predict masked words (Devlin and others, 2019). A batch's rows are parts of the
/// texts of at most T - 2 tokens, between [CLS] and [SEP], drawn so that each token is about
/// equally probable to be in one; see mask_words() for the rest.
///
/// BERT was also trained to tell whether one text follows another. That is left out on purpose: Liu
/// and others (RoBERTa, 2019) found that without it, on longer runs of text, a model is as good or
/// better at downstream tasks.
/// @code
/// const auto tokenizer = std::make_shared<WordTokenizer>(
///     WordTokenizer::learn("a good film, a bad film", 9));
/// BertModel bert = make_bert(tokenizer, 1, {.d_model = 8, .num_heads = 2, .dropout = 0}, 1);
/// MaskedWordTask task(bert, "films",
///                     {{tokenizer->encode("a good film")}, {tokenizer->encode("a film")}});
/// task.loss(Split::kTrain, 4, {1, 0, 0}).item() > 0;  // true
/// @endcode
class MaskedWordTask final : public ExamplesTask<BertModel> {
 public:
  /// @param name of the data set, shown to the user.
  /// @param texts as the tokenizer's tokens; a corpus is one long text to train on and one held
  /// out.
  /// @throws std::invalid_argument if there is no text to train on or none held out, or the
  /// longest row has no room for a word.
  MaskedWordTask(BertModel bert, std::string name, DataSplit<TokenRow> texts);

  MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                        const RowRange& rows) override;
  Index tokens_in(int batch_size) const override;
  /// How often the most probable word is right at masked positions of held-out texts, and how often
  /// two baselines without a model are: "unigram", the most frequent word, and "bigram", the word
  /// found most often between the two neighbours (see baselines.h). Here all chosen words become
  /// [MASK], so that the input does not show the word to predict.
  std::vector<Score> scores() override;
  double scoring_examples() const override;
  std::string describe() const override;
  /// Held-out texts with one word masked, and the model's prediction.
  std::string demonstrate() override;

 private:
  struct Texts {
    std::vector<TokenRow> rows;
    std::vector<Index> ends;  // each text's end, in tokens since the first
    Index tokens() const { return ends.back(); }
  };
  Texts checked(std::vector<TokenRow> rows, const char* part) const;
  TokenRow framed(std::span<const std::int32_t> words) const;
  IndexTensor drawn_rows(const Texts& texts, int count, const RandomKey& key) const;
  std::vector<TokenRow> held_out_rows(Index length, std::size_t count) const;

  SpecialTokens special_;
  Masking masking_;
  Texts train_, held_out_;
  NeighbourPredictor neighbours_;
};

/// @}

}  // namespace gradus
