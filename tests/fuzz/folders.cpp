/// @file
/// Folders of models: configs, weights in one file or several, tokenizers, adapters with their
/// base. A part whose name ends in .safetensors and that begins with "{" is a header: see
/// with_data(). A model that is read must compute something, and is written and read again with the
/// same weights.
#include "autograd/graph.h"
#include "nn/files/bert_files.h"
#include "nn/files/gpt_files.h"
#include "nn/files/model_configs.h"
#include "nn/files/tokenizer_files.h"
#include "nn/module.h"
#include "nn/tasks/text_classifier.h"
#include "nn/tasks/translation_task.h"
#include "nn/tasks/vision_task.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {

namespace fs = std::filesystem;

namespace {

void try_gpt(const fs::path& path) {
  std::optional<Checkpoint> found;
  if (!accepts([&] { found.emplace(load_checkpoint(path)); })) return;
  const Gpt& model = found->model;
  holds(model.config.vocab_size >= found->tokenizer->vocab_size(), "each token has a row");
  const NoGrad no_grad;
  const IndexTensor tokens(Shape{1, std::min<Index>(3, model.config.n_positions)});
  const Tensor logits = model(tokens);
  holds(are_same(logits, model(tokens)), "the same tokens give the same logits");
  static const FuzzFolder written("written");
  for (const auto& entry : fs::directory_iterator(written.path())) fs::remove_all(entry);
  save_gpt(written.path(), model);
  save_tokenizer(*found->tokenizer, written.path());
  const Checkpoint again = load_checkpoint(written.path());
  holds(are_same(parameters(again.model), parameters(model)), "weights are read back as they were");
  holds(are_same(again.model(tokens), logits), "a model that was read again computes the same");
}

void try_bert(const fs::path& path) {
  std::optional<BertModel> found;
  if (!accepts([&] { found.emplace(load_bert(path)); })) return;
  static const FuzzFolder written("written_bert");
  for (const auto& entry : fs::directory_iterator(written.path())) fs::remove_all(entry);
  found->adapter.reset();  // load_bert() has merged it
  save_bert(written.path(), *found);
  save_tokenizer(*found->tokenizer, written.path());
  const BertModel again = load_bert(written.path());
  holds(again.labels == found->labels, "labels are read back as they were");
}

}  // namespace

void fuzz(std::string_view input) {
  static const FuzzFolder folder("model");
  static const bool is_inside =
      chdir(folder.path().c_str()) == 0;  // so that a base is found by its name
  holds(is_inside, "the folder can be entered");
  for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove_all(entry);
  const auto parts = parts_of(input, {"config.json",
                                      "model.safetensors",
                                      "model.safetensors.index.json",
                                      "model-00001-of-00002.safetensors",
                                      "model-00002-of-00002.safetensors",
                                      "tokenizer.json",
                                      "gradus_tokenizer.json",
                                      "vocab.json",
                                      "merges.txt",
                                      "vocab.txt",
                                      "tokenizer_config.json",
                                      "generation_config.json",
                                      "chat_template.jinja",
                                      "adapter_config.json",
                                      "adapter_model.safetensors",
                                      "trainer.json",
                                      "base/config.json",
                                      "base/model.safetensors",
                                      "base/model.safetensors.index.json",
                                      "base/model-00001-of-00002.safetensors",
                                      "base/model-00002-of-00002.safetensors",
                                      "base/gradus_tokenizer.json"});
  for (const auto& [name, bytes] : parts) {
    const bool is_header = name.ends_with(".safetensors") && bytes.starts_with('{');
    folder.file(name, is_header ? with_data(bytes) : bytes);
  }
  const fs::path& path = folder.path();
  accepts([&] { static_cast<void>(load_state(path)); });
  ModelKind kind = ModelKind::kGpt;
  if (!accepts([&] { kind = kind_of_checkpoint(base_of(path)); })) return;
  switch (kind) {
    case ModelKind::kGpt:
      return try_gpt(path);
    case ModelKind::kBert:
      return try_bert(path);
    case ModelKind::kClassifier:
      accepts([&] { static_cast<void>(load_text_classifier(path)); });
      return;
    case ModelKind::kTranslator:
      accepts([&] { static_cast<void>(load_translator(path)); });
      return;
    case ModelKind::kVision:
      accepts([&] { static_cast<void>(load_vision_model(path)); });
      return;
  }
}

}  // namespace gradus
