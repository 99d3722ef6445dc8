#include "cli/tasks/tasks.h"

#include <stdexcept>

#include "autograd/check.h"
#include "cli/program/unknown_words.h"
#include "cli/tasks/bert_tasks.h"
#include "cli/tasks/classifier_tasks.h"
#include "cli/tasks/prompt_tasks.h"
#include "cli/tasks/task_data.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/data/split.h"
#include "nn/examples/translation.h"
#include "nn/files/checkpoint.h"
#include "nn/files/model_configs.h"
#include "nn/files/tokenizer_files.h"
#include "nn/tasks/translation_task.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPairs = 8000;

constexpr const char* kBuiltIn[] = {"english-portuguese", "sentiment", "topics", "fables",
                                    "digits"};

bool is_built_in(const std::string& data) {
  return std::ranges::find(kBuiltIn, data) != std::end(kBuiltIn) || is_prompt_set(data);
}

std::unique_ptr<Task> translation(const Settings& settings, const fs::path& checkpoint) {
  const std::string name = settings.data.empty() ? "english-portuguese" : settings.data;
  DataSplit<SentencePair> data =
      name == "english-portuguese"
          ? translation_data(kPairs, kHeldOut, kDataSeed)
          : divided(name, read_pairs(name), &SentencePair::source, "source TAB target");
  limit(data.train, settings.examples);
  std::string lines;
  for (const SentencePair& pair : data.train) {
    lines += pair.source + "\n";
    for (const std::string& target : pair.targets) {
      lines += target + "\n";
    }
  }
  Translator translator =
      checkpoint.empty()
          ? make_translator(tokenizer_for(settings, checkpoint, name, lines),
                            settings.model.n_layer, layer_options(settings), settings.recipe.seed)
          : load_translator(checkpoint);
  if (!checkpoint.empty()) {
    std::vector<std::string> texts;
    for (const auto& part : {data.train, data.held_out}) {
      for (const SentencePair& pair : part) {
        texts.push_back(pair.source);
        texts.insert(texts.end(), pair.targets.begin(), pair.targets.end());
      }
    }
    note_unknown_words(*translator.tokenizer, texts, name);
  }
  return std::make_unique<TranslationTask>(std::move(translator), name, std::move(data));
}

std::unique_ptr<Task> made_task(const Settings& settings, const fs::path& checkpoint) {
  switch (settings.kind) {
    case ModelKind::kTranslator:
      return translation(settings, checkpoint);
    case ModelKind::kGpt:
      return make_prompt_task(settings, checkpoint);
    case ModelKind::kClassifier:
      return make_classification_task(settings, checkpoint);
    case ModelKind::kVision:
      return make_vision_task(settings, checkpoint);
    case ModelKind::kBert:
      return bert_task(settings, checkpoint);
  }
  throw std::logic_error("make_task: there is no such model");
}

}  // namespace

std::unique_ptr<Task> make_task(const Settings& settings, const fs::path& checkpoint) {
  return with_line_numbers(settings.data, [&] { return made_task(settings, checkpoint); });
}

Settings settings_of(const fs::path& checkpoint) {
  Settings settings;
  settings.kind = kind_of_checkpoint(checkpoint);
  const auto take = [&](const auto& config) {
    take_layer_options(settings, config.layer, config.n_layer);
  };
  switch (settings.kind) {
    case ModelKind::kTranslator:
      take(load_transformer_config(checkpoint));
      break;
    case ModelKind::kBert:
      take(load_bert_config(checkpoint));
      break;
    case ModelKind::kClassifier:
      take(load_classifier_config(checkpoint));
      settings.freeze_vectors = load_classifier_config(checkpoint).frozen_embed;
      break;
    case ModelKind::kVision:
      take(load_vision_config(checkpoint));
      settings.patch = load_vision_config(checkpoint).patch;
      break;
    case ModelKind::kGpt:
      settings.model = load_config(checkpoint);
      break;
  }
  if (settings.kind != ModelKind::kVision) {
    const std::unique_ptr<Tokenizer> tokenizer = load_tokenizer(checkpoint);
    settings.tokenizer = tokenizer->name();
    settings.vocab_size = tokenizer->vocab_size();
  }
  return settings;
}

bool names_files(const std::string& data) { return !data.empty() && !is_built_in(data); }

std::string absolute_data(const std::string& data) {
  if (!names_files(data)) {
    return data;
  }
  std::string all;
  for (std::size_t begin = 0; begin <= data.size();) {
    const std::size_t end = std::min(data.find(',', begin), data.size());
    all += (all.empty() ? "" : ",") +
           fs::absolute(data.substr(begin, end - begin)).lexically_normal().string();
    begin = end + 1;
  }
  return all;
}

}  // namespace gradus
