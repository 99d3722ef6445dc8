#include "nn/train/ranks.h"

#include <stdexcept>

#include "autograd/check.h"
#include "nn/training.h"

namespace gradus {
using namespace detail;

MeanLoss Task::loss_of_rows(Split, int, const RandomKey&, const RowRange&) {
  throw std::logic_error("train: this task cannot divide a batch among several ranks");
}

StepShare share_of_step(const TrainOptions& options, const Ranks& ranks) {
  const int batches = options.gradient_accumulation_steps, rows = options.batch_size;
  const int size = ranks.size(), rank = ranks.rank();
  if (batches % size == 0) {
    const int own = batches / size;
    return {.first_batch = rank * own, .batches = own, .rows = {0, rows}};
  }
  check(rows % size == 0, "train: ", size, " ranks can share neither the ", rows,
        " rows of a batch nor the ", batches, batches == 1 ? " batch" : " batches",
        " of a step (choose --batch_size=", (rows / size + 1) * size,
        " or --gradient_accumulation_steps=", (batches / size + 1) * size,
        ", or another number of ", "ranks)");
  check(size <= static_cast<int>(Training::kMostParts), "train: ", size,
        " ranks are too many to share the rows of a batch, at most ", Training::kMostParts,
        " (choose --gradient_accumulation_steps=", size, ")");
  const int own = rows / size;
  return {
      .first_batch = 0, .batches = batches, .rows = {rank * own, own}, .has_whole_batches = false};
}

}  // namespace gradus
