#include <sstream>

#include "autograd/kernels/allocator.h"
#include "autograd/more/random.h"
#include "tutorials/01_tensors/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/count_new.h"
#include "tutorials/common/guards.h"

namespace {

/// A tensor in the midst of other numbers, so that one who walks out of it meets those.
Tensor amidst(const Shape& shape, std::uint64_t seed) {
  return Tensor(normal({1000}, {.seed = seed}), shape, 100);
}

/// The sum, with x's number for an offset of the result found by `place(x, shape, offset)`.
Tensor sum_by(const Tensor& a, const Tensor& b, const auto& place) {
  const Tensor y(broadcast_shapes("check", a.shape(), b.shape()));
  for (Index i = 0; i < y.size(); ++i) {
    y.mutable_data()[i] = a.data()[place(a, y.shape(), i)] + b.data()[place(b, y.shape(), i)];
  }
  return y;
}

Index again(const Tensor& x, const Shape&, Index offset) { return offset % x.size(); }

Index stretched(const Tensor& x, const Shape& shape, Index offset) {
  return offset * x.size() / shape.size();
}

Index walked(const Tensor& x, const Shape& shape, Index offset) {
  Index place = 0, step = 1;
  for (int back = 1; back <= x.rank(); ++back) {
    place += offset % shape[-back] * step;
    offset /= shape[-back];
    step *= x.size(-back);
  }
  return place;
}

Index next_size(const Tensor& x, const Shape& shape, Index offset) {
  Index place = 0, step = 1;
  for (int back = 1; back <= x.rank(); ++back) {
    if (x.size(-back) != 1) place += offset % shape[-back] * step;
    offset /= shape[-back];
    step = x.size(-back);
  }
  return place;
}

void hold(const Shape& of_a, const Shape& of_b) {
  const Tensor a = amidst(of_a, 1), b = amidst(of_b, 2), right = a + b;
  std::ostringstream what;
  what << of_a << " + " << of_b;
  const Tensor got = unchanged<Tensor>(what.str(), {a, b}, [&] {
    return without_ops(what.str(), {"add", "sub"}, [&] { return add(a, b); });
  });
  if (got.defined() && got.shape() == of_a && got.shape() != right.shape()) {
    std::ostringstream message;
    message << what.str() << ": got shape " << got.shape() << ", expected " << right.shape()
            << "\nlikely cause: the result has a's shape; either side may be the smaller one";
    red(message.str());
  }
  expect(what.str(), got, right,
         {{sum_by(a, b, again),
           "the smaller tensor was read again from its beginning; that is right for a row under a "
           "matrix, and not for a column beside it"},
          {sum_by(a, b, stretched),
           "each number was repeated until the row was full; that is right for a column, and not "
           "for a row"},
          {sum_by(a, b, walked),
           "an axis of size 1 was walked along: its step must be 0 in the repeated tensor"},
          {sum_by(a, b, next_size),
           "the step of an axis is the product of all later sizes, not the next size alone"}});
}

}  // namespace

int main() {
  return run_check([] {
    hold({3, 4}, {3, 4});
    hold({3, 4}, {4});
    hold({3, 4}, {3, 1});
    hold({4}, {3, 4});
    hold({3, 1}, {1, 4});
    hold({2, 3, 4}, {3, 1});
    hold({2, 1, 4}, {3, 1});
    hold({2, 3, 4}, {});
    hold({2, 1, 3, 1}, {5, 1, 4});
    hold({2, 0, 3}, {3});
    const Tensor a = normal({64, 1, 32}, {.seed = 3}), b = normal({32, 1}, {.seed = 4});
    const auto bytes = 64 * 32 * 32 * static_cast<std::ptrdiff_t>(sizeof(Scalar));
    reset_peak_memory();
    const std::ptrdiff_t before = allocator_stats().bytes_in_use;
    Tensor y;
    no_memory(
        "[64, 1, 32] + [32, 1]", [&] { y = add(a, b); }, static_cast<std::size_t>(bytes / 2));
    const std::ptrdiff_t taken = allocator_stats().peak_bytes_in_use - before;
    if (taken > bytes * 3 / 2) {
      red("a or b was copied to the large shape: " + std::to_string(taken) +
          " bytes were taken, and the result has " + std::to_string(bytes));
    }
    if (!is_close(y, a + b)) red("wrong numbers for [64, 1, 32] + [32, 1]");
    green("[64, 1, 32] + [32, 1], and no copy but the result");
  });
}
