/// @file
/// A GPT that is trained on a text.
#pragma once

#include "autograd/index_tensor.h"
#include "nn/data/batches.h"
#include "nn/models/gpt.h"
#include "nn/text/tokenizer.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// Predicts each next token in blocks drawn from a corpus. The references must outlive the task.
/// @code
/// const Text text = read_text({"tales"});
/// const ByteTokenizer tokenizer;
/// const Corpus corpus(text, tokenizer);
/// Gpt model({.vocab_size = 256, .n_positions = 8, .n_layer = 1, .n_head = 2, .n_embd = 16});
/// GptTask task(model, corpus, tokenizer);
/// task.tokens_in(4);                                         // 32
/// std::round(task.loss(Split::kTrain, 4, {1, 0, 0}).item());  // 6
/// @endcode
class GptTask final : public Task {
 public:
  /// @throws std::invalid_argument if the corpus is too short for a block, or the tokenizer and the
  /// model have different vocabularies.
  GptTask(Gpt& model, const Corpus& corpus, const Tokenizer& tokenizer);

  std::vector<NamedTensor> parameters() override;
  Tensor loss(Split split, int batch_size, const RandomKey& key) override;
  MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                        const RowRange& rows) override;
  std::int64_t held_out_batches(int batch_size) const override;
  MeanLoss held_out_loss(std::int64_t i, int batch_size) override;
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
