/// @file
/// Ops that move elements: reshapes, permutations, joins, parts.

#include <span>
#include <utility>

#include "tests/trust/graphs.h"

namespace gradus::trust {

std::vector<Op> moves() {
  return {
      op(
          "reshape",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            Place sizes = sizes_of(plan.of(n.inputs[0]));
            if (sizes.size() >= 2) {
              const auto at = plan.draws.below(static_cast<Index>(sizes.size()) - 1);
              sizes[at] *= sizes[at + 1];
              sizes.erase(sizes.begin() + at + 1);
            }
            if (sizes.size() < 5) sizes.insert(sizes.begin(), 1);
            n.numbers = sizes;
            return true;
          },
          [](const Node& n, const Tensors& x) { return reshape(x[0], shape_of(n.numbers)); },
          [](const Node& n, const auto& x) { return naive_reshape(x[0], shape_of(n.numbers)); }),
      op(
          "unsqueeze and squeeze",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            const int rank = plan.of(n.inputs[0]).rank();
            if (rank > 4) return false;
            n.numbers = {plan.draws.below(rank + 1), plan.draws.below(2)};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            const Tensor y = unsqueeze(x[0], static_cast<int>(n.numbers[0]));
            return n.numbers[1] != 0 ? squeeze(y * y, static_cast<int>(n.numbers[0])) : y;
          },
          [](const Node& n, const auto& x) {
            Place sizes = sizes_of(x[0].shape);
            if (n.numbers[1] != 0) return naive_map(x[0], [](const auto& e) { return e * e; });
            sizes.insert(sizes.begin() + n.numbers[0], 1);
            return naive_reshape(x[0], shape_of(sizes));
          }),
      op(
          "flatten",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const Index first = plan.draws.below(shape.rank());
                   n.numbers = {first, first + plan.draws.below(shape.rank() - first)};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) {
            return flatten(x[0], static_cast<int>(n.numbers[0]),
                           static_cast<int>(n.numbers[1]) - x[0].rank());
          },
          [](const Node& n, const auto& x) {
            Place sizes(x[0].shape.begin(), x[0].shape.begin() + n.numbers[0]);
            sizes.push_back(x[0].shape.product(static_cast<int>(n.numbers[0]),
                                               static_cast<int>(n.numbers[1]) + 1));
            sizes.insert(sizes.end(), x[0].shape.begin() + n.numbers[1] + 1, x[0].shape.end());
            return naive_reshape(x[0], shape_of(sizes));
          }),
      op(
          "transpose",
          ranked(2,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   n.numbers = {plan.draws.below(shape.rank()), plan.draws.below(shape.rank())};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) {
            return transpose(x[0], static_cast<int>(n.numbers[0]),
                             static_cast<int>(n.numbers[1]) - x[0].rank());
          },
          [](const Node& n, const auto& x) {
            return naive_transpose(x[0], static_cast<int>(n.numbers[0]),
                                   static_cast<int>(n.numbers[1]));
          }),
      op(
          "permute",
          ranked(2,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   for (int i = 0; i < shape.rank(); ++i) n.numbers.push_back(i);
                   for (int i = shape.rank() - 1; i > 0; --i) {
                     std::swap(n.numbers[i], n.numbers[plan.draws.below(i + 1)]);
                   }
                   return true;
                 }),
          [](const Node& n, const Tensors& x) {
            return permute(x[0], std::vector<int>(n.numbers.begin(), n.numbers.end()));
          },
          [](const Node& n, const auto& x) {
            Place sizes;
            for (const Index axis : n.numbers) sizes.push_back(x[0].shape[static_cast<int>(axis)]);
            return std::decay_t<decltype(x[0])>::from(shape_of(sizes), x[0].is_exact,
                                                      [&](const Place& p) {
                                                        Place q(p.size());
                                                        for (std::size_t i = 0; i < p.size(); ++i)
                                                          q[n.numbers[i]] = p[i];
                                                        return x[0](q);
                                                      });
          }),
      op(
          "concat",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = plan.axis(n.inputs[0]);
                   const Shape other = shape.with(axis, plan.size());
                   n.inputs = {n.inputs[0], plan.leaf(other), n.inputs[0]};
                   n.numbers = {plan.either(axis, other.rank()), axis};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) { return concat(x, static_cast<int>(n.numbers[0])); },
          [](const Node& n, const auto& x) {
            return naive_concat(x, static_cast<int>(n.numbers[1]));
          }),
      op(
          "stack",
          [](Plan& plan, Node& n) {
            const int x = plan.any();
            if (plan.of(x).rank() > 4) return false;
            n.inputs = {x, plan.leaf(plan.of(x))};
            n.numbers = {plan.draws.below(plan.of(x).rank() + 1)};
            return true;
          },
          [](const Node& n, const Tensors& x) { return stack(x, static_cast<int>(n.numbers[0])); },
          [](const Node& n, auto x) {
            for (auto& each : x) {
              Place sizes = sizes_of(each.shape);
              sizes.insert(sizes.begin() + n.numbers[0], 1);
              each = naive_reshape(each, shape_of(sizes));
            }
            return naive_concat(x, static_cast<int>(n.numbers[0]));
          }),
      op(
          "slice",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = plan.axis(n.inputs[0]);
                   const Index begin = plan.draws.below(shape[axis] + 1);
                   n.numbers = {axis, begin, begin + plan.draws.below(shape[axis] - begin + 1)};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) {
            return slice(x[0], static_cast<int>(n.numbers[0]), n.numbers[1], n.numbers[2]);
          },
          [](const Node& n, const auto& x) {
            return naive_slice(x[0], static_cast<int>(n.numbers[0]), n.numbers[1], n.numbers[2]);
          }),
      op(
          "x[i, {}]",
          ranked(2,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   if (shape[0] == 0) return false;
                   const Index begin = plan.draws.below(shape[1] + 1);
                   n.numbers = {plan.draws.below(shape[0]), begin,
                                begin + plan.draws.below(shape[1] - begin + 1)};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) -> Tensor {
            return x[0][{n.numbers[0] - x[0].size(0), {n.numbers[1], n.numbers[2]}}];
          },
          [](const Node& n, const auto& x) {
            auto y = naive_slice(naive_slice(x[0], 0, n.numbers[0], n.numbers[0] + 1), 1,
                                 n.numbers[1], n.numbers[2]);
            return naive_reshape(y, y.shape.without(0));
          }),
      op(
          "split",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = plan.axis(n.inputs[0]);
                   if (shape[axis] % 2 != 0) return false;
                   n.numbers = {axis, shape[axis] / 2};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) {
            const Tensors parts = split(x[0], 2, static_cast<int>(n.numbers[0]));
            return parts[0] * parts[1];
          },
          [](const Node& n, const auto& x) {
            const int axis = static_cast<int>(n.numbers[0]);
            return naive_zip(naive_slice(x[0], axis, 0, n.numbers[1]),
                             naive_slice(x[0], axis, n.numbers[1], 2 * n.numbers[1]),
                             [](const auto& a, const auto& b) { return a * b; });
          }),
      op(
          "split_sizes", ranked(1, axis_and_count),
          [](const Node& n, const Tensors& x) {
            const int axis = static_cast<int>(n.numbers[0]);
            const std::vector<Index> sizes = {n.numbers[1], 0, x[0].size(axis) - n.numbers[1]};
            const Tensors parts = split_sizes(x[0], std::span<const Index>(sizes), axis);
            return concat({parts[2], parts[0], parts[1]}, axis);
          },
          [](const Node& n, const auto& x) {
            const int axis = static_cast<int>(n.numbers[0]);
            return naive_concat(std::vector{naive_slice(x[0], axis, n.numbers[1], x[0].shape[axis]),
                                            naive_slice(x[0], axis, 0, n.numbers[1])},
                                axis);
          }),
      op(
          "pad",
          ranked(1,
                 [](Plan& plan, const Shape&, Node& n) {
                   const int axis = plan.axis(n.inputs[0]);
                   n.numbers = {axis, plan.draws.below(3), plan.draws.below(3)};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) {
            return pad(x[0], static_cast<int>(n.numbers[0]), n.numbers[1], n.numbers[2], 2);
          },
          [](const Node& n, const auto& x) {
            const int axis = static_cast<int>(n.numbers[0]);
            std::decay_t<decltype(x[0])> before(x[0].shape.with(axis, n.numbers[1]), true),
                after(x[0].shape.with(axis, n.numbers[2]), true);
            for (auto* each : {&before, &after}) {
              for (auto& e : each->elements) e.value = 2;
            }
            return naive_concat(std::vector{before, x[0], after}, axis);
          }),
  };
}

}  // namespace gradus::trust
