/// @file
/// A Bert in a folder, in Hugging Face's format.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nn/files/adapter_files.h"
#include "nn/models/bert.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// A Bert with its tokenizer and, if it has a classifier, the names of its labels.
struct BertModel {
  Bert model;                                  ///< its vocab_size is SpecialTokens::vocab_size
  std::shared_ptr<const Tokenizer> tokenizer;  ///< the tokenizer for its texts
  std::vector<std::string> labels = {};        ///< one per output of the classifier
  bool fills_masks = true;                     ///< whether its head for masked words was trained
  std::optional<Adapter> adapter =
      {};  ///< trained and saved in place of the model, if there is one
};

/// Freezes the model of the folder `adapter.base`, and gives its encoder low-rank pairs to train:
/// see add_lora(). The pooler and the classifier are trained whole.
/// @throws std::invalid_argument as add_lora() does.
void adapt(BertModel& bert, const Adapter& adapter, std::uint64_t seed);
/// Reads an adapter's folder to train it further: its base with the pairs beside the weights,
/// whereas load_bert() merges them.
/// @throws std::runtime_error as load_bert() does.
BertModel load_adapted_bert(const std::filesystem::path& folder);

/// Writes a Bert, or an adapter with the names of the labels, into a folder. Tensors have the names
/// and layout of Hugging Face's BertForPreTraining: if is_transposed_in_bert() is true for a
/// weight, it is stored as [out, in].
/// @throws std::runtime_error naming the file and the system's reason.
void save_bert(const std::filesystem::path& folder, const BertModel& bert);

/// Reads a Bert from a checkpoint folder or from a folder of Hugging Face's. The latter may hold a
/// BertModel, BertForMaskedLM, BertForPreTraining or BertForSequenceClassification, with current
/// names or the names of 2018 (LayerNorm.gamma and beta), with or without the prefix "bert.". The
/// head for pairs is ignored. A decoder must be tied to the embedding. Rows of the embedding that
/// no token uses are dropped. A missing pooler is initialised at random. An adapter is merged with
/// its base.
/// @throws std::runtime_error naming the file and the missing or wrong part.
BertModel load_bert(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
