#include "tutorials/common/check.h"

#include "tutorials/23_several_machines/checking.h"
#include "tutorials/23_several_machines/exercises.h"

using namespace course;
using gradus::green, gradus::red;

namespace {

/// A gradient that is NaN, as after an overflow, must not pass for one.
void ask_for_nan() {
  const auto begin = [](int rank) { return rank == 0 ? Numbers{NAN, 1} : Numbers{2, 3}; };
  const Ended ended = after(2, begin, [](Ranks& ranks, Numbers& numbers) {
    std::vector<Tensor> gradients = tensors_of(numbers, {{2}});
    my_average_by_targets(ranks, gradients, 4);
    put_back(gradients, numbers);
  });
  for (const Numbers& numbers : ended.numbers) {
    if (!std::isnan(numbers[0]))
      red("a gradient that is NaN: got ", numbers[0],
          ", expected nan\nlikely cause: a NaN must stay one, or nobody sees that training failed");
  }
  green("a gradient that is NaN");
}

void ask(const std::string& what, const std::vector<Index>& targets, Scalar scale = 1,
         const std::vector<Shape>& shapes = {{2, 3}, {5}}) {
  const int size = static_cast<int>(targets.size());
  std::size_t count = 0;
  for (const Shape& shape : shapes) count += std::size_t(shape.size());
  const auto begin = [&](int rank) {
    Numbers numbers = drawn(count, rank, scale);
    if (targets[rank] == 0) std::fill(numbers.begin(), numbers.end(), Scalar(0));
    return numbers;
  };
  const Ended ended = after(
      size, begin,
      [&](Ranks& ranks, Numbers& numbers) {
        std::vector<Tensor> gradients = tensors_of(numbers, shapes);
        my_average_by_targets(ranks, gradients, targets[ranks.rank]);
        put_back(gradients, numbers);
      },
      "every rank must call every sum, also one without targets");
  double all = 0;
  for (const Index n : targets) all += double(n);
  const std::vector<Numbers> of = of_ranks(size, begin);
  const auto right = [&](std::size_t i) {
    double sum = 0;
    for (int r = 0; r < size; ++r) sum += double{of[r][i]} * double(targets[r]);
    return all > 0 ? sum / all : 0;
  };
  must_agree(what, ended, count, right, 2e-5 * scale,
             "each target has the same weight, whichever rank it is on");
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  ask("equal shares", {5, 5});
  ask("shares of 3 and 1", {3, 1});
  ask("targets whose mean is not whole", {5, 2, 1});
  ask("three ranks", {10, 20, 70});
  ask("a rank without targets", {6, 0, 2});
  ask("no targets at all", {0, 0});
  ask("fewer targets than ranks", {1, 0, 0});
  ask("one rank", {9});
  ask("many targets", {400000, 100000, 3});
  ask("seven ranks, 31 targets", {5, 5, 5, 4, 4, 4, 4});
  Dice dice;
  for (int i = 0; i < 12; ++i) {
    std::vector<Index> targets(std::size_t(dice.from(2, 6)));
    for (Index& n : targets) n = dice.from(0, 2) == 0 ? 0 : dice.from(1, 300);
    std::vector<Shape> shapes(std::size_t(dice.from(1, 4)));
    for (Shape& shape : shapes) shape = {dice.from(1, 3), dice.from(1, 4)};
    std::string what = "by chance: targets";
    for (const Index n : targets) what += " " + std::to_string(n);
    ask(what, targets, 1, shapes);
  }
  ask("large gradients", {1, 7, 2}, 1e4);
  ask_for_nan();
}
