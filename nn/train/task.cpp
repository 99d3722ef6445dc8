#include "nn/train/task.h"

#include <stdexcept>

namespace gradus {

MeanLoss Task::loss_of_rows(Split, int, const RandomKey&, const RowRange&) {
  throw std::logic_error("train: this task cannot divide a batch among several ranks");
}

MeanLoss Task::held_out_loss(std::int64_t, int) {
  throw std::logic_error("train: this task cannot evaluate the whole held-out set");
}

}  // namespace gradus
