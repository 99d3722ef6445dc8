#include "cli/tasks/prompt_tasks.h"

#include <algorithm>

#include "autograd/check.h"
#include "cli/program/unknown_words.h"
#include "cli/tasks/task_data.h"
#include "nn/data/corpus.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/data/split.h"
#include "nn/examples/prompts.h"
#include "nn/tasks/prompt_task.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// The built-in sets, and how many prompts are made of each.
struct PromptSet {
  const char* name;
  std::vector<Prompt> (*make)(std::size_t count, std::uint64_t seed);
  std::size_t count;
};
constexpr PromptSet kSets[] = {{"prompts", mixed_prompts, 9000},
                               {"tweets", tweet_prompts, 3000},
                               {"french", french_prompts, 3000},
                               {"summaries", summary_prompts, 6000}};

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

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r'; }

/// Prompts of lines `prompt TAB answer`, with a blank between the two where there is none.
std::vector<Prompt> read_prompts(const std::string& file) {
  std::vector<Prompt> prompts;
  for (const SentencePair& pair : read_pairs(file)) {
    for (const std::string& answer : pair.targets) {
      const bool parted = is_space(pair.source.back()) || is_space(answer.front());
      prompts.push_back({pair.source, (parted ? "" : " ") + answer, ""});
    }
  }
  return prompts;
}

std::vector<Prompt> prompts_of(const std::string& name) {
  const auto set = std::ranges::find_if(kSets, [&](const PromptSet& s) { return name == s.name; });
  return set != std::end(kSets) ? set->make(set->count, kDataSeed) : read_prompts(name);
}

/// A model cannot learn to write what its vocabulary does not hold.
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
        " answers hold words that the vocabulary does not, ", listed(unknown),
        ", for which the model would learn to write <unk> (train one on these prompts: '",
        program_name(), " train --model gpt ", shell_flag("--data", name), "')");
}

}  // namespace

bool is_prompt_set(const std::string& data) {
  return std::ranges::any_of(kSets, [&](const PromptSet& set) { return data == set.name; });
}

std::unique_ptr<Task> make_prompt_task(const Settings& settings, const fs::path& checkpoint,
                                       bool is_taught) {
  const std::string name = settings.data.empty() ? kSets[0].name : settings.data;
  DataSplit<Prompt> data = divided(name, prompts_of(name), &Prompt::prompt, "prompt TAB answer");
  limit(data.train, settings.examples);
  if (!checkpoint.empty()) {
    PromptModel model = load_prompt_model(checkpoint);
    if (is_taught) {
      check_answers(*model.tokenizer, name, data.train);
    }
    note_unknown_words(*model.tokenizer, texts_of(data), name);
    return std::make_unique<PromptTask>(std::move(model), name, std::move(data),
                                        settings.loss_on_prompt);
  }
  check(settings.tokenizer != "wordpiece",
        "--tokenizer=wordpiece: is for BERT, and drops what a GPT is to write (choose char, byte, "
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

}  // namespace gradus
