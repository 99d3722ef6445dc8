/// @file
/// A Gpt trained to answer prompts: by supervised fine-tuning, or from scratch.
#pragma once

#include <memory>
#include <optional>

#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/files/adapter_files.h"
#include "nn/models/gpt.h"
#include "nn/tasks/examples_task.h"
#include "nn/tasks/rows.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// Ends an answer. It is a character of text, not a special token, so that the checkpoint is an
/// ordinary GPT's, which `gradus sample` and other programs read. Answers have one line.
inline constexpr const char* kAnswerEnd = "\n";

/// A Gpt with its tokenizer; both have the same vocabulary.
struct PromptModel {
  Gpt model;                                   ///< generates answers
  std::shared_ptr<const Tokenizer> tokenizer;  ///< has a token for kAnswerEnd
  std::optional<Adapter> adapter =
      {};  ///< trained and saved in place of the model, if there is one
};

/// An untrained GPT for answering prompts. Sets the config's vocab_size to the tokenizer's.
/// @throws std::invalid_argument if the config is invalid or the tokenizer has no kAnswerEnd.
PromptModel make_prompt_model(std::shared_ptr<const Tokenizer> tokenizer, GptConfig config,
                              std::uint64_t seed);

/// Reads the checkpoint folder of any GPT: a model to fine-tune, or one that was trained on
/// prompts.
/// @throws std::runtime_error naming the file and the missing or wrong part.
PromptModel load_prompt_model(const std::filesystem::path& folder);
/// Freezes the model of the folder `adapter.base`, and gives it low-rank pairs to train: see
/// add_lora().
/// @throws std::invalid_argument as add_lora() does.
void adapt(PromptModel& model, const Adapter& adapter, std::uint64_t seed);
/// Reads an adapter's folder to train it further: its base with the pairs beside the weights,
/// whereas load_prompt_model() merges them.
/// @throws std::runtime_error as load_prompt_model() does.
PromptModel load_adapted_prompt_model(const std::filesystem::path& folder);

/// Writes a GPT with its tokenizer, or an adapter, into a folder, as load_prompt_model() reads it.
/// @throws std::runtime_error naming the file and the system's reason.
void save_model(const std::filesystem::path& folder, const PromptModel& model);

/// The token of kAnswerEnd.
/// @throws std::invalid_argument if the tokenizer has none.
std::int32_t answer_end(const Tokenizer& tokenizer);

/// A prompt with an answer, as a model reads them.
struct PromptRow {
  TokenRow tokens;     ///< prompt, answer, end
  std::size_t prompt;  ///< how many of them belong to the prompt
};
/// The tokens of a prompt with an answer and `end`, the answer_end() of the model's tokenizer.
/// @throws std::invalid_argument naming a text that is too long, empty, or that the tokenizer
/// cannot express, or an answer that contains kAnswerEnd.
PromptRow prompt_row(const PromptModel& model, const std::string& prompt, const std::string& answer,
                     std::int32_t end);

/// The most probable answers, token by token up to kAnswerEnd, which is not included. An answer
/// that does not end is cut off where the model's window is full.
/// @throws std::invalid_argument naming a prompt that is empty, too long, or that the tokenizer
/// cannot express.
std::vector<std::string> answers(const PromptModel& model, const std::vector<std::string>& prompts);

/// Trains a Gpt to continue each prompt with its answer and an end (Radford and others, "Improving
/// language understanding by generative pre-training", 2018; as prompts: GPT-2, 2019).
///
/// A row is prompt, answer and kAnswerEnd, padded on the right. The loss is the mean over the
/// tokens of answers and ends. Tokens of prompts are no targets, unless `loss_on_prompt`. The
/// padding is never attended to, because attention is causal, and never a target.
/// @code
/// const auto tokenizer = std::make_shared<CharTokenizer>(CharTokenizer::learn("\n =ab"));
/// const GptConfig sizes{.n_positions = 8, .n_layer = 1, .n_head = 2, .n_embd = 16, .dropout = 0};
/// PromptTask task(make_prompt_model(tokenizer, sizes, 1), "letters",
///                 {{{"a=", " a", "x"}, {"b=", " b", "x"}}, {{"a=", " a", "x"}}});
/// Trainer(task, {.max_iters = 150, .schedule = {.rate = 0.03}, .eval_iters = 1}, "").run({});
/// answers(task.model(), {"a=", "b="});  // [" a", " b"]
/// @endcode
class PromptTask final : public ExamplesTask<PromptModel> {
 public:
  /// @param name of the data set, shown to the user.
  /// @throws std::invalid_argument naming a prompt that is too long for the model, is empty, or
  /// whose answer contains kAnswerEnd; or if there are no prompts to train on or none held out.
  PromptTask(PromptModel model, std::string name, DataSplit<Prompt> data,
             bool loss_on_prompt = false);

  MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                        const RowRange& rows) override;
  Index tokens_in(int batch_size) const override;
  /// Exact match of the most probable answers to up to 200 held-out prompts, over all, and then by
  /// task if there are several.
  std::vector<Score> scores() override;
  double scoring_examples() const override;
  std::string describe() const override;
  /// The first held-out prompts of each task, with the model's answers.
  std::string demonstrate() override;

  /// scores() on all held-out prompts.
  std::vector<Score> scores_of_all(int width) override;

 private:
  std::vector<PromptRow> encode(const std::vector<Prompt>& prompts) const;
  std::vector<Score> scored(std::size_t count) const;

  DataSplit<Prompt> data_;
  bool loss_on_prompt_;
  std::int32_t end_;
  std::vector<PromptRow> train_, held_out_;
  double mean_tokens_ = 0;  // tokens per row
};

/// @}

}  // namespace gradus
