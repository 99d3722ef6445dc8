/// @file
/// Where a program's time goes, by op.
///
/// Time is taken at marks: when an op has its result, the time since the last mark is
/// added to it. So each op reads the clock once, and no time is lost: what happens between two
/// ops, such as freeing, is added to the later one. Left out on purpose: a tree of calls. An op
/// that is composed of ops shows as those, and ops that compute a gradient show as the backward of
/// the op whose gradient it is.
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

/// What the time before a mark was for.
enum class ProfilePart {
  kForward,   ///< computing an op's result
  kBackward,  ///< computing the gradients of an op's inputs
  kOutside    ///< anything else, such as the optimiser
};

/// What a Profile has added up under one name.
struct ProfileEntry {
  std::uint64_t calls = 0;           ///< marks
  std::chrono::nanoseconds time{0};  ///< that they took
  std::uint64_t flops = 0;           ///< 2 m n k for each matrix product [m, k] [k, n]
  /// The size of the arrays that were handed over, each argument and each result once: forward, the
  /// inputs and the output; backward, the gradient given and those returned. Nothing where both
  /// share their elements, as in a reshape. What an op saved, or reads twice, is not in it.
  std::uint64_t bytes = 0;
  std::uint64_t system_blocks = 0;  ///< that the thread's allocator had to ask the system for

  /// Adds those of another.
  ProfileEntry& operator+=(const ProfileEntry& other);
};

/// Adds up the marks of all rounds that a ProfileScope opens on it.
///
/// It sees the ops of the thread that the scope is on; but matrix products are counted on all
/// threads, so that two threads that compute at the same time see each other's.
/// @code
/// Profile profile;
/// { const ProfileScope round(profile); backward(model.loss(tokens, tokens)); }
/// profile.entries().at({ProfilePart::kForward, "linear"}).calls;
/// @endcode
class Profile : detail::Observer {
 public:
  /// Part and name; names outlive the profile.
  using Key = std::pair<ProfilePart, std::string_view>;

  /// What was found. Sums of gradients that meet at one tensor are the backward of "accumulate",
  /// sorting the graph is that of "graph". What came after a round's last mark is outside, "rest".
  const std::map<Key, ProfileEntry>& entries() const { return entries_; }
  /// How many rounds have ended.
  std::int64_t rounds() const { return rounds_; }
  /// The time from start to end of all rounds: the sum of all entries' time.
  std::chrono::nanoseconds time() const { return time_; }

  /// Sets a mark: see profile_mark(), which finds the profile.
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

/// One round of a profile, a training step for example: what this thread does while it exists.
class ProfileScope {
 public:
  /// Opens a round.
  [[nodiscard]] explicit ProfileScope(Profile& profile) : ProfileScope(&profile) {}
  /// The same, or nothing for nullptr.
  [[nodiscard]] explicit ProfileScope(Profile* profile);
  ~ProfileScope();

 private:
  Profile* profile_;
  detail::ValueScope<detail::Observer*> observer_;
};

/// Sets a mark in the profile that is open on this thread: the time since the last mark goes to
/// `name`, which must outlive the profile. Does nothing if none is open.
void profile_mark(const char* name, ProfilePart part = ProfilePart::kOutside,
                  std::uint64_t bytes = 0);

/// @}

}  // namespace gradus
