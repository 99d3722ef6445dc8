#include "nn/tasks/gpt_label_task.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"
#include "nn/tasks/model_files.h"
#include "nn/text/file.h"
#include "nn/train/checkpoint.h"
#include "nn/train/checkpoint_json.h"
#include "nn/train/json_values.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

TokenRow tokens_of(const GptLabeller& labeller, const std::string& text) {
  TokenRow tokens = encoded(*labeller.tokenizer, text, labeller.model.gpt.config.n_positions);
  check(!tokens.empty(), "labels: a text is empty (write at least one word)");
  return tokens;
}

LabelledRows rows_of(const GptLabeller& labeller, const std::vector<LabelledText>& items) {
  return {items, [&](const LabelledText& item) {
            check(item.label >= 0 && item.label < std::ssize(labeller.labels), excerpt(item.text),
                  ": has label ", item.label, ", and there are ", labeller.labels.size());
            return tokens_of(labeller, item.text);
          }};
}

/// Logits of the labels [B, n_labels]. The filling may be any token: nothing looks at it.
Tensor logits_of(const GptClassifier& model, const std::vector<TokenRow>& rows) {
  IndexTensor lengths(Shape{std::ssize(rows)});
  std::ranges::transform(rows, lengths.begin(),
                         [](const TokenRow& row) { return static_cast<std::int32_t>(row.size()); });
  return model(padded(rows, 0), lengths);
}

std::vector<Guess> guesses_of(const GptLabeller& labeller, const std::vector<TokenRow>& rows) {
  return gradus::guesses_of(rows,
                            [&](const auto& some) { return logits_of(labeller.model, some); });
}

}  // namespace

GptLabeller make_gpt_labeller(const fs::path& pretrained, std::vector<std::string> labels,
                              std::uint64_t seed) {
  Checkpoint checkpoint = load_checkpoint(pretrained);
  return {GptClassifier(std::move(checkpoint.model), std::ssize(labels), seed),
          std::move(checkpoint.tokenizer), std::move(labels)};
}

GptLabeller load_gpt_labeller(const fs::path& folder) {
  const std::string file = (folder / kConfigFile).string();
  const GptConfig config = load_config(folder);
  std::vector<std::string> labels = load_labels(folder);
  std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
  if (labels.size() < 2 || tokenizer->vocab_size() != config.vocab_size) {
    throw std::runtime_error(text(file, ": describes a vocabulary of ", config.vocab_size, " and ",
                                  labels.size(), " labels, of which there must be ",
                                  tokenizer->vocab_size(), " and at least 2"));
  }
  check_weights(folder, std::max(parameter_count(config), config.n_positions * config.n_embd));
  GptLabeller labeller{GptClassifier(Gpt(config), std::ssize(labels)), std::move(tokenizer),
                       std::move(labels)};
  load_parameters(folder, parameters(labeller.model));
  return labeller;
}

std::vector<int> labels_of(const GptLabeller& labeller, const std::vector<std::string>& texts) {
  std::vector<TokenRow> rows;
  for (const std::string& text : texts) {
    rows.push_back(tokens_of(labeller, text));
  }
  std::vector<int> labels;
  std::ranges::transform(guesses_of(labeller, rows), std::back_inserter(labels), &Guess::label);
  return labels;
}

GptLabelTask::GptLabelTask(GptLabeller labeller, std::string name, Divided<LabelledText> data)
    : labeller_(std::move(labeller)),
      name_(std::move(name)),
      data_(std::move(data)),
      train_(rows_of(labeller_, data_.train)),
      held_out_(rows_of(labeller_, data_.held_out)) {
  check(!data_.train.empty() && !data_.held_out.empty(),
        "labels: needs texts to train on and held out, got ", data_.train.size(), " and ",
        data_.held_out.size());
  if (labeller_.model.gpt.lm_head.defined()) {
    labeller_.model.gpt.lm_head.set_requires_grad(false);  // it would never have a gradient
  }
}

std::vector<NamedTensor> GptLabelTask::parameters() { return gradus::parameters(labeller_.model); }

Tensor GptLabelTask::loss(Split split, int batch_size, const RandomKey& key) {
  const auto [rows, labels] = (split == Split::kVal ? held_out_ : train_).drawn(key, batch_size);
  lap("batch");
  return cross_entropy(logits_of(labeller_.model, rows), labels);
}

Index GptLabelTask::tokens_in(int batch_size) const { return train_.tokens_in(batch_size); }

std::vector<Score> GptLabelTask::scores() {
  return {{"accuracy", accuracy(guesses_of(labeller_, held_out_.rows), held_out_.labels)}};
}

std::string GptLabelTask::describe() const {
  return text(name_, ": ", train_.rows.size(), " texts of ", labeller_.labels.size(),
              " labels to train on, ", held_out_.rows.size(), " held out");
}

void GptLabelTask::save(const fs::path& folder) {
  save_parameters(folder, gradus::parameters(labeller_.model));
  Json config = Json::parse(config_to_json(labeller_.model.gpt.config));
  config["architectures"] = {"GPT2ForSequenceClassification"};
  config["labels"] = labeller_.labels;
  write_file((folder / kConfigFile).string(),
             config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  save_tokenizer(*labeller_.tokenizer, folder);
}

}  // namespace gradus
