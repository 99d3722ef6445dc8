/// @file
/// Classifiers of texts.

#include <algorithm>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "cli/program/unknown_words.h"
#include "cli/tasks/examples.h"
#include "cli/tasks/kinds.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/data/split.h"
#include "nn/examples/sentences.h"
#include "nn/files/model_configs.h"
#include "nn/files/word_vector_files.h"
#include "nn/tasks/label_task.h"
#include "nn/tasks/text_classifier.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// The recipe for the built-in sentences: a small model, because the texts are short.
void classifier_defaults(Settings& settings) {
  settings.model.n_embd = 64;
  settings.model.n_inner = 128;
  settings.recipe.batch_size = 32;
  settings.recipe.max_iters = 1000;
}

/// The built-in set of this name, or the lines of a file with a checkpoint's labels.
LabelledSet sentences(const std::string& name, const fs::path& checkpoint) {
  if (name == "sentiment") {
    return sentiment_sentences(kSentences, kDataSeed);
  }
  if (name == "topics") {
    return topic_sentences(kSentences, kDataSeed);
  }
  return labelled_file(name,
                       checkpoint.empty() ? std::vector<std::string>() : load_labels(checkpoint));
}

TextClassifier new_text_classifier(const Settings& settings, const std::string& name,
                                   const LabelledSet& set, const std::vector<LabelledText>& train) {
  check(set.labels.size() >= 2, name, ": needs at least 2 labels, got ", set.labels.size());
  std::string lines;
  for (const LabelledText& item : train) {
    lines += item.text + "\n";
  }
  TextClassifier classifier =
      make_text_classifier(tokenizer_for(settings, {}, name, lines), set.labels,
                           settings.model.n_layer, layer_options(settings), settings.recipe.seed);
  if (!settings.word_vectors.empty()) {
    const std::size_t found = take_word_vectors(
        classifier, read_word_vectors(settings.word_vectors, note), settings.freeze_vectors);
    note(text(settings.word_vectors, ": contains vectors for ", found, " of ",
              classifier.tokenizer->vocab_size(), " words"));
  }
  return classifier;
}

std::unique_ptr<Task> classifier_task(const Settings& settings, const fs::path& checkpoint) {
  const std::string& name = settings.data;
  const LabelledSet set = sentences(name, checkpoint);
  DataSplit<LabelledText> data = divided(name, set);
  limit(data.train, settings.examples);
  TextClassifier classifier = checkpoint.empty()
                                  ? new_text_classifier(settings, name, set, data.train)
                                  : load_text_classifier(checkpoint);
  if (!checkpoint.empty()) {
    note_unknown_words(*classifier.tokenizer, texts_of(data), name);
  }
  return std::make_unique<LabelTask<TextClassifier>>(std::move(classifier), name, std::move(data));
}

void take_sizes_of_classifier(Settings& settings, const fs::path& checkpoint) {
  const ClassifierConfig config = load_classifier_config(checkpoint);
  take_layer_options(settings, config.layer, config.n_layer);
  settings.freeze_vectors = config.frozen_embed;
}

}  // namespace

TaskKind classifier_kind() {
  return {.model = ModelKind::kClassifier,
          .sets = {"sentiment", "topics"},
          .defaults = classifier_defaults,
          .take_sizes = take_sizes_of_classifier,
          .make = classifier_task};
}

}  // namespace gradus
