/// @file
/// A Gpt that learns to classify texts.
#pragma once

#include <memory>

#include "nn/data/labelled.h"
#include "nn/models/gpt_classifier.h"
#include "nn/tasks/labelled_rows.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A classifier with its tokenizer, whose vocabulary is the Gpt's, and the names of its labels.
struct GptLabeller {
  GptClassifier model;                         ///< logits of labels
  std::shared_ptr<const Tokenizer> tokenizer;  ///< of the texts
  std::vector<std::string> labels;             ///< the name of each
};

/// Puts a new head for these labels on a pre-trained GPT's checkpoint.
/// @throws std::runtime_error naming the file and what is missing or wrong.
GptLabeller make_gpt_labeller(const std::filesystem::path& pretrained,
                              std::vector<std::string> labels, std::uint64_t seed);

/// Reads what GptLabelTask::save() wrote.
/// @throws std::runtime_error naming the file and what is missing or wrong.
GptLabeller load_gpt_labeller(const std::filesystem::path& folder);

/// The likeliest label of each text, the first of equals.
/// @throws std::invalid_argument naming a text that is empty, too long, or that the tokenizer
/// cannot express.
std::vector<int> labels_of(const GptLabeller& labeller, const std::vector<std::string>& texts);

/// Teaches a Gpt with a head of its own to label texts. The loss is the cross-entropy of the
/// labels; all parameters learn that are not frozen.
class GptLabelTask final : public Task {
 public:
  /// @param name of the data, for people.
  /// @throws std::invalid_argument naming a text that is empty or too long for the model, or a
  /// label that it lacks; or if there are none to train on or none held out.
  GptLabelTask(GptLabeller labeller, std::string name, Divided<LabelledText> data);

  std::vector<NamedTensor> parameters() override;
  Tensor loss(Split split, int batch_size, const RandomKey& key) override;
  Index tokens_in(int batch_size) const override;
  /// Accuracy on all held-out texts.
  std::vector<Score> scores() override;
  std::string describe() const override;
  void save(const std::filesystem::path& folder) override;

  const GptLabeller& labeller() const { return labeller_; }  ///< what learns

 private:
  GptLabeller labeller_;
  std::string name_;
  Divided<LabelledText> data_;
  LabelledRows train_, held_out_;
};

/// @}

}  // namespace gradus
