/// @file
/// Translators, which learn from pairs of sentences.

#include "cli/program/unknown_words.h"
#include "cli/tasks/examples.h"
#include "cli/tasks/kinds.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/data/split.h"
#include "nn/examples/translation.h"
#include "nn/files/model_configs.h"
#include "nn/tasks/translation_task.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPairs = 8000;

void translator_defaults(Settings& settings) {
  settings.model.n_embd = 96;
  settings.model.n_inner = 192;
  settings.recipe.schedule.rate = 3e-3;
}

std::unique_ptr<Task> translator_task(const Settings& settings, const fs::path& checkpoint) {
  const std::string& name = settings.data;
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

void take_sizes_of_translator(Settings& settings, const fs::path& checkpoint) {
  const TransformerConfig config = load_transformer_config(checkpoint);
  take_layer_options(settings, config.layer, config.n_layer);
}

}  // namespace

TaskKind translator_kind() {
  return {.model = ModelKind::kTranslator,
          .sets = {"english-portuguese"},
          .defaults = translator_defaults,
          .take_sizes = take_sizes_of_translator,
          .make = translator_task};
}

}  // namespace gradus
