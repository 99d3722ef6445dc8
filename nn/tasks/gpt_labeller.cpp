#include "nn/tasks/gpt_labeller.h"

#include <algorithm>

#include "autograd/check.h"
#include "nn/tasks/model_files.h"
#include "nn/text/file.h"
#include "nn/train/checkpoint.h"
#include "nn/train/checkpoint_json.h"
#include "nn/train/json_values.h"

namespace gradus {
using namespace detail;
namespace fs = std::filesystem;

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

TokenRow row_of(const GptLabeller& labeller, const std::string& text) {
  TokenRow tokens = encoded(*labeller.tokenizer, text, labeller.model.gpt.config.n_positions);
  check(!tokens.empty(), "labels: a text is empty (write at least one word)");
  return tokens;
}

Tensor logits_of(const GptLabeller& labeller, const std::vector<TokenRow>& rows) {
  IndexTensor lengths(Shape{std::ssize(rows)});
  std::ranges::transform(rows, lengths.mutable_data(),
                         [](const TokenRow& row) { return static_cast<std::int32_t>(row.size()); });
  return labeller.model(padded(rows, 0), lengths);  // any filling will do: nothing looks at it
}

void save_labeller(const fs::path& folder, const GptLabeller& labeller) {
  save_parameters(folder, parameters(labeller.model));
  Json config = Json::parse(config_to_json(labeller.model.gpt.config));
  config["architectures"] = {"GPT2ForSequenceClassification"};
  config["labels"] = labeller.labels;
  write_file((folder / kConfigFile).string(),
             config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  save_tokenizer(*labeller.tokenizer, folder);
}

}  // namespace gradus
