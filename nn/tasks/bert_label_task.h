/// @file
/// A Bert that learns to label texts, from nothing or from what masked words have taught it.
#pragma once

#include <span>

#include "nn/data/labelled.h"
#include "nn/tasks/labelled_rows.h"
#include "nn/tasks/masked_word_task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// The label of each text, by its number: the likeliest.
/// @throws std::invalid_argument if the model has no labels, or naming a text that the tokenizer
/// cannot express.
std::vector<int> predict_labels(const BertModel& bert, const std::vector<std::string>& texts);
/// The same with the probabilities of all labels.
std::vector<Guess> classify(const BertModel& bert, const std::vector<std::string>& texts);

/// Teaches a Bert the labels of texts (Devlin and others, 2019): a linear layer on the pooled
/// vector of [CLS], and all of the model with it. Texts beyond the model's longest are cut off, as
/// in BERT; describe() says how many.
class BertLabelTask final : public Task {
 public:
  /// @param bert gets a new classifier, drawn with the seed, unless its labels are these already.
  /// @param name of the data, for people.
  /// @throws std::invalid_argument if there are no texts to train on or none held out, fewer than
  /// two labels, or a text that the tokenizer cannot express.
  BertLabelTask(BertModel bert, std::string name, std::vector<std::string> labels,
                Divided<LabelledText> data, std::uint64_t seed);

  std::vector<NamedTensor> parameters() override;
  Tensor loss(Split split, int batch_size, const RandomKey& key) override;
  Index tokens_in(int batch_size) const override;
  /// Accuracy on up to 1000 held-out texts, and that of a BagOfWords which learnt from the same
  /// texts, up to 5000 of them.
  std::vector<Score> scores() override;
  std::string describe() const override;
  /// The first held-out texts and the labels that the model gives them.
  std::string demonstrate() override;
  void save(const std::filesystem::path& folder) override { save_bert(folder, bert_); }

  const BertModel& bert() const { return bert_; }  ///< what learns

 private:
  LabelledRows encode(const std::vector<LabelledText>& texts);
  std::vector<Guess> guesses(std::size_t most) const;
  std::span<const LabelledText> scored() const;

  BertModel bert_;
  std::string name_;
  Divided<LabelledText> data_;
  std::size_t cut_ = 0;  // texts that were too long
  LabelledRows train_, held_out_;
  double bag_of_words_ = 0;  // its accuracy
};

/// @}

}  // namespace gradus
