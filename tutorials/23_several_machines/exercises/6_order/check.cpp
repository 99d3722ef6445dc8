#include "tutorials/common/check.h"

#include "pocket/ranks.h"
#include "tutorials/23_several_machines/checking.h"

using namespace course;
using namespace pocket;
using gradus::green, gradus::red;

namespace {

void ask(const std::string& what, int size, std::size_t count,
         const std::function<Numbers(int)>& begin) {
  const Ended ended =
      after(size, begin, [](Ranks& ranks, Numbers& numbers) { sum_in_order(ranks, numbers); });
  const std::vector<Numbers> of = of_ranks(size, begin);
  Numbers right = of[0];
  for (int r = 1; r < size; ++r) {
    for (std::size_t i = 0; i < count; ++i) right[i] += of[r][i];
  }
  for (int r = 0; r < size; ++r) {
    const Numbers& got = ended.numbers[r];
    if (got == right) continue;
    std::size_t first = count, wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (got[i] == right[i]) continue;
      first = std::min(first, i), ++wrong;
    }
    red(what, ", rank ", r, ": ", wrong, " numbers are wrong; number ", first, ": got ", got[first],
        ", expected ", right[first], gradus::likely("add rank 0's number, rank 1's, and so on"));
  }
  green(what);
}

Numbers mixed(std::size_t count, int rank) {  // sizes so different that the order shows
  Numbers numbers = drawn(count, rank, 1);
  const Scalar scales[] = {1e8, 1, 1e-4, 1e4, 3e7};
  for (std::size_t i = 0; i < count; ++i) numbers[i] *= scales[(std::size_t(rank) * 7 + i) % 5];
  return numbers;
}

}  // namespace

CHECK_ANSWER() {
  for (const int size : {2, 3, 4, 5, 1}) {
    const std::size_t count = 1000;  // enough that no two ways agree in all
    const std::string ranks = size == 1 ? "one rank" : std::to_string(size) + " ranks";
    ask(ranks + ", numbers of very different sizes", size, count,
        [&](int rank) { return mixed(count, rank); });
    ask(ranks + ", numbers of one size", size, count,
        [&](int rank) { return drawn(count, rank, 1); });
  }
  ask("1e8, 1 and -1e8", 3, 9, [](int rank) {
    const Scalar own[] = {1e8, 1, -1e8};
    return Numbers(9, own[rank]);
  });
  ask("fewer numbers than ranks", 4, 3, [](int rank) { return mixed(3, rank); });
  Dice dice;
  for (int i = 0; i < 10; ++i) {
    const int size = dice.from(2, 9);
    const auto count = std::size_t(dice.from(100, 400));
    ask("by chance: " + ranks_and_numbers(size, count), size, count,
        [&](int rank) { return mixed(count, rank); });
  }
  ask("a hundred thousand numbers", 3, 100000, [](int rank) { return mixed(100000, rank); });
}
