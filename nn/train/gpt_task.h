/// @file
/// A GPT that is trained on a text.
#pragma once

#include "autograd/index_tensor.h"
#include "nn/data/batches.h"
#include "nn/models/gpt.h"
#include "nn/text/tokenizer.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup train
/// @{

/// Predicts each next token in blocks drawn from a corpus. The references must outlive the task.
class GptTask final : public Task {
 public:
  /// @throws std::invalid_argument if the corpus is too short for a block, or the tokenizer and the
  /// model have different vocabularies.
  GptTask(Gpt& model, const Corpus& corpus, const Tokenizer& tokenizer);

  std::vector<NamedTensor> parameters() override;
  Tensor loss(Split split, int batch_size, const RandomKey& key) override;
  Index tokens_in(int batch_size) const override;
  void save(const std::filesystem::path& folder) override;

 private:
  Gpt& model_;
  const Corpus& corpus_;
  const Tokenizer& tokenizer_;
  Batch batch_;
  IndexTensor inputs_;
  IndexTensor targets_;
};

/// @}

}  // namespace gradus
