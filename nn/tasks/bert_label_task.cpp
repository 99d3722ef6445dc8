#include "nn/tasks/bert_label_task.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/profile.h"

namespace gradus {
namespace {

constexpr std::size_t kScored = 1000, kSideBySide = 100;
constexpr std::size_t kBagOfWords = 5000;  // texts; its table is texts times words

/// Logits [B, n_labels] of rows of different lengths.
Tensor logits_of(const BertModel& bert, const std::vector<TokenRow>& rows) {
  const std::int32_t pad = SpecialTokens(*bert.tokenizer).pad;
  const IndexTensor tokens = padded(rows, pad);
  return bert.model.sequence_logits(bert.model.features(tokens, padding_mask(tokens, pad)));
}

std::vector<Guess> guesses_of(const BertModel& bert, const std::vector<TokenRow>& rows) {
  const NoGrad no_grad;
  std::vector<Guess> guesses;
  for (std::size_t first = 0; first < rows.size(); first += kSideBySide) {
    const std::size_t last = std::min(first + kSideBySide, rows.size());
    const Tensor logits = logits_of(
        bert, {rows.begin() + static_cast<Index>(first), rows.begin() + static_cast<Index>(last)});
    std::ranges::move(as_guesses(logits), std::back_inserter(guesses));
  }
  return guesses;
}

std::vector<int> labels_of(const BertModel& bert, const std::vector<TokenRow>& rows) {
  std::vector<int> labels;
  std::ranges::transform(guesses_of(bert, rows), std::back_inserter(labels), &Guess::label);
  return labels;
}

std::vector<TokenRow> rows_of(const BertModel& bert, const std::vector<std::string>& texts) {
  std::vector<TokenRow> rows;
  for (const std::string& text : texts) {
    rows.push_back(bert_row(bert, text));
  }
  return rows;
}

std::vector<std::string> texts_of(const std::vector<LabelledText>& items, std::size_t most) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, items.size()); ++i) {
    texts.push_back(items[i].text);
  }
  return texts;
}

}  // namespace

std::vector<int> predict_labels(const BertModel& bert, const std::vector<std::string>& texts) {
  return labels_of(bert, rows_of(bert, texts));
}

std::vector<Guess> classify(const BertModel& bert, const std::vector<std::string>& texts) {
  return guesses_of(bert, rows_of(bert, texts));
}

BertLabelTask::BertLabelTask(BertModel bert, std::string name, std::vector<std::string> labels,
                             Divided<LabelledText> data, std::uint64_t seed)
    : bert_(std::move(bert)),
      name_(std::move(name)),
      special_(*bert_.tokenizer),
      data_(std::move(data)),
      train_(encode(data_.train)),
      held_out_(encode(data_.held_out)) {
  check(!train_.empty() && !held_out_.empty(), name_,
        ": needs texts to train on and held out, got ", train_.size(), " and ", held_out_.size());
  check(labels.size() >= 2, name_, ": needs at least two labels, got ", labels.size());
  if (bert_.labels != labels) {
    bert_.model.set_labels(std::ssize(labels), seed);
    bert_.labels = std::move(labels);
  }
  set_requires_grad(bert_.model, true);
  // Here and not when it is asked for: scores() are taken where nothing is recorded, and this
  // learns by gradients.
  const std::span seen = std::span(data_.train).first(std::min(kBagOfWords, data_.train.size()));
  bag_of_words_ = BagOfWords(seen, bert_.labels.size()).accuracy(scored());
}

std::span<const LabelledText> BertLabelTask::scored() const {
  return std::span(data_.held_out).first(std::min(kScored, data_.held_out.size()));
}

std::vector<TokenRow> BertLabelTask::encode(const std::vector<LabelledText>& texts) {
  std::vector<TokenRow> rows;
  for (const LabelledText& item : texts) {
    rows.push_back(bert_row(bert_, item.text));
    cut_ += std::ssize(rows.back()) == bert_.model.config.layer.max_length &&
            std::ssize(bert_.tokenizer->encode(item.text)) + 2 > std::ssize(rows.back());
  }
  return rows;
}

std::vector<NamedTensor> BertLabelTask::parameters() { return gradus::parameters(bert_.model); }

Tensor BertLabelTask::loss(Split split, int batch_size, const RandomKey& key) {
  const bool validates = split == Split::kVal;
  const std::vector<TokenRow>& from = validates ? held_out_ : train_;
  const std::vector<LabelledText>& items = validates ? data_.held_out : data_.train;
  std::vector<TokenRow> rows;
  std::vector<std::int32_t> labels;
  for (const std::size_t i : drawn_items(key, batch_size, from.size())) {
    rows.push_back(from[i]);
    labels.push_back(items[i].label);
  }
  lap("batch");
  return cross_entropy(logits_of(bert_, rows), IndexTensor(Shape{batch_size}, labels));
}

Index BertLabelTask::tokens_in(int batch_size) const {
  std::size_t all = 0;
  for (const TokenRow& row : train_) {
    all += row.size();
  }
  return static_cast<Index>(static_cast<std::size_t>(batch_size) * all / train_.size());
}

std::vector<Score> BertLabelTask::scores() {
  const std::span<const LabelledText> items = scored();
  const std::vector<int> labels =
      labels_of(bert_, {held_out_.begin(), held_out_.begin() + std::ssize(items)});
  double right = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    right += labels[i] == items[i].label;
  }
  return {{"accuracy", right / static_cast<double>(items.size())}, {"bag of words", bag_of_words_}};
}

std::string BertLabelTask::describe() const {
  return text(name_, ": ", train_.size(), " texts with one of ", bert_.labels.size(),
              " labels to train on, ", held_out_.size(), " held out",
              cut_ > 0 ? text("; ", cut_, " are cut off at ", bert_.model.config.layer.max_length,
                              " tokens")
                       : "");
}

std::string BertLabelTask::demonstrate() {
  constexpr std::size_t kShown = 8;
  const std::vector<std::string> texts = texts_of(data_.held_out, kShown);
  const std::vector<int> labels = predict_labels(bert_, texts);
  std::string lines;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto name = [&](int label) { return bert_.labels[static_cast<std::size_t>(label)]; };
    const int right = data_.held_out[i].label;
    lines += texts[i] + "\n  " + name(labels[i]) +
             (labels[i] == right ? "" : "   (not: " + name(right) + ")") + "\n";
  }
  return lines;
}

}  // namespace gradus
