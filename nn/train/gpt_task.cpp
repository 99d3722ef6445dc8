#include "nn/train/gpt_task.h"

#include <algorithm>
#include <limits>

#include "autograd/check.h"
#include "autograd/inspect/profile.h"
#include "nn/train/checkpoint.h"

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
  const Shape shape{batch_size, model_.config.n_positions};
  // The graph of an earlier loss may still need its inputs.
  if (!inputs_.sole_owner() || !targets_.sole_owner() || inputs_.shape() != shape) {
    inputs_ = IndexTensor(shape);
    targets_ = IndexTensor(shape);
  }
  random_batch(corpus_.tokens(split), batch_size, static_cast<int>(shape[1]), key, batch_);
  std::ranges::copy(batch_.inputs, inputs_.mutable_data());
  std::ranges::copy(batch_.targets, targets_.mutable_data());
  profile_mark("batch");
  return model_.loss(inputs_, targets_);
}

Index GptTask::tokens_in(int batch_size) const { return batch_size * model_.config.n_positions; }

void GptTask::save(const std::filesystem::path& folder) {
  save_model(folder, model_);
  save_tokenizer(tokenizer_, folder);
}

}  // namespace gradus
