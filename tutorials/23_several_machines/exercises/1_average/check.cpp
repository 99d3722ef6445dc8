#include "tutorials/common/check.h"

#include <cstring>

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
    std::vector<Tensor> tensors;
    Index at = 0;
    for (const Shape& shape : shapes) {
      tensors.push_back(tensor(shape, {numbers.begin() + at, numbers.begin() + at + shape.size()}));
      at += shape.size();
    }
    average(ranks, tensors, plain_sum);
    at = 0;
    for (const Tensor& x : tensors) {
      std::copy(x.begin(), x.end(), numbers.begin() + at);
      at += x.size();
    }
  });
  const bool is_alone = size == 1 && calls == 0;  // which needs no sum
  if (!is_alone && (calls != 1 || asked != std::size_t(count))) {
    const std::string times = calls == 1 ? "once" : std::to_string(calls) + " times";
    red(what + ": the sum was called " + times + (calls > 1 ? ", last with " : ", with ") +
        std::to_string(asked) + " numbers in place of " + std::to_string(count) +
        "\nlikely cause: one sum is for the numbers of all tensors");
  }
  Numbers mean(count);
  for (int r = 0; r < size; ++r) {
    const Numbers own = begin(r);
    for (Index i = 0; i < count; ++i) mean[i] += own[i] / Scalar(size);
  }
  for (int r = 0; r < size; ++r) {
    Index first = 0;
    for (std::size_t t = 0; t < shapes.size(); first += shapes[t++].size()) {
      for (Index i = first; i < first + shapes[t].size(); ++i) {
        const double got = ended.numbers[r][i], expected = mean[i];
        if (std::abs(got - expected) <= 1e-5 * scale) continue;
        red(what + ", rank " + std::to_string(r) + ", tensor " + std::to_string(t) + ": got " +
            std::to_string(got) + ", expected " + std::to_string(expected) +
            gradus::likely("is each number written back to where it came from?"));
      }
    }
    if (r > 0 && std::memcmp(ended.numbers[r].data(), ended.numbers[0].data(),
                             sizeof(Scalar) * std::size_t(count)) != 0) {
      red(what + ": ranks have different bits\nlikely cause: all compute alike from the sum");
    }
  }
  green(what);
}

}  // namespace

int main() {
  return gradus::run_check([] {
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
      ask("by chance: " + std::to_string(size) + " ranks, " + std::to_string(shapes.size()) +
              " tensors",
          size, shapes, i % 2 == 0 ? 1 : 1e3);
    }
    ask("a hundred thousand numbers", 2, {{300, 300}, {10000}});
  });
}
