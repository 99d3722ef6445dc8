#include "tutorials/03_reverse_mode/exercises.h"
#include "tutorials/common/check.h"

using namespace gradus;

namespace {

/// Value and slopes in one tensor, [1 + inputs].
Tensor flat(const Made& made) {
  Tensor out({1 + std::ssize(made.slopes)});
  out.mutable_data()[0] = static_cast<Scalar>(made.value);
  for (Index i = 1; i < out.size(); ++i) {
    out.mutable_data()[i] = static_cast<Scalar>(made.slopes[static_cast<std::size_t>(i - 1)]);
  }
  return out;
}

}  // namespace

int main() {
  return run_check([] {
    for (const auto& [a, b] : {std::pair{2.0, 3.0}, {-1.5, 0.25}}) {
      expect("product: its value, its slope by a, its slope by b", flat(my_product(a, b)),
             tensor({a * b, b, a}),
             {{tensor({a * b, a, b}), "the slope by a is the other factor, b"}});
    }
    for (const double x : {0.5, -2.0}) {
      const double y = std::tanh(x);
      expect("tanh: its value, its slope", flat(my_tanh(x)), tensor({y, 1 - y * y}),
             {{tensor({y, 1 - x * x}), "the square is that of tanh(x), not of x"},
              {tensor({y, 1 - y}), "tanh(x) must be squared"}});
    }
  });
}
