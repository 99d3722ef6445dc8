#include "tutorials/23_several_machines/checking.h"
#include "tutorials/23_several_machines/exercises.h"
#include "tutorials/common/check.h"

using namespace course;
using gradus::green;
using gradus::red;

namespace {

void ask(const std::string& what, const std::vector<Index>& targets, Scalar scale = 1) {
  const int size = static_cast<int>(targets.size());
  const auto begin = [&](int rank) {
    Numbers numbers = drawn(11, rank, scale);
    if (targets[rank] == 0) std::fill(numbers.begin(), numbers.end(), Scalar(0));
    return numbers;
  };
  const Ended ended = after(
      size, begin,
      [&](Ranks& ranks, Numbers& numbers) {
        std::vector<Tensor> gradients{tensor({2, 3}, {numbers.begin(), numbers.begin() + 6}),
                                      tensor({5}, {numbers.begin() + 6, numbers.end()})};
        my_average_by_targets(ranks, gradients, targets[ranks.rank]);
        std::copy(gradients[0].begin(), gradients[0].end(), numbers.begin());
        std::copy(gradients[1].begin(), gradients[1].end(), numbers.begin() + 6);
      },
      "every rank must call every sum, also one without targets");
  double all = 0, with = 0;
  for (const Index n : targets) all += double(n), with += n > 0;
  for (std::size_t i = 0; i < 11; ++i) {
    double expected = 0, plain = 0, some = 0;
    for (int r = 0; r < size; ++r) {
      if (all > 0) expected += double{begin(r)[i]} * double(targets[r]) / all;
      plain += double{begin(r)[i]} / size;
      if (with > 0) some += double{begin(r)[i]} / with;
    }
    for (int r = 0; r < size; ++r) {
      const double got = ended.numbers[r][i], near = 2e-5 * scale;
      if (std::abs(got - expected) <= near) continue;
      std::string cause = "each target has the same weight, whichever rank it is on";
      if (std::abs(got - plain) <= near) cause = "this is the mean over ranks: their shares differ";
      if (with < size && std::abs(got - some) <= near)
        cause = "this is the mean over the ranks that have targets";
      if (std::abs(got - expected * all) <= near * all)
        cause = "divide by the targets of all ranks";
      if (std::abs(got * size - expected * all) <= near * all)
        cause = "divide by the number of all targets";
      if (got == double{begin(r)[i]}) cause = "write into the tensors that you were given";
      if (std::abs(got * size - expected) <= near * size) cause = "average divides by N as well";
      if (all > 0 && all < size)
        cause = "the mean number of targets lies between 0 and 1 here: only 0 is a special case";
      if (all > 1 && std::abs(got * (all - 1) - expected * all) <= near)
        cause = "the number of all targets lost one: a float is a little less, and was cut off";
      if (std::isnan(got)) cause = "no rank has a target: 0 / 0";
      red(what + ", rank " + std::to_string(r) + ", number " + std::to_string(i) + ": got " +
          std::to_string(got) + ", expected " + std::to_string(expected) +
          "\nlikely cause: " + cause);
    }
  }
  green(what);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask("equal shares", {5, 5});
    ask("shares of 3 and 1", {3, 1});
    ask("three ranks", {10, 20, 70});
    ask("a rank without targets", {6, 0, 2});
    ask("no targets at all", {0, 0});
    ask("fewer targets than ranks", {1, 0, 0});
    ask("one rank", {9});
    ask("many targets", {400000, 100000, 3});
    ask("seven ranks, 31 targets", {5, 5, 5, 4, 4, 4, 4});
    ask("large gradients", {1, 7, 2}, 1e4);
  });
}
