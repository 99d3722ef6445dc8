/// @file
/// Trains a Bert to label texts, from random weights or after pre-training on masked words.
#pragma once

#include "nn/tasks/label_task.h"
#include "nn/tasks/masked_word_task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// The tokens of a text in its frame: see bert_row().
TokenRow row_of(const BertModel& bert, const std::string& text);
/// Logits of the labels [B, n_labels].
/// @throws std::invalid_argument if the model has no labels.
Tensor logits_of(const BertModel& bert, const std::vector<TokenRow>& rows);

/// Teaches a Bert the labels of texts (Devlin and others, 2019): a linear layer on the pooled
/// vector of [CLS], and all of the model with it. Texts beyond the model's longest are cut off, as
/// in BERT; describe() says how many. scores() takes up to 1000 held-out texts, and a BagOfWords
/// that learns from up to 5000.
/// @code
/// const auto tokenizer = std::make_shared<WordTokenizer>(
///     WordTokenizer::learn("a good film, a bad film", 9));
/// BertModel bert = make_bert(tokenizer, 1, {.d_model = 8, .num_heads = 2, .dropout = 0}, 1);
/// BertLabelTask task(bert, "films", {"bad", "good"},
///                    {{{"a bad film", 0}, {"a good film", 1}}, {{"good", 1}}}, 1);
/// task.model().labels;  // ["bad", "good"]
/// @endcode
class BertLabelTask final : public LabelTask<BertModel> {
 public:
  /// @param bert gets a new classifier, drawn with the seed, unless its labels are these already.
  /// @throws std::invalid_argument as LabelTask does, or if there are fewer than two labels.
  BertLabelTask(BertModel bert, std::string name, std::vector<std::string> labels,
                DataSplit<LabelledText> data, std::uint64_t seed);
  std::string describe() const override;

 private:
  std::size_t cut_ = 0;  // texts to train on or held out that were too long
};

/// @}

}  // namespace gradus
