#include "tutorials/common/check.h"

#include "pocket/ranks.h"
#include "tutorials/23_several_machines/checking.h"

using namespace course;
using namespace pocket;
using gradus::green, gradus::red;

namespace {

int calls = 0;  // of the sum, by this rank
std::size_t asked = 0;

/// All to rank 0 and back, which needs none of the parts that are still to be written.
void plain_sum(Ranks& ranks, std::span<Scalar> numbers) {
  ++calls, asked = numbers.size();
  Numbers other(numbers.size());
  for (int r = 1; r < ranks.size; ++r) {
    if (ranks.rank == r) ranks.transfer(0, numbers, 0, {});
    if (ranks.rank > 0) continue;
    ranks.transfer(r, {}, r, other);
    for (std::size_t i = 0; i < other.size(); ++i) numbers[i] += other[i];
  }
  for (int r = 1; r < ranks.size; ++r) {
    if (ranks.rank == 0) ranks.transfer(r, numbers, 0, {});
    if (ranks.rank == r) ranks.transfer(0, {}, 0, numbers);
  }
}

void ask(const std::string& what, int size, const std::vector<Shape>& shapes, Scalar scale = 1) {
  Index count = 0;
  for (const Shape& shape : shapes) count += shape.size();
  const auto begin = [&](int rank) { return drawn(count, rank, scale); };
  calls = 0;
  const Ended ended = after(size, begin, [&](Ranks& ranks, Numbers& numbers) {
    const std::vector<Tensor> tensors = tensors_of(numbers, shapes);
    average(ranks, tensors, plain_sum);
    put_back(tensors, numbers);
  });
  const bool is_alone = size == 1 && calls == 0;  // which needs no sum
  if (!is_alone && (calls != 1 || asked != std::size_t(count))) {
    red(what, ": the sum was called ", calls, " times, last with ", asked,
        " numbers, expected once, with ", count,
        "\nlikely cause: one sum is for the numbers of all tensors");
  }
  const std::vector<Numbers> of = of_ranks(size, begin);
  must_agree(
      what, ended, std::size_t(count), [&](std::size_t i) { return sum_at(of, i) / size; },
      1e-5 * scale, "is each number written back to where it came from?");
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  ask("one rank, one tensor", 1, {{3}});
  ask("two ranks, one tensor", 2, {{2, 3}});
  ask("two ranks, three tensors", 2, {{4}, {2, 2}, {1, 5}});
  ask("three ranks, a single number among tensors", 3, {{7}, {}, {3, 2}});
  ask("four ranks, an empty tensor among others", 4, {{2}, {0, 3}, {2}});
  ask("large numbers", 3, {{5}, {6}}, 1e4);
  Dice dice;
  for (int i = 0; i < 10; ++i) {
    std::vector<Shape> shapes(std::size_t(dice.from(1, 5)));
    for (Shape& shape : shapes) {
      shape = dice.from(0, 4) == 0 ? Shape{} : Shape{dice.from(0, 4), dice.from(1, 3)};
    }
    const int size = dice.from(2, 6);
    ask(gradus::detail::text("by chance: ", size, " ranks, ", shapes.size(), " tensors"), size,
        shapes, i % 2 == 0 ? 1 : 1e3);
  }
  ask("a hundred thousand numbers", 2, {{300, 300}, {10000}});
}
