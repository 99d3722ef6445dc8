/// @file
/// Products of matrices.

#include "tests/trust/graphs.h"

namespace gradus::trust {

std::vector<Op> products() {
  return {
      op(
          "matmul",
          [](Plan& plan, Node& n) {
            const int a = plan.ranked(2);
            const Index left = plan.draws.below(2), right = plan.draws.below(2);
            const Shape& shape = plan.of(a);
            const Index inner = shape[left != 0 ? -2 : -1];
            Place sizes = sizes_of(plan.smaller(shape_of({shape.begin(), shape.end() - 2})));
            const Index outer = plan.size();
            sizes.push_back(right != 0 ? outer : inner);
            sizes.push_back(right != 0 ? inner : outer);
            n.inputs = {a, plan.leaf(shape_of(sizes))};
            n.numbers = {left, right};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return matmul(x[0], x[1], {.a = n.numbers[0] != 0, .b = n.numbers[1] != 0});
          },
          [](const Node& n, const auto& x) {
            auto a = x[0], b = x[1];
            if (n.numbers[0] != 0) a = naive_transpose(a, a.shape.rank() - 2, a.shape.rank() - 1);
            if (n.numbers[1] != 0) b = naive_transpose(b, b.shape.rank() - 2, b.shape.rank() - 1);
            return naive_matmul(a, b);
          }),
      op(
          "linear",
          [](Plan& plan, Node& n) {
            const int x = plan.ranked(1);
            const Index outer = plan.size();
            n.inputs = {x, plan.leaf({plan.of(x)[-1], outer})};
            if (plan.draws.chance(60)) n.inputs.push_back(plan.leaf({outer}));
            return true;
          },
          [](const Node&, const Tensors& x) {
            return linear(x[0], x[1], x.size() > 2 ? x[2] : Tensor());
          },
          [](const Node&, const auto& x) {
            Place sizes = sizes_of(x[0].shape);
            sizes.insert(sizes.end() - 1, 1);  // each row is a matrix of one row
            auto y = naive_matmul(naive_reshape(x[0], shape_of(sizes)), x[1]);
            sizes.erase(sizes.end() - 2);
            sizes.back() = x[1].shape[1];
            y = naive_reshape(y, shape_of(sizes));
            if (x.size() == 2) return y;
            return naive_zip(y, x[2], [](const auto& a, const auto& b) { return a + b; });
          }),
  };
}

}  // namespace gradus::trust
