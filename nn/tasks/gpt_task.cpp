#include "nn/tasks/gpt_task.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"
#include "autograd/inspect/profile.h"
#include "nn/files/gpt_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/train/exact_loss.h"

namespace gradus {
using namespace detail;

GptTask::GptTask(Gpt& model, const Corpus& corpus, const Tokenizer& tokenizer)
    : model_(model), corpus_(corpus), tokenizer_(tokenizer) {
  const Index block = model.config.n_positions;
  check(block <= std::numeric_limits<int>::max(), "train: --block_size is too large, got ", block);
  check(tokenizer.vocab_size() == model.config.vocab_size, "train: the tokenizer has ",
        tokenizer.vocab_size(), " tokens, but the model a vocabulary of ", model.config.vocab_size);
  corpus.require_blocks(static_cast<int>(block));
}

std::vector<NamedTensor> GptTask::parameters() { return gradus::parameters(model_); }

Tensor GptTask::loss(Split split, int batch_size, const RandomKey& key) {
  return loss_of_rows(split, batch_size, key, {0, batch_size}).mean;
}

MeanLoss GptTask::loss_of_rows(Split split, int batch_size, const RandomKey& key,
                               const RowRange& part) {
  const Index time = model_.config.n_positions;
  const Shape shape{part.count, time};
  // The graph of an earlier loss may still need its inputs.
  if (!inputs_.sole_owner() || !targets_.sole_owner() || inputs_.shape() != shape) {
    inputs_ = IndexTensor(shape);
    targets_ = IndexTensor(shape);
  }
  random_batch(corpus_.tokens(split), batch_size, static_cast<int>(time), key, batch_);
  std::copy_n(batch_.inputs.begin() + part.first * time, shape.size(), inputs_.mutable_data());
  std::copy_n(batch_.targets.begin() + part.first * time, shape.size(), targets_.mutable_data());
  profile_mark("batch");
  return {model_.loss(inputs_, targets_), static_cast<double>(shape.size())};
}

std::int64_t GptTask::held_out_batches(int batch_size) const {
  return exact_batches(corpus_.tokens(Split::kVal).size(), model_.config.n_positions, batch_size);
}

MeanLoss GptTask::held_out_loss(std::int64_t i, int batch_size) {
  return exact_batch_loss(model_, corpus_.tokens(Split::kVal), batch_size, i);
}

Index GptTask::tokens_in(int batch_size) const { return batch_size * model_.config.n_positions; }

void GptTask::save(const std::filesystem::path& folder) {
  save_gpt(folder, model_);
  save_tokenizer(tokenizer_, folder);
}

}  // namespace gradus
