#include "nn/tasks/prompt_task.h"

#include <algorithm>
#include <map>

#include "autograd/check.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"
#include "nn/data/scores.h"
#include "nn/files/gpt_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/generate/sampler.h"
#include "nn/text/utf8.h"
#include "nn/text/word_tokenizer.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kScoredAnswers = 200;  // held-out prompts, after each evaluation
constexpr double kAnswering = 2;  // the cost of answering a prompt, in prompts read; measured

/// The tokens of a prompt, after the begin token if the tokenizer's rules have one.
TokenRow encoded_prompt(const Tokenizer& tokenizer, const std::string& prompt, Index most) {
  const Index begin = std::ssize(with_begin(tokenizer, {}));
  TokenRow tokens = encoded(tokenizer, prompt, most - begin);
  check(!tokens.empty(), "prompts: a prompt is empty (write at least one word)");
  return with_begin(tokenizer, std::move(tokens));
}

bool has_end(const std::string& answer) { return answer.find(kAnswerEnd) != std::string::npos; }

/// The different tasks in the order of their names, with how many of the first `count` prompts each
/// has.
std::map<std::string, std::size_t> tasks_of(const std::vector<Prompt>& prompts, std::size_t count) {
  std::map<std::string, std::size_t> tasks;
  for (std::size_t i = 0; i < std::min(count, prompts.size()); ++i) {
    ++tasks[prompts[i].task];
  }
  return tasks;
}

}  // namespace

PromptModel make_prompt_model(std::shared_ptr<const Tokenizer> tokenizer, GptConfig config,
                              std::uint64_t seed) {
  answer_end(*tokenizer);  // checks
  config.vocab_size = tokenizer->vocab_size();
  return {Gpt(config, seed), std::move(tokenizer)};
}

PromptModel load_prompt_model(const std::filesystem::path& folder) {
  Checkpoint checkpoint = load_checkpoint(folder);
  return {std::move(checkpoint.model), std::move(checkpoint.tokenizer)};
}

void adapt(PromptModel& model, const Adapter& adapter, std::uint64_t seed) {
  KeySequence keys(seed);
  add_lora(model.model, adapter.lora, keys);
  model.adapter = with_digest(adapter);
}

PromptModel load_adapted_prompt_model(const std::filesystem::path& folder) {
  const Adapter adapter = load_adapter(folder);
  PromptModel model = load_prompt_model(adapter.base);
  adapt(model, adapter, 0);
  load_pairs(folder, model.model, adapter);
  return model;
}

void save_model(const std::filesystem::path& folder, const PromptModel& model) {
  if (model.adapter) {
    save_pairs(folder, model.model, *model.adapter);
    return;
  }
  save_gpt(folder, model.model);
  save_tokenizer(*model.tokenizer, folder);
}

std::int32_t answer_end(const Tokenizer& tokenizer) {
  TokenRow tokens;
  try {
    tokens = tokenizer.encode_continuation(kAnswerEnd);
  } catch (const TextError&) {
    // Then there are none.
  }
  check(tokens.size() == 1 && tokenizer.piece(tokens[0]) == kAnswerEnd, "prompts: the ",
        tokenizer.name(),
        " tokenizer has no token for a new line, which ends an answer (train it on texts with "
        "several lines)");
  return tokens[0];
}

PromptRow prompt_row(const PromptModel& model, const std::string& prompt, const std::string& answer,
                     std::int32_t end) {
  const Tokenizer& tokenizer = *model.tokenizer;
  const Index most = model.model.config.n_positions;
  check(!has_end(answer), excerpt(answer),
        ": must be one line, as a new line ends an answer (write it on one line)");
  // Encoded separately: at inference the prompt comes without its answer.
  PromptRow row;
  check(!prompt.empty(), "prompts: ", excerpt(answer), " has no prompt (write at least one word)");
  row.tokens = encoded_prompt(tokenizer, prompt, most);
  row.prompt = row.tokens.size();
  const TokenRow rest = encoded(tokenizer, answer, most, true);
  row.tokens.insert(row.tokens.end(), rest.begin(), rest.end());
  if (std::ssize(row.tokens) > most) {
    throw TextRefused(prompt, text("must have at most ", most, " tokens with its answer, got ",
                                   row.tokens.size(), " (choose a larger --block_size)"));
  }
  row.tokens.push_back(end);
  return row;
}

std::vector<std::string> answers(const PromptModel& model,
                                 const std::vector<std::string>& prompts) {
  const std::int32_t end = answer_end(*model.tokenizer);
  const Index window = model.model.config.n_positions;
  const SampleOptions greedy{.temperature = 0, .top_k = 0};
  std::vector<std::string> written;
  for (const std::string& prompt : prompts) {
    const TokenRow given = encoded_prompt(*model.tokenizer, prompt, window);
    TokenRow tokens = generate(model.model, given, window - std::ssize(given) + 1, greedy, {},
                               [&](std::int32_t token) { return token != end; });
    if (tokens.back() == end) {
      tokens.pop_back();
    }
    written.push_back(model.tokenizer->decode_continuation(tokens));
  }
  return written;
}

PromptTask::PromptTask(PromptModel model, std::string name, DataSplit<Prompt> data,
                       bool loss_on_prompt)
    : ExamplesTask(std::move(model), std::move(name)),
      data_(std::move(data)),
      loss_on_prompt_(loss_on_prompt),
      end_(answer_end(*model_.tokenizer)),
      train_(encode(data_.train)),
      held_out_(encode(data_.held_out)) {
  check(!train_.empty() && !held_out_.empty(), "prompts: needs training and held-out prompts, got ",
        train_.size(), " and ", held_out_.size());
  for (const PromptRow& row : train_) {
    mean_tokens_ += static_cast<double>(row.tokens.size());
  }
  mean_tokens_ /= static_cast<double>(train_.size());
}

std::vector<PromptRow> PromptTask::encode(const std::vector<Prompt>& prompts) const {
  std::vector<PromptRow> rows;
  for (const Prompt& prompt : prompts) {
    rows.push_back(prompt_row(model_, prompt.prompt, prompt.answer, end_));
  }
  return rows;
}

MeanLoss PromptTask::loss_of_rows(Split split, int batch_size, const RandomKey& key,
                                  const RowRange& part) {
  const std::vector<PromptRow>& rows = split == Split::kVal ? held_out_ : train_;
  std::vector<TokenRow> inputs, targets;
  for (const std::size_t i : rows_of(sample_indices(key, batch_size, rows.size()), part)) {
    const auto& [tokens, prompt] = rows[i];
    inputs.emplace_back(tokens.begin(), tokens.end() - 1);
    targets.emplace_back(tokens.begin() + 1, tokens.end());
    if (!loss_on_prompt_) {
      std::fill_n(targets.back().begin(), prompt - 1, kIgnoreIndex);
    }
  }
  profile_mark("batch");
  const IndexTensor wanted = padded(targets, kIgnoreIndex);
  return {model_.model.loss(padded(inputs, end_), wanted), targets_in(wanted)};
}

Index PromptTask::tokens_in(int batch_size) const {
  return static_cast<Index>(mean_tokens_ * batch_size);
}

std::vector<Score> PromptTask::scores() { return scored(kScoredAnswers); }

double PromptTask::scoring_examples() const {
  return kAnswering * static_cast<double>(std::min(kScoredAnswers, data_.held_out.size()));
}

std::vector<Score> PromptTask::scores_of_all(int) { return scored(data_.held_out.size()); }

std::vector<Score> PromptTask::scored(std::size_t count) const {
  const std::map<std::string, std::size_t> tasks = tasks_of(data_.held_out, count);
  std::vector<std::string> prompts;
  for (const Prompt& prompt : first_of(data_.held_out, count)) {
    prompts.push_back(prompt.prompt);
  }
  const std::vector<std::string> written = answers(model_, prompts);
  std::map<std::string, std::size_t> right;
  std::size_t all = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const bool is_right = written[i] == data_.held_out[i].answer;
    right[data_.held_out[i].task] += is_right;
    all += is_right;
  }
  const auto share = [](std::size_t part, std::size_t of) {
    return static_cast<double>(part) / static_cast<double>(of);
  };
  std::vector<Score> scores = {{"exact match", share(all, written.size())}};
  for (const auto& [task, of] : tasks) {
    if (tasks.size() > 1) {
      scores.push_back({task, share(right[task], of)});
    }
  }
  return scores;
}

std::string PromptTask::describe() const {
  return counted_as("prompts", train_.size(), held_out_.size());
}

std::string PromptTask::demonstrate() {
  const std::size_t most = tasks_of(data_.held_out, data_.held_out.size()).size() > 1 ? 2 : 6;
  std::map<std::string, std::size_t> seen;
  std::vector<std::string> prompts, right;
  for (const Prompt& prompt : data_.held_out) {
    if (++seen[prompt.task] <= most) {
      prompts.push_back(prompt.prompt);
      right.push_back(prompt.answer);
    }
  }
  const std::vector<std::string> written = answers(model_, prompts);
  std::string lines;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    lines += shown_answer(prompts[i], written[i], right[i]);
  }
  return lines;
}

}  // namespace gradus
