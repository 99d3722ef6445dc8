#include "tutorials/common/check.h"

#include "pocket/ranks.h"
#include "tutorials/23_several_machines/checking.h"

using namespace course;
using namespace pocket;
using gradus::green;
using gradus::red;

namespace {

void ask(const std::string& what, int size, std::size_t count,
         const std::function<Numbers(int)>& begin) {
  const Ended ended =
      after(size, begin, [](Ranks& ranks, Numbers& numbers) { sum_in_order(ranks, numbers); });
  std::vector<Numbers> of;
  for (int r = 0; r < size; ++r) of.push_back(begin(r));
  Numbers right = of[0], backwards = of[size - 1];
  std::vector<double> exact(of[0].begin(), of[0].end());
  for (int r = 1; r < size; ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      right[i] += of[r][i], backwards[i] += of[size - 1 - r][i], exact[i] += double{of[r][i]};
    }
  }
  const Numbers in_double(exact.begin(), exact.end());
  // Each rank p adds to its part the numbers of ranks from `first` on; it begins as begin(p, i).
  const auto by_parts = [&](int first, bool with_own, const auto& begin) {
    Numbers sum(count);
    for (int p = 0; p < size; ++p) {
      for (std::size_t i = count * p / size; i < count * (p + 1) / size; ++i) {
        sum[i] = begin(p, i);
        for (int r = first; r < size; ++r) {
          if (with_own || r != p) sum[i] += of[r][i];
        }
      }
    }
    return sum;
  };
  const auto on_own = [&](int p, std::size_t i) { return of[p][i]; };
  const auto on_first = [&](int, std::size_t i) { return of[0][i]; };
  const auto on_zero = [](int, std::size_t) { return Scalar(0); };
  for (int r = 0; r < size; ++r) {
    const Numbers& got = ended.numbers[r];
    if (got == right) continue;
    std::string cause = "add rank 0's number, rank 1's, and so on";
    if (got == backwards) cause = "begin with rank 0";
    if (got == in_double) cause = "add in Scalar, not in double";
    if (got == by_parts(0, true, on_own) || got == by_parts(1, true, on_own))
      cause = "own still holds your own number when you begin";
    if (got == by_parts(1, false, on_first) || got == by_parts(0, false, on_zero))
      cause = "your own number is missing";
    if (got == by_parts(0, false, on_own))
      cause = "you begin with your own number: begin with rank 0's, so that all ranks add alike";
    std::size_t i = 0;
    while (got[i] == right[i]) ++i;
    const double times = double{got[i]} * size, expected = right[i];
    if (size > 1 && std::abs(times - expected) <= 1e-6 * std::abs(expected))
      cause = "this is the mean: average divides, not the sum";
    char line[160];
    std::snprintf(line, sizeof line, ", rank %d, number %zu: got %.9g, expected %.9g", r, i,
                  double{got[i]}, double{right[i]});
    red(what + line + "\nlikely cause: " + cause);
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

int main() {
  return gradus::run_check([] {
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
  });
}
