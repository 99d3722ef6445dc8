#include "nn/train/exact_loss.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "nn/data/batches.h"

namespace gradus {
using namespace detail;

std::int64_t exact_batches(std::size_t tokens, Index n_positions, int batch_size) {
  const auto predictions = static_cast<std::int64_t>(tokens) - 1, time = n_positions;
  const std::int64_t full = predictions / time;
  return (full + batch_size - 1) / batch_size + (predictions % time > 0 ? 1 : 0);
}

MeanLoss exact_batch_loss(const Gpt& model, std::span<const std::int32_t> tokens, int batch_size,
                          std::int64_t i) {
  const Blocks blocks(tokens, static_cast<int>(model.config.n_positions));
  const auto size = static_cast<std::size_t>(batch_size),
             first = static_cast<std::size_t>(i) * size;
  const bool is_full = first < blocks.full();
  const Blocks::Rows rows =
      is_full ? blocks.rows(first, std::min(size, blocks.full() - first)) : blocks.rest();
  const auto count = static_cast<Index>(rows.inputs.size());
  const Index time = is_full ? model.config.n_positions : count;
  const Shape shape{count / time, time};
  return {model.loss(IndexTensor(shape, rows.inputs), IndexTensor(shape, rows.targets)),
          static_cast<double>(count)};
}

ExactLoss exact_loss(const Gpt& model, std::span<const std::int32_t> tokens, int batch_size,
                     const std::function<void(double share_done)>& progress) {
  check(tokens.size() >= 2, "eval: needs at least two tokens, got ", tokens.size());
  check(batch_size >= 1, "eval: --batch_size must be at least 1, got ", batch_size);
  const NoGrad no_grad;
  const auto predictions = static_cast<double>(tokens.size() - 1);
  const std::int64_t batches = exact_batches(tokens.size(), model.config.n_positions, batch_size);
  double sum = 0, done = 0;
  for (std::int64_t i = 0; i < batches; ++i) {
    const MeanLoss batch = exact_batch_loss(model, tokens, batch_size, i);
    sum += batch.predictions * static_cast<double>(batch.mean.item());
    done += batch.predictions;
    if (progress) {
      progress(done / predictions);
    }
  }
  if (!std::isfinite(sum)) {
    throw std::runtime_error(text("eval: the loss is ", std::isnan(sum) ? "NaN" : "infinite",
                                  ": the weights are too large (train the model again)"));
  }
  return {static_cast<std::int64_t>(tokens.size()) - 1, sum / predictions};
}

}  // namespace gradus
