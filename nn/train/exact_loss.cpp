#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "nn/data/batches.h"
#include "nn/train/trainer.h"

namespace gradus {
using namespace detail;
namespace {

/// The sum of the losses of these predictions, in blocks of `time`.
double loss_sum(const Gpt& model, const Blocks::Rows& rows, Index time) {
  const auto count = static_cast<Index>(rows.inputs.size());
  const Shape shape{count / time, time};
  const Tensor mean = model.loss(IndexTensor(shape, rows.inputs), IndexTensor(shape, rows.targets));
  return static_cast<double>(mean.item()) * static_cast<double>(count);
}

}  // namespace

ExactLoss exact_loss(const Gpt& model, std::span<const std::int32_t> tokens, int batch_size,
                     const std::function<void(double share_done)>& progress) {
  check(tokens.size() >= 2, "eval: needs at least two tokens, got ", tokens.size());
  check(batch_size >= 1, "eval: --batch_size must be at least 1, got ", batch_size);
  const NoGrad no_grad;
  const Index time = model.config.n_positions;
  const Blocks blocks(tokens, static_cast<int>(time));
  const auto predictions = static_cast<double>(blocks.predictions());
  double sum = 0;
  double done = 0;
  const auto add = [&](const Blocks::Rows& rows, Index length) {
    if (rows.inputs.empty()) {
      return;
    }
    sum += loss_sum(model, rows, length);
    done += static_cast<double>(rows.inputs.size());
    if (progress) {
      progress(done / predictions);
    }
  };
  const auto step = static_cast<std::size_t>(batch_size);
  for (std::size_t first = 0; first < blocks.full(); first += step) {
    add(blocks.rows(first, std::min(step, blocks.full() - first)), time);
  }
  const Blocks::Rows rest = blocks.rest();
  add(rest, static_cast<Index>(rest.inputs.size()));
  if (!std::isfinite(sum)) {
    throw std::runtime_error(text("eval: the loss is ", std::isnan(sum) ? "NaN" : "infinite",
                                  ": the weights are too large (train the model again)"));
  }
  return {static_cast<std::int64_t>(blocks.predictions()), sum / predictions};
}

}  // namespace gradus
