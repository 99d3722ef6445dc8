/// @file
/// BERTs, which learn masked words of a text, and then labels.

#include <algorithm>

#include "autograd/check.h"
#include "cli/program/unknown_words.h"
#include "cli/tasks/examples.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/texts.h"
#include "nn/data/corpus.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/data/split.h"
#include "nn/examples/sentences.h"
#include "nn/files/bert_files.h"
#include "nn/files/model_configs.h"
#include "nn/tasks/bert_label_task.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

bool is_sentences(const std::string& data) { return data == "sentiment" || data == "topics"; }

/// A built-in set, or a file of lines `label TAB text`.
LabelledSet labelled_set(const std::string& data, const std::vector<std::string>& labels) {
  check(!bundled_text(data),
        "--data: must be sentiment, topics or a file of lines `label TAB text`, got ", data);
  return data == "sentiment" ? sentiment_sentences(kSentences, kDataSeed)
         : data == "topics"  ? topic_sentences(kSentences, kDataSeed)
                             : labelled_file(data, labels);
}

/// A new model for these lines, or the checkpoint's model.
BertModel model_for(const Settings& settings, const fs::path& checkpoint, const Text& text) {
  if (!checkpoint.empty()) {
    return load_bert(checkpoint);
  }
  return make_bert(learn_tokenizer(settings.tokenizer, text, settings.vocab_size),
                   settings.model.n_layer, layer_options(settings), settings.recipe.seed);
}

/// Each sentence is a separate text, read without its label.
std::unique_ptr<Task> masked_sentences(const Settings& settings, const fs::path& checkpoint) {
  const DataSplit<LabelledText> data = divided(settings.data, labelled_set(settings.data, {}));
  std::string lines;
  for (const LabelledText& item : data.train) {
    lines += item.text + "\n";
  }
  Text text;
  text.append(settings.data, lines);
  BertModel bert = model_for(settings, checkpoint, text);
  const auto rows = [&](const std::vector<LabelledText>& items) {
    std::vector<TokenRow> list;
    for (const LabelledText& item : items) {
      list.push_back(bert.tokenizer->encode(item.text));
    }
    return list;
  };
  DataSplit<TokenRow> texts{rows(data.train), rows(data.held_out)};
  return std::make_unique<MaskedWordTask>(std::move(bert), settings.data, std::move(texts));
}

std::unique_ptr<Task> masked_text(const Settings& settings, const fs::path& checkpoint) {
  const Text text = read_texts({settings.data});
  BertModel bert = model_for(settings, checkpoint, text);
  const Corpus corpus(text, *bert.tokenizer);
  const auto row = [&](Split split) {
    const std::span<const std::int32_t> tokens = corpus.tokens(split);
    return std::vector<TokenRow>{{tokens.begin(), tokens.end()}};
  };
  DataSplit<TokenRow> texts{row(Split::kTrain), row(Split::kVal)};
  return std::make_unique<MaskedWordTask>(std::move(bert), corpus.name(), std::move(texts));
}

/// A recipe for masked words of the fables: about a minute on two cores.
void bert_defaults(Settings& s) {
  // Rotary positions distinguish words before a masked word from words after it. ALiBi does not: it
  // gives both the same bias, so that its loss stays above a guess from the two neighbours' counts.
  // With BERT's own learned positions and norms after each part (--position learned --norm_place
  // post), the model needs many more steps before it uses the neighbours at all. Dropout is 0.1 as
  // in BERT: it changes little here, but without it, labels are learned less well from the
  // pretrained model.
  s.model.activation = Activation::kGeluErf;
  s.model.position = Position::kRotary;
  s.model.n_positions = 48;
  s.recipe.batch_size = 32;
  s.recipe.max_iters = 2000;
  s.recipe.schedule = {.rate = 3e-3, .floor = 3e-4, .warmup = 50, .decay = 2000};
}

/// A recipe for labelling with a pretrained BERT.
TrainOptions label_recipe() {
  TrainOptions recipe;
  recipe.batch_size = 25;
  recipe.max_iters = 300;
  recipe.schedule = {.rate = 1e-3, .floor = 1e-4, .warmup = 30, .decay = 300};
  recipe.adamw = {.beta1 = 0.9, .beta2 = 0.98, .weight_decay = 0.01};
  recipe.eval_interval = 100;
  recipe.eval_iters = 10;
  return recipe;
}

/// The model of a checkpoint, with an adapter if one is trained.
BertModel model_to_label(const Settings& settings, const fs::path& checkpoint) {
  if (settings.lora > 0 && holds_adapter(checkpoint)) return load_adapted_bert(checkpoint);
  BertModel bert = load_bert(checkpoint);
  if (settings.lora > 0) {
    adapt(bert, {checkpoint, {settings.lora, settings.lora_alpha}}, settings.recipe.seed);
  }
  return bert;
}

/// The labels of the settings' data, for a checkpoint's model with other labels or without labels.
std::unique_ptr<Task> label_task(const Settings& settings, const fs::path& checkpoint) {
  const LabelledSet set = labelled_set(settings.data, {});
  DataSplit<LabelledText> data = divided(settings.data, set);
  limit(data.train, settings.examples);
  BertModel bert = model_to_label(settings, checkpoint);
  note_unknown_words(*bert.tokenizer, texts_of(data), settings.data);
  return std::make_unique<BertLabelTask>(std::move(bert), settings.data, set.labels,
                                         std::move(data), settings.recipe.seed);
}

/// Masked words or, if the checkpoint's model has labels, more training on these labels.
std::unique_ptr<Task> bert_task(const Settings& settings, const fs::path& checkpoint) {
  if (!checkpoint.empty() && load_bert_config(checkpoint).n_labels > 0) {
    return label_task(settings, checkpoint);
  }
  check(settings.examples == 0,
        "--examples: has no effect on masked words, which use the whole text (leave it out)");
  return is_sentences(settings.data) ? masked_sentences(settings, checkpoint)
                                     : masked_text(settings, checkpoint);
}

void take_sizes_of_bert(Settings& settings, const fs::path& checkpoint) {
  const BertConfig config = load_bert_config(checkpoint);
  take_layer_options(settings, config.layer, config.n_layer);
}

}  // namespace

TaskKind bert_kind() {
  return {.model = ModelKind::kBert,
          .sets = {"fables", "tales", "sentiment", "topics"},
          .defaults = bert_defaults,
          .take_sizes = take_sizes_of_bert,
          .make = bert_task,
          .teaching_recipe = label_recipe,
          .teach = label_task};
}

}  // namespace gradus
