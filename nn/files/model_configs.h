/// @file
/// The kinds of models, and the config.json of every kind except GPT: BERTs, classifiers, vision
/// transformers, translators.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "nn/models/bert.h"
#include "nn/models/classifier.h"
#include "nn/models/transformer.h"
#include "nn/models/vision_transformer.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// The kinds of models in checkpoint folders.
enum class ModelKind {
  kGpt,         ///< Gpt
  kBert,        ///< Bert
  kClassifier,  ///< SequenceClassifier
  kTranslator,  ///< Transformer
  kVision,      ///< VisionTransformer
};
/// The names of the values in flags.
constexpr std::array<const char*, 5> names_of(ModelKind) {
  return {"gpt", "bert", "classifier", "translator", "vit"};
}

/// Returns the kind of model in the folder's `config.json`.
/// @throws std::runtime_error naming the file and the missing or wrong part.
ModelKind kind_of_checkpoint(const std::filesystem::path& folder);

/// Writes `config.json`: the sizes and parts of the model and, for models with labels, their names.
/// @throws std::runtime_error naming the file and the system's reason.
void save_config(const std::filesystem::path& folder, const TransformerConfig& config);
/// The same for a Bert whose padding is the token `pad`. If its parts are BERT's, Hugging Face's
/// keys are written too. Otherwise `model_type` is `gradus-bert`, so that no program mistakes the
/// model for a BERT.
void save_config(const std::filesystem::path& folder, const BertConfig& config,
                 const std::vector<std::string>& labels, std::int32_t pad);
/// The same for a SequenceClassifier.
void save_config(const std::filesystem::path& folder, const ClassifierConfig& config,
                 const std::vector<std::string>& labels);
/// The same for a VisionTransformer.
void save_config(const std::filesystem::path& folder, const VisionConfig& config,
                 const std::vector<std::string>& labels);

/// Reads the config of a Transformer. The sizes are checked before anything is allocated.
/// @throws std::runtime_error naming the file and the missing or wrong part.
TransformerConfig load_transformer_config(const std::filesystem::path& folder);
/// The same for a Bert, whose config may also be Hugging Face's. From such a config,
/// hidden_dropout_prob is also used as attention_probs_dropout_prob, and only a
/// BertForSequenceClassification has labels.
/// @throws std::runtime_error naming the file and the error, such as an unknown hidden_act.
BertConfig load_bert_config(const std::filesystem::path& folder);
/// The same for a SequenceClassifier.
ClassifierConfig load_classifier_config(const std::filesystem::path& folder);
/// The same for a VisionTransformer.
VisionConfig load_vision_config(const std::filesystem::path& folder);

/// Checks that the vocabulary of a folder's model consists of the tokenizer's tokens and the
/// SpecialTokens.
/// @throws std::runtime_error naming both files.
void check_vocabulary(const std::filesystem::path& folder, Index vocab_size,
                      const Tokenizer& tokenizer);

/// Returns the names of the labels in order; empty if the model has no labels.
/// @throws std::runtime_error naming the file and the error.
std::vector<std::string> load_labels(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
