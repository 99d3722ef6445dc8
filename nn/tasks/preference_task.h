/// @file
/// A Gpt that learns from preferences: pairs of answers, of which one is better.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/tasks/prompt_task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// The file in a checkpoint of preferences with the log probabilities of the original model.
inline constexpr const char* kReferenceFile = "reference.safetensors";

/// A PromptModel with the log probabilities that the original model gives to the answers.
struct PreferenceModel : PromptModel {
  /// [pairs, 2]: the better and the worse answer of each pair, to train on and then held out;
  /// undefined before a PreferenceTask computes it.
  Tensor reference = {};
};

/// Reads a checkpoint that a PreferenceTask saved, to train it further.
/// @param model the model of that checkpoint.
/// @throws std::runtime_error naming the file and the missing or wrong part.
PreferenceModel with_reference(PromptModel model, const std::filesystem::path& folder);
/// Writes the model as an ordinary GPT or adapter, and kReferenceFile into the same folder.
/// @throws std::runtime_error naming the file and the system's reason.
void save_model(const std::filesystem::path& folder, const PreferenceModel& model);

/// The log probability of each answer, the sum over its tokens and its end: [rows]. `filler` is any
/// token.
Tensor answer_log_probabilities(const Gpt& model, const std::vector<PromptRow>& rows,
                                std::int32_t filler);

/// The loss of direct preference optimisation (Rafailov and others, "Direct preference
/// optimization: your language model is secretly a reward model", 2023): \f[ -\ln
/// \sigma\bigl(\beta\,((\ln p_w - \ln \hat p_w) - (\ln p_l - \ln \hat p_l))\bigr) \f] averaged over
/// pairs, where w is the better answer, l the worse one, and \f$ \hat p \f$ the original model's
/// probability. log_p and reference are [B, 2], better before worse; the result is [].
/// @code
/// preference_loss(tensor({{-4, -6}}), tensor({{-5, -5}}), 0.5);  // ln(1 + 1 / e) = 0.3133
/// @endcode
Tensor preference_loss(const Tensor& log_p, const Tensor& reference, Scalar beta);

/// Trains a Gpt to prefer the better answers, with preference_loss(). Beta is the strength of the
/// tie to the original model. Its log probabilities are computed once, without dropout.
/// @code
/// const auto tokenizer = std::make_shared<CharTokenizer>(CharTokenizer::learn("\n =ab"));
/// const GptConfig sizes{.n_positions = 8, .n_layer = 1, .n_head = 2, .n_embd = 16, .dropout = 0};
/// PreferenceTask task({make_prompt_model(tokenizer, sizes, 1)}, "letters",
///                     {{{"a=", " a", " b"}, {"b=", " b", " a"}}, {{"a=", " a", " b"}}}, 0.1);
/// Trainer(task, {.max_iters = 60, .schedule = {.rate = 0.03}, .eval_iters = 1}, "").run({});
/// task.scores()[0].value;  // 1
/// @endcode
class PreferenceTask final : public ExamplesTask<PreferenceModel> {
 public:
  /// @param name of the data set, shown to the user.
  /// @throws std::invalid_argument naming a text that the model cannot take, or if there are no
  /// pairs to train on or none held out, or beta is not above 0, or the model's reference has
  /// another number of pairs.
  PreferenceTask(PreferenceModel model, std::string name, DataSplit<Preference> data, Scalar beta);

  MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                        const RowRange& rows) override;
  Index tokens_in(int batch_size) const override;
  /// On up to 200 held-out pairs: how often the better answer is more probable than the worse one
  /// (`ranked right`), and how often its probability has grown by a larger factor (`moved right`).
  std::vector<Score> scores() override;
  std::vector<Score> scores_of_all(int width) override;
  double scoring_examples() const override;
  std::string describe() const override;
  /// The mean log probabilities of better and worse answers, at first and now; and the model's
  /// answers to some held-out prompts.
  std::string demonstrate() override;

 private:
  std::vector<PromptRow> encode(const std::vector<Preference>& pairs) const;
  /// The log probabilities [pairs, 2] of these rows, two for each pair, without recording.
  Tensor log_probabilities(std::span<const PromptRow> rows) const;
  /// The rows of the reference for the held-out pairs.
  Tensor held_out_reference(std::size_t pairs) const;
  std::vector<Score> scored(std::size_t pairs) const;

  DataSplit<Preference> data_;
  Scalar beta_;
  std::int32_t end_;
  std::vector<PromptRow> train_, held_out_;  // two for each pair, better before worse
};

/// @}

}  // namespace gradus
