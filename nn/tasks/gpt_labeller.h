/// @file
/// A Gpt with what it needs to label texts.
#pragma once

#include <filesystem>
#include <memory>

#include "nn/models/gpt_classifier.h"
#include "nn/tasks/rows.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A classifier with its tokenizer, whose vocabulary is the Gpt's, and the names of its labels.
struct GptLabeller {
  GptClassifier model;                         ///< logits of labels
  std::shared_ptr<const Tokenizer> tokenizer;  ///< of the texts
  std::vector<std::string> labels;             ///< the name of each
};

/// Puts a new head for these labels on a pre-trained GPT's checkpoint.
/// @throws std::runtime_error naming the file and what is missing or wrong.
GptLabeller make_gpt_labeller(const std::filesystem::path& pretrained,
                              std::vector<std::string> labels, std::uint64_t seed);

/// Reads what save_labeller() wrote.
/// @throws std::runtime_error naming the file and what is missing or wrong.
GptLabeller load_gpt_labeller(const std::filesystem::path& folder);

/// The tokens of a text.
/// @throws std::invalid_argument naming a text that is empty, too long, or that the tokenizer
/// cannot express.
TokenRow row_of(const GptLabeller& labeller, const std::string& text);
/// Logits of the labels [B, n_labels].
Tensor logits_of(const GptLabeller& labeller, const std::vector<TokenRow>& rows);
/// Writes what load_gpt_labeller() reads.
/// @throws std::runtime_error naming the file and the system's reason.
void save_labeller(const std::filesystem::path& folder, const GptLabeller& labeller);

/// @}

}  // namespace gradus
