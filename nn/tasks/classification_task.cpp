#include "nn/tasks/classification_task.h"

#include <algorithm>
#include <unordered_set>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"
#include "nn/data/baselines.h"
#include "nn/data/words.h"
#include "nn/tasks/model_files.h"
#include "nn/text/unicode_folding.h"
#include "nn/text/utf8.h"
#include "nn/train/checkpoint.h"

namespace gradus {
namespace {

constexpr std::size_t kLargestBag = 1 << 25;  // numbers of the baseline; more take minutes

/// What the model reads of a text.
TokenRow row_of(const TextClassifier& classifier, const std::string& text) {
  TokenRow row = encoded(*classifier.tokenizer, text, classifier.model.config.layer.max_length - 1);
  row.insert(row.begin(), SpecialTokens(*classifier.tokenizer).begin);
  return row;
}

std::vector<Guess> classify_rows(const TextClassifier& classifier,
                                 const std::vector<TokenRow>& rows) {
  const std::int32_t pad = SpecialTokens(*classifier.tokenizer).pad;
  return guesses_of(rows,
                    [&](const auto& some) { return classifier.model(padded(some, pad), pad); });
}

std::string in_small_letters(std::string_view word) {
  std::u32string letters = utf8_decode(word);
  std::ranges::transform(letters, letters.begin(), lower_case);
  return utf8_encode(letters);
}

/// The numbers that BagOfWords holds for these texts: a row for each, as wide as there are words.
std::size_t numbers_in_bag(const std::vector<LabelledText>& items) {
  std::unordered_set<std::string> words;
  for (const LabelledText& item : items) {
    for (std::string& word : split_words(item.text, Case::kLower)) {
      words.insert(std::move(word));
    }
  }
  return words.size() * items.size();
}

}  // namespace

TextClassifier make_text_classifier(std::shared_ptr<const Tokenizer> tokenizer,
                                    std::vector<std::string> labels, int n_layer,
                                    const LayerOptions& layer, std::uint64_t seed) {
  SequenceClassifier model({.vocab_size = SpecialTokens(*tokenizer).vocab_size,
                            .n_labels = std::ssize(labels),
                            .n_layer = n_layer,
                            .layer = layer},
                           seed);
  return {std::move(model), std::move(tokenizer), std::move(labels)};
}

std::size_t take_word_vectors(TextClassifier& classifier, const WordVectors& vectors, bool freeze) {
  const Tokenizer& tokenizer = *classifier.tokenizer;
  SequenceClassifier& model = classifier.model;
  const Index channels = model.config.layer.d_model;
  check(tokenizer.name() == "word", "word vectors are for --tokenizer=word, got ",
        tokenizer.name());
  check(vectors.vectors.size(1) == channels, "the word vectors have ", vectors.vectors.size(1),
        " channels, and the model ", channels, " (choose --n_embd=", vectors.vectors.size(1), ")");
  const auto places = vectors.places();
  std::size_t found = 0;
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    std::string word = tokenizer.piece(token);
    if (word.size() > 1 && word.starts_with(' ')) {
      word.erase(0, 1);
    }
    auto place = places.find(word);
    if (place == places.end()) {
      place = places.find(in_small_letters(word));
    }
    if (place != places.end()) {
      const Scalar* vector = vectors.vectors.data() + static_cast<Index>(place->second) * channels;
      std::copy_n(vector, channels, model.embed.weight.data() + token * channels);
      ++found;
    }
  }
  model.freeze_embed(freeze);
  return found;
}

TextClassifier load_text_classifier(const std::filesystem::path& folder) {
  const ClassifierConfig config = load_classifier_config(folder);
  std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
  check_vocabulary(folder, config.vocab_size, *tokenizer);
  std::vector<std::string> labels = load_labels(folder);
  check_labels(folder.string(), labels, config.n_labels);
  TextClassifier classifier{SequenceClassifier(config), std::move(tokenizer), std::move(labels)};
  load_parameters(folder, parameters(classifier.model));
  return classifier;
}

std::vector<Guess> classify(const TextClassifier& classifier,
                            const std::vector<std::string>& texts) {
  std::vector<TokenRow> rows;
  for (const std::string& text : texts) {
    rows.push_back(row_of(classifier, text));
  }
  return classify_rows(classifier, rows);
}

ClassificationTask::ClassificationTask(TextClassifier classifier, std::string name,
                                       Divided<LabelledText> data)
    : classifier_(std::move(classifier)),
      name_(std::move(name)),
      special_(*classifier_.tokenizer),
      data_(std::move(data)),
      train_(encode(data_.train)),
      held_out_(encode(data_.held_out)),
      has_baseline_(numbers_in_bag(data_.train) <= kLargestBag) {
  check(!data_.train.empty() && !data_.held_out.empty(),
        "classification: needs texts to train on and held out, got ", data_.train.size(), " and ",
        data_.held_out.size());
}

LabelledRows ClassificationTask::encode(const std::vector<LabelledText>& items) const {
  return {items, [&](const LabelledText& item) {
            check(item.label >= 0 && item.label < std::ssize(classifier_.labels),
                  excerpt(item.text), ": has label ", item.label, ", and the model tells ",
                  classifier_.labels.size(), " apart");
            return row_of(classifier_, item.text);
          }};
}

std::vector<NamedTensor> ClassificationTask::parameters() {
  return gradus::parameters(classifier_.model);
}

Tensor ClassificationTask::loss(Split split, int batch_size, const RandomKey& key) {
  const auto [rows, labels] = (split == Split::kVal ? held_out_ : train_).drawn(key, batch_size);
  lap("batch");
  return cross_entropy(classifier_.model(padded(rows, special_.pad), special_.pad), labels);
}

Index ClassificationTask::tokens_in(int batch_size) const { return train_.tokens_in(batch_size); }

std::vector<Score> ClassificationTask::scores() {
  std::vector<Score> scores = {
      {"accuracy", accuracy(classify_rows(classifier_, held_out_.rows), held_out_.labels)}};
  if (has_baseline_ && !baseline_) {
    const RecordingScope recording(true);  // it learns
    baseline_ = BagOfWords(data_.train, classifier_.labels.size()).accuracy(data_.held_out);
  }
  if (baseline_) {
    scores.push_back({"bag of words", *baseline_});
  }
  return scores;
}

std::string ClassificationTask::describe() const {
  return text(name_, ": ", train_.rows.size(), " texts to train on, ", held_out_.rows.size(),
              " held out, ", classifier_.labels.size(), " labels");
}

std::string ClassificationTask::demonstrate() {
  constexpr std::size_t kShown = 8;
  const auto count = static_cast<Index>(std::min(kShown, held_out_.rows.size()));
  const auto first = held_out_.rows.begin();
  return shown(data_.held_out, classify_rows(classifier_, {first, first + count}),
               classifier_.labels);
}

void ClassificationTask::save(const std::filesystem::path& folder) {
  save_parameters(folder, parameters());
  save_config(folder, classifier_.model.config, classifier_.labels);
  save_tokenizer(*classifier_.tokenizer, folder);
}

}  // namespace gradus
