/// @file
/// A Bert in a folder, as Hugging Face's programs write and read it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "nn/models/bert.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// A Bert with its tokenizer, and the names of its labels if it was trained on some.
struct BertModel {
  Bert model;                                  ///< of SpecialTokens::vocab_size words
  std::shared_ptr<const Tokenizer> tokenizer;  ///< of its texts
  std::vector<std::string> labels = {};        ///< one per output of the classifier
  bool fills_masks = true;  ///< whether its head for masked words was ever trained
};

/// Writes a Bert into a folder. Tensors have the names and layout of Hugging Face's
/// BertForPreTraining: weights for which is_transposed_in_bert() is true are [out, in] there.
/// @throws std::runtime_error naming the file and the system's reason.
void save_bert(const std::filesystem::path& folder, const BertModel& bert);

/// Reads a Bert from a checkpoint folder, or from one of Hugging Face's with any of BERT's heads:
/// BertModel, BertForMaskedLM, BertForPreTraining or BertForSequenceClassification, with current
/// names or those of 2018 (LayerNorm.gamma and beta), with or without the prefix "bert.". The head
/// for pairs is ignored, a decoder must be tied to the embedding, rows of the embedding that no
/// token uses are dropped, and a missing pooler is initialised at random.
/// @throws std::runtime_error naming the file and what is missing or wrong.
BertModel load_bert(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
