/// @file
/// Measures how much of a program's time each op takes.
///
/// Time is measured at marks: when an op has its result, the time since the last mark is added to
/// that op. So each op reads the clock once, and no time is lost: time between two ops, such as
/// freeing memory, is added to the later op. Left out on purpose: a tree of calls. A composed op
/// appears as the ops that it consists of. Ops that compute a gradient appear as the backward pass
/// of the op whose gradient they compute.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "autograd/graph.h"

namespace gradus {

/// @addtogroup inspection
/// @{

/// The kind of work before a mark.
enum class ProfilePart {
  kForward,   ///< computing an op's result
  kBackward,  ///< computing the gradients of an op's inputs
  kOutside    ///< anything else, such as the optimiser
};

/// The sums of a Profile under one name.
struct ProfileEntry {
  std::uint64_t calls = 0;           ///< the number of marks
  std::chrono::nanoseconds time{0};  ///< time until these marks
  std::uint64_t flops = 0;           ///< 2 m n k for each matrix product [m, k] [k, n]
  /// The size of the arguments and results, each counted once: forward, the inputs and the output;
  /// backward, the given gradient and the returned gradients. It is 0 where both share their
  /// elements, as in a reshape. Tensors that an op saved, and repeated reads, are not counted.
  std::uint64_t bytes = 0;
  std::uint64_t system_blocks = 0;  ///< blocks that the thread's allocator took from the system

  /// Adds the sums of another entry.
  ProfileEntry& operator+=(const ProfileEntry& other);
};

/// Adds up the marks of all rounds. Each ProfileScope on the profile is a round.
///
/// It records the ops of the scope's thread. But matrix products are counted on all threads: if two
/// threads compute at the same time, each also counts the other's products.
/// @code
/// Profile profile;
/// { const ProfileScope round(profile); backward(model.loss(tokens, tokens)); }
/// profile.entries().at({ProfilePart::kForward, "linear"}).calls;
/// @endcode
class Profile : detail::Observer {
 public:
  /// Part and name; names must outlive the profile.
  using Key = std::pair<ProfilePart, std::string_view>;

  /// The entries so far. Adding up gradients that arrive at the same tensor is the backward part of
  /// "accumulate", and sorting the graph is the backward part of "graph". Time after a round's last
  /// mark is the outside part of "rest".
  const std::map<Key, ProfileEntry>& entries() const { return entries_; }
  /// The number of rounds that have ended.
  std::int64_t rounds() const { return rounds_; }
  /// The time from start to end of all rounds: the sum of all entries' time.
  std::chrono::nanoseconds time() const { return time_; }

  /// Sets a mark. profile_mark() calls it for the profile that is open.
  void mark(const char* name, ProfilePart part, std::uint64_t bytes);

 private:
  friend class ProfileScope;
  friend void profile_mark(const char* name, ProfilePart part, std::uint64_t bytes);
  using Clock = std::chrono::steady_clock;

  void forward(const char* op, std::span<const Tensor> inputs, const Tensor& y) override;
  void backward(const char* op, const Tensor& dy, std::span<const Tensor> gradients) override;
  void begin_round();
  void end_round();

  std::map<Key, ProfileEntry> entries_;
  std::int64_t rounds_ = 0;
  std::chrono::nanoseconds time_{0};
  Clock::time_point round_start_;
  Clock::time_point mark_;
  std::uint64_t flops_before_ = 0;
  std::uint64_t blocks_before_ = 0;
};

/// One round of a profile, for example a training step: the work of this thread while one of these
/// exists.
class ProfileScope {
 public:
  /// Opens a round.
  [[nodiscard]] explicit ProfileScope(Profile& profile) : ProfileScope(&profile) {}
  /// The same; does nothing for nullptr.
  [[nodiscard]] explicit ProfileScope(Profile* profile);
  ~ProfileScope();

 private:
  Profile* profile_;
  detail::ValueScope<detail::Observer*> observer_;
};

/// Sets a mark in the profile that is open on this thread: the time since the last mark is added to
/// `name`, which must outlive the profile. Does nothing if no profile is open.
void profile_mark(const char* name, ProfilePart part = ProfilePart::kOutside,
                  std::uint64_t bytes = 0);

/// @}

}  // namespace gradus
