/// @file
/// A Gpt that learns to answer prompts: supervised fine-tuning, or training from nothing.
#pragma once

#include <memory>

#include "nn/data/prompts.h"
#include "nn/models/gpt.h"
#include "nn/tasks/rows.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// What ends an answer. A text character, and no token of its own, so that the checkpoint is an
/// ordinary GPT's, which `gradus sample` and others read; answers are of one line.
inline constexpr const char* kAnswerEnd = "\n";

/// A Gpt with its tokenizer, whose vocabularies are the same.
struct PromptModel {
  Gpt model;                                   ///< that writes answers
  std::shared_ptr<const Tokenizer> tokenizer;  ///< which has a token for kAnswerEnd
};

/// An untrained GPT that is to answer prompts. The config's vocab_size is the tokenizer's, whatever
/// it says.
/// @throws std::invalid_argument if the config makes no sense or the tokenizer has no kAnswerEnd.
PromptModel make_prompt_model(std::shared_ptr<const Tokenizer> tokenizer, GptConfig config,
                              std::uint64_t seed);

/// Reads a checkpoint folder of any GPT: the model to be fine-tuned, or one that answers already.
/// @throws std::runtime_error naming the file and what is missing or wrong.
PromptModel load_prompt_model(const std::filesystem::path& folder);

/// The likeliest answers, token by token up to kAnswerEnd, which they do not hold. One that does
/// not end is cut off where the model's window is full.
/// @throws std::invalid_argument naming a prompt that is empty, too long, or that the tokenizer
/// cannot express.
std::vector<std::string> answers(const PromptModel& model, const std::vector<std::string>& prompts);

/// Teaches a Gpt to go on with each prompt by its answer and an end (Radford and others, "Improving
/// language understanding by generative pre-training", 2018; as prompts: GPT-2, 2019).
///
/// A row is prompt, answer and kAnswerEnd, filled up on the right. The loss is the mean over the
/// tokens of answers and ends; those of prompts are read and not learnt, unless `loss_on_prompt`.
/// The filling is never looked at, as attention is causal, and never a target.
class PromptTask final : public Task {
 public:
  /// @param name of the data set, shown to the user.
  /// @throws std::invalid_argument naming a prompt that is too long for the model, that is empty,
  /// or whose answer has a kAnswerEnd in it; or if there are none to train on or none held out.
  PromptTask(PromptModel model, std::string name, Divided<Prompt> data,
             bool loss_on_prompt = false);

  std::vector<NamedTensor> parameters() override;
  Tensor loss(Split split, int batch_size, const RandomKey& key) override;
  Index tokens_in(int batch_size) const override;
  /// Exact match of the likeliest answers to up to 200 held-out prompts, of all and then by task if
  /// there are several.
  std::vector<Score> scores() override;
  std::string describe() const override;
  /// The first held-out prompts of each task and what the model answers.
  std::string demonstrate() override;
  void save(const std::filesystem::path& folder) override;

  /// The same as scores() of all held-out prompts.
  std::vector<Score> scores_of_all(int width) override;
  const PromptModel& model() const { return model_; }  ///< what learns

 private:
  struct Row {
    TokenRow tokens;     // prompt, answer, end
    std::size_t prompt;  // how many of them are the prompt's
  };
  std::vector<Row> encode(const std::vector<Prompt>& prompts) const;
  std::vector<Score> scored(std::size_t count) const;

  PromptModel model_;
  std::string name_;
  Divided<Prompt> data_;
  bool loss_on_prompt_;
  std::int32_t end_;
  std::vector<Row> train_, held_out_;
  double mean_tokens_ = 0;  // of a row
};

/// @}

}  // namespace gradus
