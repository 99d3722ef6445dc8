#include <sstream>

#include "autograd/kernels/allocator.h"
#include "tutorials/01_tensors/exercises.h"
#include "tutorials/common/check.h"

namespace {

struct Expression {
  const char* text;
  const char* why;
  Tensor value;
};

std::vector<Expression> expressions(Index b, Index t, Index c) {
  const Tensor x = zeros({b, t, c}), w = zeros({c}), m = zeros({t, 1});
  return {
      {"x + w", "w's axis is aligned with x's last, and repeated along the others", x + w},
      {"w + m", "shapes are aligned at their last axes: [C] is [1, C] beside [T, 1]", w + m},
      {"reshape(x, {B * T, C})", "the sizes are those asked for", reshape(x, {b * t, c})},
      {"reshape(x, {-1, T})", "-1 stands for what is left over of B T C", reshape(x, {-1, t})},
      {"transpose(x)", "unless named, the last two axes change places", transpose(x)},
      {"permute(x, {2, 0, 1})", "axis i of the result is axis axes[i] of x", permute(x, {2, 0, 1})},
      {"slice(x, 1, 1)", "from position 1 of axis 1 up to its end, which is all but one",
       slice(x, 1, 1)},
      {"sum(x, {0, -1})", "what is summed over goes, unless keepdim keeps it", sum(x, {0, -1})},
      {"sum(x, 1, {.keepdim = true}) * m", "an axis of size 1 is repeated, whichever side it is on",
       sum(x, 1, {.keepdim = true}) * m},
      {"concat({x, x + m}, -1)", "only the joined axis grows, and the last is joined here",
       concat({x, x + m}, -1)},
  };
}

}  // namespace

int main() {
  return run_check([] {
    const Index sizes[][3] = {{2, 3, 4}, {5, 7, 3}, {4, 2, 6}};
    for (const auto& [b, t, c] : sizes) {
      const std::uint64_t before = allocator_stats().allocations;
      const std::vector<Shape> got = ten_shapes(b, t, c);
      if (allocator_stats().allocations != before) {
        red("a tensor was made: say the shapes yourself, from B, T and C");
      }
      const std::vector<Expression> all = expressions(b, t, c);
      if (got.size() != all.size()) {
        red("ten shapes are asked, got " + std::to_string(got.size()));
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [text, why, value] = all[i];
        if (got[i] == value.shape()) continue;
        std::ostringstream message;
        message << i + 1 << ". " << text << " for x " << Shape{b, t, c} << ": got " << got[i]
                << ", expected " << value.shape() << "\nthe rule: " << why;
        if (b != 2) message << "\n(right for [2, 3, 4], and not for " << Shape{b, t, c} << ")";
        red(message.str());
      }
      std::ostringstream done;
      done << "ten shapes for x " << Shape{b, t, c};
      green(done.str());
    }
  });
}
