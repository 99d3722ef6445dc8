/// @file
/// Trains any model that labels texts.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/tasks/examples_task.h"
#include "nn/tasks/prediction.h"
#include "nn/tasks/rows.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// The limits on the data for LabelTask::scores().
struct LabelScoring {
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();  ///< no limit
  std::size_t texts = kAll;             ///< held-out texts, from the first
  std::size_t bag_texts = kAll;         ///< texts that the bag of words learns from
  std::size_t bag_numbers = 1ul << 25;  ///< texts times words: with more, there is no bag
};

/// Classifies texts, a hundred at a time.
/// @throws std::invalid_argument naming a text that the model cannot take.
template <class Labeller>
std::vector<Prediction> classify(const Labeller& labeller, const std::vector<std::string>& texts);

/// Teaches a model the labels of texts. The loss is the cross-entropy of the labels; all parameters
/// that are not frozen learn. Scores include the accuracy of the model and the accuracy of
/// BagOfWords, which learns from the same texts without the order of their words.
///
/// A Labeller is a struct with the members `model`, `tokenizer` and `labels`: TextClassifier or
/// BertModel. Three functions next to each differ: `row_of(labeller, text)` returns the tokens of a
/// text, `logits_of(labeller, rows)` returns logits [B, labels], and `save_model(folder, labeller)`
/// writes the checkpoint.
/// @code
/// const auto tokenizer = std::make_shared<WordTokenizer>(
///     WordTokenizer::learn("a good film, a bad film", 9));
/// const LayerOptions layer{.d_model = 8, .num_heads = 2, .dropout = 0};
/// const TextClassifier classifier = make_text_classifier(tokenizer, {"bad", "good"}, 1, layer, 1);
/// LabelTask<TextClassifier> task(classifier, "films",
///                                {{{"a bad film", 0}, {"a good film", 1}}, {{"good", 1}}});
/// Trainer(task, {.max_iters = 150, .schedule = {.rate = 0.03}, .eval_iters = 1}, "").run({});
/// classify(task.model(), {"a bad film", "a good one"})[1].label;  // 1
/// @endcode
template <class Labeller>
class LabelTask : public ExamplesTask<Labeller> {
 public:
  /// @param name of the data set, shown to the user.
  /// @throws std::invalid_argument naming a text that the model cannot take, or a label it does not
  /// have, or if there are no texts to train on or none held out.
  LabelTask(Labeller labeller, std::string name, DataSplit<LabelledText> data,
            const LabelScoring& scoring = {});

  /// The mean cross-entropy of these rows of a batch, and the number of texts.
  MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                        const RowRange& rows) override;
  /// The mean number of tokens of a training text, times the batch size.
  Index tokens_in(int batch_size) const override;
  /// The accuracy on held-out texts, and the accuracy of the bag of words unless it would take too
  /// long.
  std::vector<Score> scores() override;
  /// The held-out texts that scores() classifies.
  double scoring_examples() const override;
  /// The name of the data, and how many texts and labels it has.
  std::string describe() const override;
  /// The first held-out texts and their labels; where one is wrong, also the right one.
  std::string demonstrate() override;

 protected:
  using ExamplesTask<Labeller>::model_;

  /// Labelled texts as the model reads them.
  struct Rows {
    std::vector<TokenRow> rows;        ///< the tokens of each
    std::vector<std::int32_t> labels;  ///< the label of each
  };
  const DataSplit<LabelledText>& data() const { return data_; }  ///< the texts as they were given
  const Rows& train() const { return train_; }                   ///< their tokens and labels
  const Rows& held_out() const { return held_out_; }             ///< their tokens and labels

 private:
  Rows encode(const std::vector<LabelledText>& items) const;
  std::vector<Prediction> predictions(std::size_t most) const;

  DataSplit<LabelledText> data_;
  LabelScoring scoring_;
  Rows train_, held_out_;
  bool has_bag_;               // whether the bag of words takes only seconds
  std::optional<double> bag_;  // its accuracy, after the first request
};

/// @}

}  // namespace gradus
