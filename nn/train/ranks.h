/// @file
/// Several processes that train one model, as the Trainer uses them. How they exchange numbers is
/// left to subclasses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "autograd/inspect/profile.h"
#include "autograd/tensor.h"
#include "nn/optim/train_options.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup train
/// @{

/// Adds value(first), value(first + 1) and so on, `count` values: the sum of the first half plus
/// the sum of the rest, each of which is computed in the same way. For five values, this is
/// ((a + b) + c) + (d + e). So the sums of 2, 4, 8 ... equal parts give the sum of all, bit for
/// bit, whichever rank has computed which part. Keeps one sum for each doubling of the count.
/// @param add adds its second argument to its first.
/// @code
/// sum_by_halves(1, 5, [](int i) { return i; }, [](int& a, int b) { a += b; });  // 15
/// @endcode
auto sum_by_halves(int first, int count, const auto& value, const auto& add) {
  if (count == 1) {
    return value(first);
  }
  const int half = (count + 1) / 2;
  auto sum = sum_by_halves(first, half, value, add);
  add(sum, sum_by_halves(first + half, count - half, value, add));
  return sum;
}

/// The processes that train one model together, each with a share of every step's batches: its
/// ranks, numbered from 0. Every rank must call the same functions in the same order. This class is
/// the one rank of a training without others, at no cost.
/// @code
/// Ranks alone;
/// double stop = 1;
/// alone.sum({&stop, 1});
/// stop;  // 1
/// @endcode
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const { return 0; }  ///< the number of this one
  virtual int size() const { return 1; }  ///< how many there are

  /// Replaces the elements of each tensor by the sum over all ranks, which have tensors of the same
  /// shapes, added as sum_by_halves() does, in the order of the ranks.
  virtual void sum(std::span<const Tensor>) {}
  /// Replaces each number by the sum over all ranks, added in their order.
  virtual void sum(std::span<double>) {}
  /// Replaces the bytes with the bytes of rank 0.
  virtual void share(std::string&) {}

  bool is_first() const { return rank() == 0; }  ///< this rank reads, prints and saves
};

/// Returns the first rank whose number differs from the number of rank 0, or 0 if there is none.
int rank_that_differs(Ranks& ranks, std::uint64_t number);

/// The part of a step that one rank computes.
struct StepShare {
  int first_batch = 0;            ///< among the step's batches
  int batches = 1;                ///< how many
  RowRange rows;                  ///< this rank's rows of each batch
  bool has_whole_batches = true;  ///< whether these are all rows
};

/// The shares are whole batches if the number of ranks divides gradient_accumulation_steps, and
/// otherwise rows of every batch.
/// @throws std::invalid_argument if the ranks divide neither the batches nor the rows.
StepShare share_of_step(const TrainOptions& options, const Ranks& ranks);

/// A Trainer's marks in the profile of a rank: until the others were there, and sums with them.
inline constexpr const char* kWaitingForRanks = "waiting for ranks";
inline constexpr const char* kSumOverRanks = "sum over ranks";  ///< see kWaitingForRanks

/// The mean times of a step on one rank, in milliseconds.
struct RankTimes {
  double compute = 0;  ///< without waiting and sums
  double waiting = 0;  ///< until the other ranks were ready for a sum
  double sums = 0;     ///< over ranks
};

/// The times of each rank, in their order, from the profiles that they have of the same steps.
std::vector<RankTimes> times_of_ranks(Ranks& ranks, const Profile& profile);

/// @}

}  // namespace gradus
