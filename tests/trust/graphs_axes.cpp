/// @file
/// Ops over one axis, some or all: sums, softmax, losses, norms.

#include <algorithm>

#include "tests/trust/graphs.h"

namespace gradus::trust {

namespace {

unsigned mask_of(const Node& n) { return static_cast<unsigned>(n.numbers[0]); }

Axes axes_of(const Node& n, int rank) {
  std::vector<int> axes;
  for (int axis = 0; axis < rank; ++axis) {
    if ((mask_of(n) >> axis & 1U) != 0) axes.push_back(n.numbers[2] != 0 ? axis - rank : axis);
  }
  switch (axes.size()) {
    case 1:
      return axes[0];
    case 2:
      return {axes[0], axes[1]};
    case 3:
      return {axes[0], axes[1], axes[2]};
    default:
      return {};  // all
  }
}

/// A reduction over some axes, or all; `needs` is whether there must be something to reduce.
template <class Engine, class F>
Op reduction(const char* name, Engine engine, F f, bool needs, bool is_exact = false) {
  return op(
      name,
      [needs](Plan& plan, Node& n) {
        const int x = plan.any();
        const int rank = plan.of(x).rank();
        const unsigned all = (1U << rank) - 1;
        unsigned mask = static_cast<unsigned>(plan.draws.below(all + 1));
        if (mask == 0 || __builtin_popcount(mask) > 3) mask = all;
        n.inputs = {x};
        n.numbers = {static_cast<Index>(mask), plan.draws.below(2), plan.draws.below(2)};
        Index reduced = 1;
        for (int axis = 0; axis < rank; ++axis) {
          if ((mask >> axis & 1U) != 0) reduced *= plan.of(x)[axis];
        }
        return !needs || reduced > 0;
      },
      [engine](const Node& n, const Tensors& x) {
        return engine(x[0], axes_of(n, x[0].rank()), ReduceOptions{.keepdim = n.numbers[1] != 0});
      },
      [f, is_exact](const Node& n, const auto& x) {
        return naive_reduce(
            x[0], mask_of(n), n.numbers[1] != 0,
            [&](const auto& all) { return f(all, x[0].is_exact); }, is_exact);
      });
}

/// An op along one axis: numbers[0] as the caller writes it, numbers[1] from the front.
template <class Engine, class Loops>
Op along(const char* name, Engine engine, Loops loops) {
  return op(
      name,
      [](Plan& plan, Node& n) {
        n.inputs = {plan.ranked(1)};
        const int rank = plan.of(n.inputs[0]).rank(), axis = plan.axis(n.inputs[0]);
        n.numbers = {plan.either(axis, rank), axis};
        return true;
      },
      [engine](const Node& n, const Tensors& x) {
        return engine(x[0], static_cast<int>(n.numbers[0]));
      },
      [loops](const Node& n, const auto& x) {
        return loops(x[0], static_cast<int>(n.numbers[1]));
      });
}

}  // namespace

std::vector<Op> over_axes() {
  using T = Tensor;
  const auto mean_squares = [](const auto& a, const auto& b) {
    auto y = naive_zip(a, b, [](const auto& x, const auto& t) { return (x - t) * (x - t); });
    return naive_reduce(y, (1U << y.shape.rank()) - 1, false,
                        [](const auto& all) { return average(all); });
  };
  return {
      reduction(
          "sum", [](const T& x, const Axes& a, ReduceOptions o) { return sum(x, a, o); },
          [](const auto& all, bool) { return total(all); }, false),
      reduction(
          "mean", [](const T& x, const Axes& a, ReduceOptions o) { return mean(x, a, o); },
          [](const auto& all, bool) { return average(all); }, true),
      reduction(
          "max", [](const T& x, const Axes& a, ReduceOptions o) { return max(x, a, o); },
          [](const auto& all, bool exact) { return extreme(all, 1, exact); }, true, true),
      reduction(
          "min", [](const T& x, const Axes& a, ReduceOptions o) { return min(x, a, o); },
          [](const auto& all, bool exact) { return extreme(all, -1, exact); }, true, true),
      reduction(
          "variance", [](const T& x, const Axes& a, ReduceOptions o) { return variance(x, a, o); },
          [](const auto& all, bool) { return variance_of(all); }, true),
      along(
          "cumsum", [](const T& x, int axis) { return cumsum(x, axis); },
          [](const auto& x, int axis) {
            auto y = x;
            y.is_exact = false;
            Index i = 0;
            for_each_place(x.shape, [&](Place p) {
              for (auto& e = y.elements[i++]; p[axis] > 0;) {
                --p[axis];
                e = e + x(p);
              }
            });
            return y;
          }),
      op(
          "sum_to",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            n.numbers = sizes_of(plan.smaller(plan.of(n.inputs[0])));
            return true;
          },
          [](const Node& n, const Tensors& x) { return sum_to(x[0], shape_of(n.numbers)); },
          [](const Node& n, const auto& x) {
            std::decay_t<decltype(x[0])> y(shape_of(n.numbers));
            for_each_place(x[0].shape, [&](const Place& p) {
              auto& e = y.elements[offset_of(y.shape, p)];
              e = e + x[0](p);
            });
            return y;
          }),
      op(
          "broadcast_to",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            Place sizes = sizes_of(plan.of(n.inputs[0]));
            for (Index& size : sizes) size = size == 1 ? plan.size() : size;
            if (sizes.size() < 4) sizes.insert(sizes.begin(), plan.size());
            n.numbers = sizes;
            return true;
          },
          [](const Node& n, const Tensors& x) { return broadcast_to(x[0], shape_of(n.numbers)); },
          [](const Node& n, const auto& x) {
            return std::decay_t<decltype(x[0])>::from(shape_of(n.numbers), x[0].is_exact,
                                                      [&](const Place& p) { return x[0](p); });
          }),
      op(
          "mse_loss",
          [](Plan& plan, Node& n) {
            const int x = plan.any();
            n.inputs = {x, plan.leaf(plan.of(x))};
            return plan.of(x).size() > 0;
          },
          [](const Node&, const Tensors& x) { return mse_loss(x[0], x[1]); },
          [mean_squares](const Node&, const auto& x) { return mean_squares(x[0], x[1]); }),
      along(
          "softmax", [](const T& x, int axis) { return softmax(x, axis); },
          [](const auto& x, int axis) { return naive_softmax(x, axis); }),
      along(
          "log_softmax", [](const T& x, int axis) { return log_softmax(x, axis); },
          [](const auto& x, int axis) { return naive_log_softmax(x, axis); }),
      op(
          "cross_entropy",
          [](Plan& plan, Node& n) {
            const int x = plan.ranked(1);
            const Index classes = plan.of(x)[-1];
            if (classes == 0) return false;
            n.inputs = {x};
            const Shape rows = plan.of(x).without(plan.of(x).rank() - 1);
            n.indices = {plan.indices(rows, classes)};
            n.numbers = {plan.draws.chance(50) ? plan.draws.below(classes) : kIgnoreIndex};
            n.reals = {static_cast<double>(plan.draws.below(3)) / 4};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return cross_entropy(x[0], n.indices[0],
                                 {.ignore_index = static_cast<std::int32_t>(n.numbers[0]),
                                  .label_smoothing = static_cast<Scalar>(n.reals[0])});
          },
          [](const Node& n, const auto& x) {
            const auto logs = naive_log_softmax(x[0], x[0].shape.rank() - 1);
            const Index classes = x[0].shape[-1];
            std::decay_t<decltype(x[0])> y{Shape{}};
            Index counted = 0;
            for (Index row = 0; row < n.indices[0].size(); ++row) {
              const Index target = n.indices[0].data()[row];
              if (target == n.numbers[0]) continue;
              ++counted;
              for (Index i = 0; i < classes; ++i) {
                const double share =
                    (i == target ? 1 - n.reals[0] : 0) + n.reals[0] / static_cast<double>(classes);
                y.elements[0] = y.elements[0] - times(logs.elements[row * classes + i], share);
              }
            }
            y.elements[0] =
                times(y.elements[0], 1 / static_cast<double>(std::max<Index>(counted, 1)));
            return y;
          }),
      op(
          "layer_norm",
          [](Plan& plan, Node& n) {
            const int x = plan.ranked(1);
            const Shape width{plan.of(x)[-1]};
            n.inputs = {x, plan.leaf(width)};
            if (plan.draws.chance(50)) n.inputs.push_back(plan.leaf(width));
            return width[0] > 0;
          },
          [](const Node&, const Tensors& x) {
            return layer_norm(x[0], x[1], x.size() > 2 ? x[2] : Tensor(), Scalar(0.125));
          },
          [](const Node&, const auto& x) {
            auto y = naive_rows(x[0], [](auto row) {
              const auto mean = average(row);
              auto spread = variance_of(row);
              spread.value += 0.125;
              for (auto& e : row) e = (e - mean) * power(spread, -0.5);
              return row;
            });
            y = naive_zip(y, x[1], [](const auto& a, const auto& b) { return a * b; });
            if (x.size() > 2) {
              y = naive_zip(y, x[2], [](const auto& a, const auto& b) { return a + b; });
            }
            return y;
          }),
      op(
          "rms_norm",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.ranked(1)};
            const Shape width{plan.of(n.inputs[0])[-1]};
            if (plan.draws.chance(60)) n.inputs.push_back(plan.leaf(width));
            return width[0] > 0;
          },
          [](const Node&, const Tensors& x) {
            return rms_norm(x[0], x.size() > 1 ? x[1] : Tensor(), Scalar(0.125));
          },
          [](const Node&, const auto& x) {
            auto y = naive_rows(x[0], [](auto row) {
              auto squares = row;
              for (auto& e : squares) e = e * e;
              auto size = average(squares);
              size.value += 0.125;
              for (auto& e : row) e = e * power(size, -0.5);
              return row;
            });
            if (x.size() == 1) return y;
            return naive_zip(y, x[1], [](const auto& a, const auto& b) { return a * b; });
          }),
  };
}

}  // namespace gradus::trust
