#include "nn/mode.h"

#include <stdexcept>
#include <utility>

#include "autograd/ops/dropout.h"

namespace gradus {
namespace {

thread_local Training* current = nullptr;

// The trainer uses the smaller numbers of a step to draw batches; dropout begins here. Each batch
// of a step has 2^20 draws, of which each part of the batch has 2^12.
constexpr std::uint32_t kFirstPlace = 1u << 16, kPlacesOfBatch = 1u << 20, kPlacesOfPart = 1u << 12;
static_assert(Training::kMostParts * kPlacesOfPart <= kPlacesOfBatch);

}  // namespace

Training::Training(std::uint64_t seed, std::uint32_t step, std::uint32_t batch, std::uint32_t part)
    : outer_(std::exchange(current, this)),
      next_{seed, step, kFirstPlace + batch * kPlacesOfBatch + part * kPlacesOfPart} {}

Training::~Training() { current = outer_; }

bool Training::active() { return current != nullptr; }

RandomKey Training::next_key() {
  if (current == nullptr) {
    throw std::logic_error(
        "Training: next_key() needs a Training object on this thread (create one first)");
  }
  const RandomKey key = current->next_;
  ++current->next_.place;
  return key;
}

Tensor dropout_in_training(const Tensor& x, Scalar p) {
  detail::check_dropout("dropout", p);
  return Training::active() && p > 0 ? dropout(x, p, Training::next_key()) : x;
}

}  // namespace gradus
