#include "nn/generate/inference_session.h"

#include <algorithm>
#include <numeric>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;
namespace {

/// The logits after the last of the tokens [B, T]: [B, V].
Tensor last_logits(const Gpt& model, const IndexTensor& tokens, std::span<BlockCache> caches) {
  const Tensor features = slice(model.features(tokens, caches), 1, -1);  // [B, 1, C]
  return model.logits(reshape(features, {tokens.size(0), -1}));
}

/// The columns of a [B, S], then the columns of b [B, T]; b if a is undefined.
IndexTensor joined(const IndexTensor& a, const IndexTensor& b) {
  if (!a.defined()) {
    return b;
  }
  IndexTensor all(Shape{a.size(0), a.size(1) + b.size(1)});
  std::int32_t* to = all.mutable_data();
  for (Index row = 0; row < a.size(0); ++row) {
    to = std::copy_n(a.data() + row * a.size(1), a.size(1), to);
    to = std::copy_n(b.data() + row * b.size(1), b.size(1), to);
  }
  return all;
}

}  // namespace

Index window_after_slide(Index n_positions) { return n_positions - n_positions / 4; }

InferenceSession::InferenceSession(const Gpt& model, Index batch_size) : model_(&model) {
  check(batch_size >= 1, "inference session: needs a batch of at least 1 row, got ", batch_size);
  for (int layer = 0; layer < model.config.n_layer; ++layer) {
    caches_.emplace_back(model.config, batch_size);
  }
}

Tensor InferenceSession::step(const IndexTensor& tokens) {
  check(tokens.rank() == 2 && tokens.size(0) == batch_size() && tokens.size(1) >= 1,
        "inference session: needs tokens [B, T] of its ", batch_size(), " rows, got ",
        tokens.shape());
  for (Index i = 0; i < tokens.size(); ++i) {  // check all tokens before reading any
    const std::int32_t token = tokens.data()[i];
    check(token >= 0 && token < model_->config.vocab_size, "inference session: token ", token,
          " at [", i / tokens.size(1), ", ", i % tokens.size(1),
          "] is outside the model's vocabulary of ", model_->config.vocab_size);
  }
  const RotaryOptions& rotary = model_->config.rotary;
  if (rotary.scaling == RotaryScaling::kDynamic) {
    const IndexTensor all = joined(read_, tokens);
    check(all.size(1) <= model_->config.n_positions, "inference session: has room for ",
          model_->config.n_positions, " tokens, got ", all.size(1));
    if (length() > 0 && rotary.changes_at(all.size(1))) {
      clear();
      return step(all);
    }
    read_ = all;
  }
  if (!caches_.front().attention.keys.sole_owner()) {  // a copy of this session shares the memory
    IndexTensor all(Shape{batch_size()});
    std::iota(all.mutable_data(), all.mutable_data() + all.size(), 0);
    *this = of_rows(all);
  }
  const NoGrad no_grad;
  const Index count = tokens.size(1);
  if (batch_size() == 1 || count == 1) {
    return last_logits(*model_, tokens, caches_);
  }
  // Read many tokens row by row: batching does not speed up products this tall, and the products
  // could round differently in a batch.
  Tensor logits(Shape{batch_size(), model_->config.vocab_size});
  std::vector<BlockCache> of_row(caches_.size());
  for (Index row = 0; row < batch_size(); ++row) {
    std::ranges::transform(caches_, of_row.begin(),
                           [&](const BlockCache& cache) { return cache.of_row(row); });
    const IndexTensor own({1, count}, {tokens.data() + row * count, static_cast<size_t>(count)});
    const Tensor own_logits = last_logits(*model_, own, of_row);
    std::ranges::copy(own_logits, logits.mutable_data() + row * own_logits.size());
  }
  for (BlockCache& cache : caches_) {
    cache.attention.length += count;
  }
  return logits;
}

void InferenceSession::clear() {
  read_ = IndexTensor();
  for (BlockCache& cache : caches_) {
    cache.clear();
  }
}

InferenceSession InferenceSession::of_rows(const IndexTensor& rows) const {
  check(rows.size() >= 1, "inference session: needs a batch of at least 1 row, got 0");
  for (const std::int32_t row : rows) {
    check(row >= 0 && row < batch_size(), "inference session: rows must be in [0, ", batch_size(),
          "), got ", row);
  }
  InferenceSession chosen = *this;
  for (BlockCache& cache : chosen.caches_) {
    cache = cache.of_rows(rows);
  }
  if (read_.defined()) {
    chosen.read_ = IndexTensor(Shape{rows.size(), read_.size(1)});
    std::int32_t* to = chosen.read_.mutable_data();
    for (const std::int32_t row : rows) {
      to = std::copy_n(read_.data() + row * read_.size(1), read_.size(1), to);
    }
  }
  return chosen;
}

}  // namespace gradus
