/// @file
/// config.json of every kind of model, adapter_config.json and trainer.json. A config that is read
/// is written, read again and written again: both files must be the same.
#include "nn/files/adapter_files.h"
#include "nn/files/checkpoint_json.h"
#include "nn/files/model_configs.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSource = "config.json";

/// Checks that what `write` writes for a config is read back by `read` as the same config.
template <class Config, class Write, class Read>
void round_trip(const Config& config, Write write, Read read) {
  static const FuzzFolder first("first"), second("second");
  write(first.path(), config);
  write(second.path(), read(first.path()));
  holds(read_file(first / kSource, 1 << 24) == read_file(second / kSource, 1 << 24),
        "a config is written as it was read");
}

}  // namespace

void fuzz(std::string_view input) {
  static const FuzzFolder folder("config");
  folder.file(kSource, input);
  folder.file(kAdapterConfigFile, input);
  const fs::path& path = folder.path();
  accepts([&] { static_cast<void>(kind_of_checkpoint(path)); });
  std::vector<std::string> labels;
  accepts([&] { labels = load_labels(path); });
  accepts([&] { static_cast<void>(load_adapter(path)); });

  std::string text;
  if (accepts([&] { text = config_to_json(config_from_json(input, kSource)); })) {
    holds(config_to_json(config_from_json(text, kSource)) == text,
          "the config of a GPT is written as it was read");
  }
  if (accepts([&] { text = state_to_json(state_from_json(input, kSource)); })) {
    holds(state_to_json(state_from_json(text, kSource)) == text,
          "trainer.json is written as it was read");
  }
  TransformerConfig translator;
  if (accepts([&] { translator = load_transformer_config(path); })) {
    round_trip(
        translator, [](const fs::path& to, const auto& config) { save_config(to, config); },
        load_transformer_config);
  }
  BertConfig bert;
  if (accepts([&] { bert = load_bert_config(path); })) {
    round_trip(
        bert, [&](const fs::path& to, const auto& config) { save_config(to, config, labels, 0); },
        load_bert_config);
  }
  ClassifierConfig classifier;
  if (accepts([&] { classifier = load_classifier_config(path); })) {
    round_trip(
        classifier,
        [&](const fs::path& to, const auto& config) { save_config(to, config, labels); },
        load_classifier_config);
  }
  VisionConfig vision;
  if (accepts([&] { vision = load_vision_config(path); })) {
    round_trip(
        vision, [&](const fs::path& to, const auto& config) { save_config(to, config, labels); },
        load_vision_config);
  }
}

}  // namespace gradus
