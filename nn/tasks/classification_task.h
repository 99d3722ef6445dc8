/// @file
/// A SequenceClassifier that learns the labels of texts.
#pragma once

#include <memory>
#include <optional>

#include "nn/data/labelled.h"
#include "nn/data/split.h"
#include "nn/models/classifier.h"
#include "nn/tasks/labelled_rows.h"
#include "nn/tasks/rows.h"
#include "nn/text/word_vectors.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A trained classifier of texts.
///
/// Before each text it reads SpecialTokens::begin, so that an empty one is a text too.
struct TextClassifier {
  SequenceClassifier model;                    ///< of SpecialTokens::vocab_size
  std::shared_ptr<const Tokenizer> tokenizer;  ///< of the texts
  std::vector<std::string> labels;             ///< their names, in order
};

/// An untrained classifier with a tokenizer's vocabulary.
/// @throws std::invalid_argument if the options make no sense.
TextClassifier make_text_classifier(std::shared_ptr<const Tokenizer> tokenizer,
                                    std::vector<std::string> labels, int n_layer,
                                    const LayerOptions& layer, std::uint64_t seed);

/// Puts vectors in the place of the embeddings of the words that have one, and says of how many.
///
/// A token of the word tokenizer is looked up without the blank before it, as it is and then in
/// small letters, as the words of most published vectors are. Other tokens keep theirs.
///
///     take_word_vectors(classifier, read_word_vectors("glove.6B.50d.txt"), true);
///
/// @param freeze keeps the whole table, also the other tokens', as it is from here on.
/// @throws std::invalid_argument unless the tokenizer's kind is "word" and the vectors are as wide
/// as the model.
std::size_t take_word_vectors(TextClassifier& classifier, const WordVectors& vectors, bool freeze);

/// Reads a classifier from a checkpoint folder.
/// @throws std::runtime_error naming the file and what is missing or wrong.
TextClassifier load_text_classifier(const std::filesystem::path& folder);

/// What it says of some texts.
/// @throws std::invalid_argument naming a text that is too long or that the tokenizer cannot
/// express.
std::vector<Guess> classify(const TextClassifier& classifier,
                            const std::vector<std::string>& texts);

/// Teaches a classifier the labels of texts. Beside its accuracy stands that of BagOfWords, which
/// learns from the same texts without the order of their words.
class ClassificationTask final : public Task {
 public:
  /// @param name of the data, for people.
  /// @throws std::invalid_argument naming a text that is too long for the model, or a label it does
  /// not have, or if there are no texts to train on or none held out.
  ClassificationTask(TextClassifier classifier, std::string name, Divided<LabelledText> data);

  std::vector<NamedTensor> parameters() override;
  Tensor loss(Split split, int batch_size, const RandomKey& key) override;
  Index tokens_in(int batch_size) const override;
  /// The accuracy on all held-out texts, and that of the bag of words, unless it would take too
  /// long.
  std::vector<Score> scores() override;
  std::string describe() const override;
  /// The first held-out texts and their labels.
  std::string demonstrate() override;
  void save(const std::filesystem::path& folder) override;

  const TextClassifier& classifier() const { return classifier_; }  ///< what learns

 private:
  LabelledRows encode(const std::vector<LabelledText>& items) const;

  TextClassifier classifier_;
  std::string name_;
  SpecialTokens special_;
  Divided<LabelledText> data_;
  LabelledRows train_, held_out_;
  bool has_baseline_;               // whether the bag of words takes seconds, and no more
  std::optional<double> baseline_;  // the bag of words' accuracy, once it was asked for
};

/// @}

}  // namespace gradus
