/// @file
/// GPTs that learn to answer prompts.

#include "nn/examples/prompts.h"

#include <algorithm>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "cli/program/unknown_words.h"
#include "cli/tasks/examples.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/recipes.h"
#include "nn/data/corpus.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/data/split.h"
#include "nn/files/gpt_files.h"
#include "nn/tasks/preference_task.h"
#include "nn/tasks/prompt_task.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// The built-in sets, and the number of prompts in each.
struct PromptSet {
  const char* name;
  std::vector<Prompt> (*make)(std::size_t count, std::uint64_t seed);
  std::size_t count;
};
constexpr PromptSet kSets[] = {{"prompts", mixed_prompts, 9000},
                               {"tweets", tweet_prompts, 3000},
                               {"french", french_prompts, 3000},
                               {"summaries", summary_prompts, 6000},
                               {"reports", report_prompts, 6000}};

/// All prompts and answers.
std::vector<std::string> texts_of(const DataSplit<Prompt>& data) {
  std::vector<std::string> texts;
  for (const auto& part : {data.train, data.held_out}) {
    for (const Prompt& prompt : part) {
      texts.push_back(prompt.prompt);
      texts.push_back(prompt.answer);
    }
  }
  return texts;
}

/// Prompts from lines `prompt TAB answer`, with a blank between prompt and answer if there is none.
std::vector<Prompt> read_prompts(const std::string& file) {
  std::vector<Prompt> prompts;
  for (const SentencePair& pair : read_pairs(file)) {
    for (const std::string& answer : pair.targets) {
      prompts.push_back({pair.source, parted_answer(pair.source, answer), ""});
    }
  }
  return prompts;
}

std::vector<Prompt> prompts_of(const std::string& name) {
  const auto set = std::ranges::find_if(kSets, [&](const PromptSet& s) { return name == s.name; });
  return set != std::end(kSets) ? set->make(set->count, kDataSeed) : read_prompts(name);
}

/// Checks the vocabulary, because a model cannot write words that its vocabulary lacks.
void check_answers(const Tokenizer& tokenizer, const std::string& name,
                   const std::vector<Prompt>& prompts) {
  std::vector<std::string> unknown;
  std::size_t answers = 0;
  for (const Prompt& prompt : prompts) {
    const std::size_t before = unknown.size();
    std::ranges::move(tokenizer.unknown_words(prompt.answer), std::back_inserter(unknown));
    answers += unknown.size() > before;
  }
  check(10 * answers <= prompts.size(), name, ": ", answers, " of ", prompts.size(),
        " answers contain words that are not in the vocabulary: ", listed(unknown),
        "; the model would learn to write <unk> (train a new one on these prompts: '",
        program_name(), " train --model gpt ", shell_flag("--data", name), "')");
}

/// Rotary positions and token shifts find the words to copy.
void prompts_defaults(Settings& s) {
  s = fast_defaults();
  s.has_prompts = true;
  s.tokenizer = "word";
  s.out_dir = "out-prompts";
  s.recipe.batch_size = 32;
  s.recipe.max_iters = 1000;
  s.recipe.schedule = {.rate = 3e-3, .floor = 3e-4, .warmup = 50, .decay = 1000};
  s.recipe.adamw.weight_decay = 0.1;
  s.recipe.grad_clip = 1;
  s.recipe.eval_interval = 250;
  s.recipe.eval_iters = 10;
}

/// The model of a checkpoint, with an adapter if one is trained.
PromptModel model_to_teach(const Settings& settings, const fs::path& checkpoint) {
  if (settings.lora > 0 && holds_adapter(checkpoint)) return load_adapted_prompt_model(checkpoint);
  PromptModel model = load_prompt_model(checkpoint);
  if (settings.lora > 0) {
    adapt(model, {checkpoint, {settings.lora, settings.lora_alpha}}, settings.recipe.seed);
  }
  return model;
}

/// The preferences that settings.data names, or a file has, for the model of a checkpoint.
std::unique_ptr<Task> preference_task(const Settings& settings, const fs::path& checkpoint,
                                      bool is_taught) {
  constexpr std::size_t kPairs = 3000;
  const std::string& name = settings.data;
  check(!checkpoint.empty(), shell_flag("--data", name),
        ": needs a trained model (use gradus finetune)");
  DataSplit<Preference> data = divided(
      name, name == kPreferences ? quality_preferences(kPairs, kDataSeed) : read_preferences(name),
      &Preference::prompt, "prompt TAB better TAB worse");
  limit(data.train, settings.examples);
  PreferenceModel model{model_to_teach(settings, checkpoint)};
  std::vector<std::string> texts;
  for (const auto& part : {data.train, data.held_out}) {
    for (const auto& [prompt, better, worse] : part) {
      texts.insert(texts.end(), {prompt, better, worse});
    }
  }
  note_unknown_words(*model.tokenizer, texts, name);
  if (!is_taught) model = with_reference(std::move(model), checkpoint);
  return std::make_unique<PreferenceTask>(std::move(model), name, std::move(data),
                                          beta_of(settings));
}

/// A GPT on the prompts of settings.data (built-in sets or a file): a new GPT if `checkpoint` is
/// empty, otherwise that folder's GPT. The tokenizer of that GPT must have a token for a new line.
/// If it `is_taught` these prompts with `gradus finetune`, the tokenizer must also have the words
/// of most answers.
std::unique_ptr<Task> prompts_task_of(const Settings& settings, const fs::path& checkpoint,
                                      bool is_taught) {
  if (beta_of(settings) > 0) return preference_task(settings, checkpoint, is_taught);
  const std::string& name = settings.data;
  DataSplit<Prompt> data = divided(name, prompts_of(name), &Prompt::prompt, "prompt TAB answer");
  limit(data.train, settings.examples);
  if (!checkpoint.empty()) {
    PromptModel model = model_to_teach(settings, checkpoint);
    if (is_taught) {
      check_answers(*model.tokenizer, name, data.train);
    }
    note_unknown_words(*model.tokenizer, texts_of(data), name);
    return std::make_unique<PromptTask>(std::move(model), name, std::move(data),
                                        settings.loss_on_prompt);
  }
  check(settings.tokenizer != "wordpiece",
        "--tokenizer=wordpiece: only for BERT, as it drops parts of the text (choose char, byte, "
        "bpe or word)");
  std::string lines;
  for (const Prompt& prompt : data.train) {
    lines += prompt.prompt + prompt.answer + kAnswerEnd;
  }
  Text text;
  text.append(name, lines);
  return std::make_unique<PromptTask>(
      make_prompt_model(learn_tokenizer(settings.tokenizer, text, settings.vocab_size),
                        settings.model, settings.recipe.seed),
      name, std::move(data), settings.loss_on_prompt);
}

std::unique_ptr<Task> prompts_task(const Settings& settings, const fs::path& checkpoint) {
  return prompts_task_of(settings, checkpoint, false);
}

std::unique_ptr<Task> teach_prompts(const Settings& settings, const fs::path& checkpoint) {
  check(settings.data != "sentiment" && settings.data != "topics", "--data=", settings.data,
        ": has texts with labels, for a BERT; ", checkpoint.string(),
        " is a GPT (choose prompts, tweets, french, summaries, reports, preferences or a file of "
        "lines "
        "`prompt TAB answer`)");
  return prompts_task_of(settings, checkpoint, true);
}

TrainOptions prompts_recipe() { return defaults_of(ModelKind::kGpt).recipe; }

void take_sizes_of_gpt(Settings& settings, const fs::path& checkpoint) {
  settings.model = load_gpt_config(checkpoint);
}

}  // namespace

TaskKind prompts_kind() {
  TaskKind kind = {.model = ModelKind::kGpt,
                   .sets = {},
                   .defaults = prompts_defaults,
                   .take_sizes = take_sizes_of_gpt,
                   .make = prompts_task,
                   .teaching_recipe = prompts_recipe,
                   .teach = teach_prompts};
  for (const PromptSet& set : kSets) kind.sets.emplace_back(set.name);
  kind.sets.emplace_back(kPreferences);
  return kind;
}

}  // namespace gradus
