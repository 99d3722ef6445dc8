#include "autograd/inspect/profile.h"

#include "autograd/kernels/allocator.h"
#include "autograd/kernels/blas.h"

namespace gradus {
namespace {

std::uint64_t bytes_of(const Tensor& x) {
  return x.defined() ? static_cast<std::uint64_t>(x.size()) * sizeof(Scalar) : 0;
}

/// Whether x and y share their elements in memory, as an op's input and its result may.
bool share_elements(const Tensor& x, const Tensor& y) {
  return x.defined() && y.defined() && x.data() == y.data();
}

}  // namespace

ProfileEntry& ProfileEntry::operator+=(const ProfileEntry& other) {
  calls += other.calls;
  time += other.time;
  flops += other.flops;
  bytes += other.bytes;
  system_blocks += other.system_blocks;
  return *this;
}

void Profile::mark(const char* name, ProfilePart part, std::uint64_t bytes) {
  const Clock::time_point now = Clock::now();
  const std::uint64_t flops = flops_counted();
  const std::uint64_t blocks = allocator_stats().system_allocations;
  entries_[{part, name}] += {.calls = 1,
                             .time = now - std::exchange(mark_, now),
                             .flops = flops - std::exchange(flops_before_, flops),
                             .bytes = bytes,
                             .system_blocks = blocks - std::exchange(blocks_before_, blocks)};
}

void Profile::begin_round() {
  count_flops(true);
  flops_before_ = flops_counted();
  blocks_before_ = allocator_stats().system_allocations;
  round_start_ = mark_ = Clock::now();
}

void Profile::end_round() {
  mark("rest", ProfilePart::kOutside, 0);
  time_ += mark_ - round_start_;
  ++rounds_;
  count_flops(false);
}

void Profile::forward(const char* op, std::span<const Tensor> inputs, const Tensor& y) {
  std::uint64_t bytes = bytes_of(y);
  for (const Tensor& input : inputs) {
    bytes += bytes_of(input);
  }
  const bool is_view =
      std::ranges::any_of(inputs, [&](const Tensor& input) { return share_elements(input, y); });
  mark(op, ProfilePart::kForward, is_view ? 0 : bytes);
}

void Profile::backward(const char* op, const Tensor& dy, std::span<const Tensor> gradients) {
  std::uint64_t bytes = 0;
  for (const Tensor& gradient : gradients) {
    bytes += share_elements(gradient, dy) ? 0 : bytes_of(gradient);
  }
  mark(op, ProfilePart::kBackward, bytes > 0 ? bytes + bytes_of(dy) : 0);
}

ProfileScope::ProfileScope(Profile* profile)
    : profile_(profile), observer_(detail::observer, profile ? profile : detail::observer) {
  if (profile_ != nullptr) profile_->begin_round();
}

ProfileScope::~ProfileScope() {
  if (profile_ != nullptr) profile_->end_round();
}

void profile_mark(const char* name, ProfilePart part, std::uint64_t bytes) {
  if (auto* profile = static_cast<Profile*>(detail::observer)) {  // there is no other observer
    profile->mark(name, part, bytes);
  }
}

}  // namespace gradus
