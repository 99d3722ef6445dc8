/// @file
/// Ops that select elements: with indices, or because they are the largest.

#include <algorithm>

#include "tests/trust/graphs.h"

namespace gradus::trust {

std::vector<Op> selections() {
  return {
      op(
          "embedding",
          [](Plan& plan, Node& n) {
            const Index rows = 1 + plan.draws.below(6);
            n.inputs = {plan.leaf({rows, plan.size()})};
            n.indices = {plan.indices(plan.shape(static_cast<int>(plan.draws.below(3))), rows)};
            return true;
          },
          [](const Node& n, const Tensors& x) { return embedding(n.indices[0], x[0]); },
          [](const Node& n, const auto& x) {
            Place sizes = sizes_of(n.indices[0].shape());
            sizes.push_back(x[0].shape[1]);
            return std::decay_t<
                decltype(x[0])>::from(shape_of(sizes), x[0].is_exact, [&](const Place& p) {
              const Place token(p.begin(), p.end() - 1);
              return x[0]({n.indices[0].data()[offset_of(n.indices[0].shape(), token)], p.back()});
            });
          }),
      op(
          "gather",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = plan.axis(n.inputs[0]);
                   if (shape[axis] == 0) return false;
                   Shape of = shape.with(axis, plan.size());
                   n.numbers = {plan.either(axis, shape.rank()), axis};
                   n.indices = {plan.indices(of, shape[axis])};
                   return true;
                 }),
          [](const Node& n, const Tensors& x) {
            return gather(x[0], static_cast<int>(n.numbers[0]), n.indices[0]);
          },
          [](const Node& n, const auto& x) {
            return std::decay_t<decltype(x[0])>::from(
                n.indices[0].shape(), x[0].is_exact, [&](Place p) {
                  p[n.numbers[1]] = n.indices[0].data()[offset_of(n.indices[0].shape(), p)];
                  return x[0](p);
                });
          }),
      op(
          "topk", ranked(1, axis_and_count),
          [](const Node& n, const Tensors& x) {
            return topk(x[0], n.numbers[1], static_cast<int>(n.numbers[0])).values;
          },
          [](const Node& n, const auto& x) {
            const int axis = static_cast<int>(n.numbers[0]);
            return std::decay_t<decltype(x[0])>::from(
                x[0].shape.with(axis, n.numbers[1]), x[0].is_exact, [&](Place p) {
                  std::vector<Index> order;
                  for (Index i = 0; i < x[0].shape[axis]; ++i) order.push_back(i);
                  const auto at = [&](Index i) {
                    Place q = p;
                    q[axis] = i;
                    return x[0](q);
                  };
                  const Index rank = p[axis];
                  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
                    return compared(at(i), at(j), x[0].is_exact) > 0;
                  });
                  return at(order[rank]);
                });
          }),
      op(
          "argmax",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = plan.axis(n.inputs[0]);
                   n.numbers = {axis};
                   return shape[axis] > 0;
                 }),
          [](const Node& n, const Tensors& x) {
            const int axis = static_cast<int>(n.numbers[0]);
            const IndexTensor first = argmax(x[0], axis, {.keepdim = true});
            return gather(x[0], axis, first) * gather(x[0], axis, first);
          },
          [](const Node& n, const auto& x) {
            return naive_reduce(x[0], 1U << n.numbers[0], true, [&](const auto& all) {
              auto best = all[0];
              for (const auto& e : all) best = compared(e, best, x[0].is_exact) > 0 ? e : best;
              return best * best;
            });
          }),
  };
}

}  // namespace gradus::trust
