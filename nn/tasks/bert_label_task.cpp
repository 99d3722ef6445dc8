#include "nn/tasks/bert_label_task.h"

#include "autograd/check.h"
#include "nn/text/special_tokens.h"

namespace gradus {
using namespace detail;
namespace {

/// The model with a classifier for these labels, and nothing frozen beside an adapter.
BertModel with_labels(BertModel bert, const std::string& name, std::vector<std::string> labels,
                      std::uint64_t seed) {
  check(labels.size() >= 2, name, ": needs at least two labels, got ", labels.size());
  if (bert.labels != labels) {
    bert.model.set_labels(std::ssize(labels), seed);
    bert.labels = std::move(labels);
  }
  if (!bert.adapter) set_requires_grad(bert.model, true);
  return bert;
}

}  // namespace

TokenRow row_of(const BertModel& bert, const std::string& text) { return bert_row(bert, text); }

Tensor logits_of(const BertModel& bert, const std::vector<TokenRow>& rows) {
  const std::int32_t pad = SpecialTokens(*bert.tokenizer).pad;
  const IndexTensor tokens = padded(rows, pad);
  return bert.model.sequence_logits(bert.model.features(tokens, padding_mask(tokens, pad)));
}

BertLabelTask::BertLabelTask(BertModel bert, std::string name, std::vector<std::string> labels,
                             DataSplit<LabelledText> data, std::uint64_t seed)
    : LabelTask(with_labels(std::move(bert), name, std::move(labels), seed), name, std::move(data),
                {.texts = 1000, .bag_texts = 5000, .bag_numbers = LabelScoring::kAll}) {
  const auto count_cut = [&](const std::vector<LabelledText>& items, const Rows& read) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Index length = std::ssize(read.rows[i]);
      cut_ += length == model_.model.config.layer.max_length &&
              std::ssize(model_.tokenizer->encode(items[i].text)) + 2 > length;
    }
  };
  count_cut(this->data().train, train());
  count_cut(this->data().held_out, held_out());
}

std::string BertLabelTask::describe() const {
  const std::string what = text("texts with one of ", model_.labels.size(), " labels");
  return text(counted_as(what, data().train.size(), data().held_out.size()),
              cut_ > 0 ? text("; ", cut_, " are cut off at ", model_.model.config.layer.max_length,
                              " tokens")
                       : "");
}

}  // namespace gradus
