#include "nn/training.h"

#include <stdexcept>
#include <utility>

#include "autograd/ops/dropout.h"

namespace gradus {
namespace {

thread_local Training* current = nullptr;

// Smaller numbers within a step are the trainer's, for batches; dropout begins here.
constexpr std::uint32_t kFirstPlace = 1u << 16;

}  // namespace

Training::Training(std::uint64_t seed, std::uint32_t step)
    : outer_(std::exchange(current, this)), next_{seed, step, kFirstPlace} {}

Training::~Training() { current = outer_; }

bool Training::active() { return current != nullptr; }

RandomKey Training::next_key() {
  if (current == nullptr) {
    throw std::logic_error("Training: no scope on this thread");
  }
  const RandomKey key = current->next_;
  ++current->next_.place;
  return key;
}

Tensor dropout_in_training(const Tensor& x, Scalar p) {
  return Training::active() && p > 0 ? dropout(x, p, Training::next_key()) : x;
}

}  // namespace gradus
