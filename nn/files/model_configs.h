/// @file
/// The config.json of every kind of model but GPT, and the kinds themselves: BERTs, classifiers,
/// vision transformers, translators.
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

/// The models that a checkpoint folder may hold.
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

/// The kind of model that the folder's `config.json` describes.
/// @throws std::runtime_error naming the file and what is missing or wrong.
ModelKind kind_of_checkpoint(const std::filesystem::path& folder);

/// Writes `config.json`: the sizes and parts of the model, and the names of its labels, if any.
/// @throws std::runtime_error naming the file and the system's reason.
void save_config(const std::filesystem::path& folder, const TransformerConfig& config);
/// The same for a Bert, whose padding is this token. If its parts are BERT's, Hugging Face's keys
/// are there too; if not, `model_type` is `gradus-bert`, so that no program mistakes it for a BERT.
void save_config(const std::filesystem::path& folder, const BertConfig& config,
                 const std::vector<std::string>& labels, std::int32_t pad);
/// The same for a SequenceClassifier.
void save_config(const std::filesystem::path& folder, const ClassifierConfig& config,
                 const std::vector<std::string>& labels);
/// The same for a VisionTransformer.
void save_config(const std::filesystem::path& folder, const VisionConfig& config,
                 const std::vector<std::string>& labels);

/// Reads the config of a Transformer; the sizes are checked before anything is allocated.
/// @throws std::runtime_error naming the file and what is missing or wrong.
TransformerConfig load_transformer_config(const std::filesystem::path& folder);
/// The same for a Bert, or from a config of Hugging Face's. There, hidden_dropout_prob is also used
/// for attention_probs_dropout_prob; labels are those of a BertForSequenceClassification.
/// @throws std::runtime_error naming the file and what is wrong, such as another hidden_act.
BertConfig load_bert_config(const std::filesystem::path& folder);
/// The same for a SequenceClassifier.
ClassifierConfig load_classifier_config(const std::filesystem::path& folder);
/// The same for a VisionTransformer.
VisionConfig load_vision_config(const std::filesystem::path& folder);

/// Checks that a folder's tokenizer has the vocabulary of its model: its own tokens and the
/// SpecialTokens.
/// @throws std::runtime_error naming both files if not.
void check_vocabulary(const std::filesystem::path& folder, Index vocab_size,
                      const Tokenizer& tokenizer);

/// The names of the labels, in order; none if the model has none.
/// @throws std::runtime_error naming the file and what is wrong.
std::vector<std::string> load_labels(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
