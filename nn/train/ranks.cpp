#include "nn/train/ranks.h"

#include <algorithm>
#include <chrono>

#include "autograd/check.h"
#include "nn/mode.h"

namespace gradus {
using namespace detail;

int rank_that_differs(Ranks& ranks, std::uint64_t number) {
  // As two numbers that a double holds exactly, from each rank in places of its own.
  std::vector<double> all(2 * static_cast<std::size_t>(ranks.size()));
  const auto own = all.begin() + 2 * ranks.rank();
  own[0] = static_cast<double>(number >> 32);
  own[1] = static_cast<double>(number & 0xffffffff);
  ranks.sum(all);
  for (std::size_t i = 2; i < all.size(); i += 2) {
    if (all[i] != all[0] || all[i + 1] != all[1]) return static_cast<int>(i / 2);
  }
  return 0;
}

StepShare share_of_step(const TrainOptions& options, const Ranks& ranks) {
  const int batches = options.gradient_accumulation_steps, rows = options.batch_size;
  const int size = ranks.size(), rank = ranks.rank();
  if (batches % size == 0) {
    const int own = batches / size;
    return {.first_batch = rank * own, .batches = own, .rows = {0, rows}};
  }
  check(rows % size == 0, "train: the number of ranks, ", size, ", must divide the ", rows,
        " rows of a batch or the ", batches, batches == 1 ? " batch" : " batches",
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

std::vector<RankTimes> times_of_ranks(Ranks& ranks, const Profile& profile) {
  const auto in_steps = [&](std::chrono::nanoseconds time) {
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, profile.rounds()));
    return std::chrono::duration<double, std::milli>(time).count() / steps;
  };
  const auto of = [&](const char* mark) {
    const auto found = profile.entries().find({ProfilePart::kOutside, mark});
    return found == profile.entries().end() ? 0 : in_steps(found->second.time);
  };
  // Three numbers for each rank, where the others add zeros.
  std::vector<double> all(3 * static_cast<std::size_t>(ranks.size()));
  const auto own = all.begin() + 3 * ranks.rank();
  own[0] = in_steps(profile.time());
  own[1] = of(kWaitingForRanks);
  own[2] = of(kSumOverRanks);
  ranks.sum(all);
  std::vector<RankTimes> times;
  for (std::size_t i = 0; i < all.size(); i += 3) {
    times.push_back({all[i] - all[i + 1] - all[i + 2], all[i + 1], all[i + 2]});
  }
  return times;
}

}  // namespace gradus
