#include "nn/tasks/bert_label_task.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"

namespace gradus {
namespace {

constexpr std::size_t kScored = 1000;
constexpr std::size_t kBagOfWords = 5000;  // texts; its table is texts times words

/// Logits [B, n_labels] of rows of different lengths.
Tensor logits_of(const BertModel& bert, const std::vector<TokenRow>& rows) {
  const std::int32_t pad = SpecialTokens(*bert.tokenizer).pad;
  const IndexTensor tokens = padded(rows, pad);
  return bert.model.sequence_logits(bert.model.features(tokens, padding_mask(tokens, pad)));
}

}  // namespace

std::vector<Guess> classify(const BertModel& bert, const std::vector<std::string>& texts) {
  std::vector<TokenRow> rows;
  for (const std::string& text : texts) {
    rows.push_back(bert_row(bert, text));
  }
  return guesses_of(rows, [&](const auto& some) { return logits_of(bert, some); });
}

std::vector<int> predict_labels(const BertModel& bert, const std::vector<std::string>& texts) {
  std::vector<int> labels;
  std::ranges::transform(classify(bert, texts), std::back_inserter(labels), &Guess::label);
  return labels;
}

BertLabelTask::BertLabelTask(BertModel bert, std::string name, std::vector<std::string> labels,
                             Divided<LabelledText> data, std::uint64_t seed)
    : bert_(std::move(bert)),
      name_(std::move(name)),
      data_(std::move(data)),
      train_(encode(data_.train)),
      held_out_(encode(data_.held_out)) {
  check(!data_.train.empty() && !data_.held_out.empty(), name_,
        ": needs texts to train on and held out, got ", data_.train.size(), " and ",
        data_.held_out.size());
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

LabelledRows BertLabelTask::encode(const std::vector<LabelledText>& texts) {
  return {texts, [&](const LabelledText& item) {
            TokenRow row = bert_row(bert_, item.text);
            cut_ += std::ssize(row) == bert_.model.config.layer.max_length &&
                    std::ssize(bert_.tokenizer->encode(item.text)) + 2 > std::ssize(row);
            return row;
          }};
}

std::vector<NamedTensor> BertLabelTask::parameters() { return gradus::parameters(bert_.model); }

Tensor BertLabelTask::loss(Split split, int batch_size, const RandomKey& key) {
  const auto [rows, labels] = (split == Split::kVal ? held_out_ : train_).drawn(key, batch_size);
  lap("batch");
  return cross_entropy(logits_of(bert_, rows), labels);
}

Index BertLabelTask::tokens_in(int batch_size) const { return train_.tokens_in(batch_size); }

std::vector<Score> BertLabelTask::scores() {
  return {
      {"accuracy", accuracy(guesses(kScored), std::span(held_out_.labels).first(scored().size()))},
      {"bag of words", bag_of_words_}};
}

std::vector<Guess> BertLabelTask::guesses(std::size_t most) const {
  const auto count = static_cast<Index>(std::min(most, held_out_.rows.size()));
  return guesses_of({held_out_.rows.begin(), held_out_.rows.begin() + count},
                    [&](const auto& some) { return logits_of(bert_, some); });
}

std::string BertLabelTask::describe() const {
  return text(name_, ": ", train_.rows.size(), " texts with one of ", bert_.labels.size(),
              " labels to train on, ", held_out_.rows.size(), " held out",
              cut_ > 0 ? text("; ", cut_, " are cut off at ", bert_.model.config.layer.max_length,
                              " tokens")
                       : "");
}

std::string BertLabelTask::demonstrate() {
  constexpr std::size_t kShown = 8;
  return shown(data_.held_out, guesses(kShown), bert_.labels);
}

}  // namespace gradus
