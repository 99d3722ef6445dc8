#include "nn/tasks/label_task.h"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"
#include "nn/data/baselines.h"
#include "nn/data/words.h"
#include "nn/tasks/bert_label_task.h"
#include "nn/tasks/text_classifier.h"

namespace gradus {
using namespace detail;
namespace {

template <class Labeller>
std::vector<Prediction> classify_rows(const Labeller& labeller, const std::vector<TokenRow>& rows) {
  constexpr Index kSideBySide = 100;
  const NoGrad no_grad;
  std::vector<Prediction> all;
  for (Index first = 0; first < std::ssize(rows); first += kSideBySide) {
    const Index last = std::min(first + kSideBySide, std::ssize(rows));
    const std::vector<TokenRow> some(rows.begin() + first, rows.begin() + last);
    std::ranges::move(as_predictions(logits_of(labeller, some)), std::back_inserter(all));
  }
  return all;
}

/// The numbers that BagOfWords holds for these texts: a row for each, as wide as there are words.
std::size_t numbers_in_bag(std::span<const LabelledText> items) {
  std::unordered_set<std::string> words;
  for (const LabelledText& item : items) {
    for (std::string& word : split_words(item.text, Case::kLower)) {
      words.insert(std::move(word));
    }
  }
  return words.size() * items.size();
}

}  // namespace

template <class Labeller>
std::vector<Prediction> classify(const Labeller& labeller, const std::vector<std::string>& texts) {
  std::vector<TokenRow> rows;
  for (const std::string& text : texts) {
    rows.push_back(row_of(labeller, text));
  }
  return classify_rows(labeller, rows);
}

template <class Labeller>
LabelTask<Labeller>::LabelTask(Labeller labeller, std::string name, DataSplit<LabelledText> data,
                               const LabelScoring& scoring)
    : ExamplesTask<Labeller>(std::move(labeller), std::move(name)),
      data_(std::move(data)),
      scoring_(scoring),
      train_(encode(data_.train)),
      held_out_(encode(data_.held_out)),
      has_bag_(scoring.bag_numbers == LabelScoring::kAll ||
               numbers_in_bag(first_of(data_.train, scoring.bag_texts)) <= scoring.bag_numbers) {
  check(!data_.train.empty() && !data_.held_out.empty(), this->name_,
        ": needs training and held-out texts, got ", data_.train.size(), " and ",
        data_.held_out.size());
}

template <class Labeller>
auto LabelTask<Labeller>::encode(const std::vector<LabelledText>& items) const -> Rows {
  Rows read;
  for (const LabelledText& item : items) {
    check(item.label >= 0 && item.label < std::ssize(model_.labels), excerpt(item.text),
          ": labels must be in [0, ", model_.labels.size(), "), got ", item.label);
    read.rows.push_back(row_of(model_, item.text));
    read.labels.push_back(item.label);
  }
  return read;
}

template <class Labeller>
MeanLoss LabelTask<Labeller>::loss_of_rows(Split split, int batch_size, const RandomKey& key,
                                           const RowRange& part) {
  const Rows& all = split == Split::kVal ? held_out_ : train_;
  std::vector<TokenRow> rows;
  IndexTensor labels(Shape{part.count});
  for (const std::size_t i : rows_of(sample_indices(key, batch_size, all.rows.size()), part)) {
    labels.mutable_data()[rows.size()] = all.labels[i];
    rows.push_back(all.rows[i]);
  }
  profile_mark("batch");
  return {cross_entropy(logits_of(model_, rows), labels), static_cast<double>(part.count)};
}

template <class Labeller>
Index LabelTask<Labeller>::tokens_in(int batch_size) const {
  Index all = 0;
  for (const TokenRow& row : train_.rows) {
    all += std::ssize(row);
  }
  return batch_size * all / std::ssize(train_.rows);
}

template <class Labeller>
std::vector<Prediction> LabelTask<Labeller>::predictions(std::size_t most) const {
  const auto count = static_cast<Index>(std::min(most, held_out_.rows.size()));
  return classify_rows(model_, {held_out_.rows.begin(), held_out_.rows.begin() + count});
}

template <class Labeller>
std::vector<Score> LabelTask<Labeller>::scores() {
  const std::vector<Prediction> said = predictions(scoring_.texts);
  std::vector<Score> scores = {
      {"accuracy", accuracy(said, std::span(held_out_.labels).first(said.size()))}};
  if (has_bag_ && !bag_) {
    const RecordingScope recording(true);  // it learns
    bag_ = BagOfWords(first_of(data_.train, scoring_.bag_texts), model_.labels.size())
               .accuracy(first_of(data_.held_out, scoring_.texts));
  }
  if (bag_) {
    scores.push_back({"bag of words", *bag_});
  }
  return scores;
}

template <class Labeller>
double LabelTask<Labeller>::scoring_examples() const {
  return static_cast<double>(std::min(scoring_.texts, held_out_.rows.size()));
}

template <class Labeller>
std::string LabelTask<Labeller>::describe() const {
  return text(this->counted_as("texts", data_.train.size(), data_.held_out.size()), ", ",
              model_.labels.size(), " labels");
}

template <class Labeller>
std::string LabelTask<Labeller>::demonstrate() {
  constexpr std::size_t kShown = 8;
  const auto label = [&](int number) { return model_.labels[static_cast<std::size_t>(number)]; };
  const std::vector<Prediction> said = predictions(kShown);
  std::string lines;
  for (std::size_t i = 0; i < said.size(); ++i) {
    const auto& [text, right] = data_.held_out[i];
    lines += shown_answer(text, " " + label(said[i].label), " " + label(right));
  }
  return lines;
}

template class LabelTask<TextClassifier>;
template class LabelTask<BertModel>;
template std::vector<Prediction> classify(const TextClassifier&, const std::vector<std::string>&);
template std::vector<Prediction> classify(const BertModel&, const std::vector<std::string>&);

}  // namespace gradus
