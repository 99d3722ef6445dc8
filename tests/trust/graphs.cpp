/// @file
/// Draws random graphs of all ops and compares the engine with naive.h: values, gradients, and
/// gradients of gradients; the fused path with the composed one; one run with another.
///
///     graphs --seconds 20 --seed 3     # draws graphs for 20 seconds
///     graphs --graph 3145730           # repeats one, and prints it
///
/// In float the engine is compared with naive loops in double, with a tolerance for each graph: the
/// error of the same loops in float.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "gradus/engine.h"
#include "tests/trust/naive.h"

using namespace gradus;
using detail::text;

namespace {

using Tensors = std::vector<Tensor>;
constexpr bool kIsDouble = sizeof(Scalar) == sizeof(double);

/// Random numbers: splitmix64 of Steele, Lea and Flood, 2014.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
  }
  Index below(Index n) { return static_cast<Index>(bits() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  double real() { return static_cast<double>(bits() >> 44) / (1 << 20); }  // exact in float

 private:
  std::uint64_t state_;
};

struct Op;

/// A leaf, or an op on earlier nodes.
struct Node {
  const Op* op = nullptr;                 ///< nullptr for a leaf
  std::vector<int> inputs = {};           ///< earlier nodes
  std::vector<Index> numbers = {};        ///< axes, sizes, switches
  std::vector<double> reals = {};         ///< exactly representable in float
  std::vector<IndexTensor> indices = {};  ///< tokens, masks
  bool is_used = false;
};

template <class Real>
using NaiveOp = std::function<Naive<Real>(const Node&, const std::vector<Naive<Real>>&)>;

class Plan;

/// An op with its name, a function that chooses inputs and arguments, or fails if no node fits; the
/// engine's op; and the naive one.
struct Op {
  const char* name;
  std::function<bool(Plan&, Node&)> choose;
  std::function<Tensor(const Node&, const Tensors&)> engine;
  NaiveOp<double> in_double;
  NaiveOp<float> in_float;
};

constexpr double kLargest = 16, kLargestSlope = 1e4;

/// A graph while it is drawn: each node's values are known from the naive ops.
class Plan {
 public:
  explicit Plan(std::uint64_t seed) : draws(seed) {}

  int leaf(const Shape& shape) {
    Naive<double> x(shape, true);
    const int kind = static_cast<int>(draws.below(4));
    for (Dual<double>& e : x.elements) {
      // Few different numbers, with zeros and ties; or many; or only positive ones.
      const double value = kind == 0   ? static_cast<double>(draws.below(5) - 2) / 2
                           : kind == 1 ? draws.real() + 0.25
                                       : 4 * draws.real() - 2;
      e = {value, 2 * draws.real() - 1, 2 * draws.real() - 1, 0};
    }
    return push({}, std::move(x));
  }
  int push(Node node, Naive<double> value) {
    nodes.push_back(std::move(node));
    values.push_back(std::move(value));
    return static_cast<int>(nodes.size()) - 1;
  }
  Index size() {
    const Index kind = draws.below(40);
    return kind < 2 ? 0 : kind < 8 ? 1 : kind == 8 ? 17 + draws.below(20) : 2 + draws.below(4);
  }
  Shape shape(int rank) {
    Place sizes;
    for (int i = 0; i < rank; ++i) sizes.push_back(size());
    return shape_of(sizes);
  }
  Shape shape() { return shape(static_cast<int>(draws.below(5))); }
  /// Any node, or a new leaf.
  int any() {
    return nodes.empty() || draws.chance(20)
               ? leaf(shape())
               : static_cast<int>(draws.below(static_cast<Index>(nodes.size())));
  }
  /// A node of this rank or more.
  int ranked(int rank) {
    for (int i = 0; i < 4; ++i) {
      const int node = any();
      if (of(node).rank() >= rank) return node;
    }
    return leaf(shape(rank));
  }
  /// A node that broadcasts with this shape: a leaf with some sizes 1, or fewer axes.
  int beside(const Shape& shape) {
    for (int i = 0; i < 3 && !nodes.empty(); ++i) {
      const int node = static_cast<int>(draws.below(static_cast<Index>(nodes.size())));
      if (of(node) == shape) return node;
    }
    return leaf(smaller(shape));
  }
  /// A shape of at least `rank` axes that broadcasts to this one.
  Shape smaller(const Shape& shape, int rank = 0) {
    Place sizes = sizes_of(shape);
    sizes.erase(sizes.begin(), sizes.begin() + draws.below(shape.rank() - rank + 1));
    for (Index& size : sizes) size = draws.chance(30) ? 1 : size;
    return shape_of(sizes);
  }
  int axis(int node) { return static_cast<int>(draws.below(of(node).rank())); }
  /// An axis as a caller may write it, from the front or the back.
  int either(int axis, int rank) { return draws.chance(50) ? axis : axis - rank; }
  IndexTensor indices(const Shape& shape, Index below) {
    IndexTensor y(shape);
    std::int32_t* to = y.mutable_data();
    for (Index i = 0; i < y.size(); ++i) to[i] = static_cast<std::int32_t>(draws.below(below));
    return y;
  }
  const Shape& of(int node) const { return values[node].shape; }
  double least(int node) const {
    double least = INFINITY;
    for (const auto& e : values[node].elements) least = std::min(least, e.value);
    return least;
  }
  /// Adds a node, unless its values or slopes are too large to compare.
  bool add(const Op& op, Node node);
  /// Adds an op with these inputs and arguments.
  int apply(const char* op, std::vector<int> inputs, std::vector<double> reals = {});
  /// A node of the same shape with positive numbers.
  int positive(int node) {
    if (least(node) >= 0.25) return node;
    const int square = apply("mul", {node, node});
    return square < 0 ? leaf_positive(of(node)) : apply("x + s", {square}, {0.5});
  }
  int leaf_positive(const Shape& shape) {
    const int made = leaf(shape);
    for (auto& e : values[made].elements) e.value = std::abs(e.value) + 0.25;
    return made;
  }

  Draws draws;
  std::vector<Node> nodes;
  std::vector<Naive<double>> values;
};

bool is_set(const IndexTensor& mask, const Place& place) {
  return mask.data()[offset_of(mask.shape(), place)] != 0;
}

template <class Choose, class Engine, class Loops>
Op op(const char* name, Choose choose, Engine engine, Loops loops) {
  return {name, choose, engine, [loops](const Node& n, const auto& x) { return loops(n, x); },
          [loops](const Node& n, const auto& x) { return loops(n, x); }};
}

/// An op of one tensor, element by element: f, f' and f''.
using Slopes = std::array<double, 3>;
template <class Engine, class F>
Op of_one(const char* name, Engine engine, F f, bool is_positive = false) {
  return op(
      name,
      [is_positive](Plan& plan, Node& n) {
        const int x = plan.any();
        n.inputs = {is_positive ? plan.positive(x) : x};
        n.reals = {static_cast<double>(plan.draws.below(17) - 8) / 4};
        return n.inputs[0] >= 0;
      },
      [engine](const Node& n, const Tensors& x) {
        return engine(x[0], static_cast<Scalar>(n.reals[0]));
      },
      [f](const Node& n, const auto& x) {
        return naive_map(x[0], [&](const auto& e) {
          const Slopes y = f(static_cast<double>(e.value), n.reals[0]);
          return chain(e, y[0], y[1], y[2]);
        });
      });
}

/// The same for an op with kinks, where the naive loop compares.
template <class Engine, class F>
Op of_one_with_kinks(const char* name, Engine engine, F f) {
  return op(
      name,
      [](Plan& plan, Node& n) {
        n.inputs = {plan.any()};
        n.reals = {-0.5, static_cast<double>(plan.draws.below(4)) / 2 - 0.5};
        return true;
      },
      [engine](const Node& n, const Tensors& x) { return engine(n, x[0]); },
      [f](const Node& n, const auto& x) {
        return naive_map(
            x[0], [&](const auto& e) { return f(n, e, x[0].is_exact); }, true);
      });
}

template <class Engine, class F>
Op of_two(const char* name, Engine engine, F f, bool is_positive = false, bool is_exact = false) {
  return op(
      name,
      [is_positive](Plan& plan, Node& n) {
        const int a = plan.any();
        int b = plan.beside(plan.of(a));
        if (is_positive) b = plan.positive(b);
        n.inputs = {a, b};
        if (!is_positive && plan.draws.chance(30)) std::swap(n.inputs[0], n.inputs[1]);
        return b >= 0;
      },
      [engine](const Node&, const Tensors& x) { return engine(x[0], x[1]); },
      [f, is_exact](const Node&, const auto& x) {
        const bool exact = x[0].is_exact && x[1].is_exact;
        return naive_zip(
            x[0], x[1], [&](const auto& a, const auto& b) { return f(a, b, exact); }, is_exact);
      });
}

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

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

/// Value and slopes of x s(x), for a function with slopes.
Slopes times_x(double x, const Slopes& s) {
  return {x * s[0], s[0] + x * s[1], 2 * s[1] + x * s[2]};
}

Slopes tanh_of(double x) {
  const double t = std::tanh(x), slope = 1 - t * t;
  return {t, slope, -2 * t * slope};
}

Slopes gelu_of(double x) {
  const double c = std::sqrt(2 / M_PI);
  const double u = c * (x + 0.044715 * x * x * x), du = c * (1 + 3 * 0.044715 * x * x),
               ddu = c * 6 * 0.044715 * x;
  const Slopes t = tanh_of(u);
  return times_x(x, {(1 + t[0]) / 2, t[1] * du / 2, (t[2] * du * du + t[1] * ddu) / 2});
}

Slopes gelu_erf_of(double x) {
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
  return times_x(x, {std::erfc(-x / std::sqrt(2)) / 2, density, -x * density});
}

std::vector<Op> elementwise() {
  using S = Scalar;
  const auto zero = [](const auto& e) { return std::decay_t<decltype(e)>(); };
  const auto larger = [](const auto& a, const auto& b, bool exact) {
    return chosen(a, b, 1, exact);
  };
  const auto smaller = [](const auto& a, const auto& b, bool exact) {
    return chosen(a, b, -1, exact);
  };
  return {
      of_two(
          "add", [](const Tensor& a, const Tensor& b) { return a + b; },
          [](const auto& a, const auto& b, bool) { return a + b; }),
      of_two(
          "sub", [](const Tensor& a, const Tensor& b) { return a - b; },
          [](const auto& a, const auto& b, bool) { return a - b; }),
      of_two(
          "mul", [](const Tensor& a, const Tensor& b) { return a * b; },
          [](const auto& a, const auto& b, bool) { return a * b; }),
      of_two(
          "div", [](const Tensor& a, const Tensor& b) { return a / b; },
          [](const auto& a, const auto& b, bool) { return a * inverse(b); }, true),
      of_two(
          "+=",
          [](Tensor a, const Tensor& b) {
            a = a * 1;
            a += b;
            return a;
          },
          [](const auto& a, const auto& b, bool) { return a + b; }),
      of_two(
          "/=",
          [](Tensor a, const Tensor& b) {
            a = a * 1;
            a /= b;
            return a;
          },
          [](const auto& a, const auto& b, bool) { return a * inverse(b); }, true),
      of_two(
          "maximum", [](const Tensor& a, const Tensor& b) { return maximum(a, b); }, larger, false,
          true),
      of_two(
          "minimum", [](const Tensor& a, const Tensor& b) { return minimum(a, b); }, smaller, false,
          true),
      of_two(
          "where greater",
          [](const Tensor& a, const Tensor& b) { return where(greater(a, b), a * a, b); },
          [](const auto& a, const auto& b, bool exact) {
            return compared(a, b, exact) > 0 ? a * a : b;
          }),
      of_two(
          "where equal",
          [](const Tensor& a, const Tensor& b) { return where(equal(a, b), b, a + b); },
          [](const auto& a, const auto& b, bool exact) {
            return compared(a, b, exact) == 0 ? b : a + b;
          }),
      of_one(
          "neg", [](const Tensor& x, S) { return -x; },
          [](double x, double) {
            return Slopes{-x, -1, 0};
          }),
      of_one(
          "x + s", [](const Tensor& x, S s) { return x + s; },
          [](double x, double s) {
            return Slopes{x + s, 1, 0};
          }),
      of_one(
          "s - x", [](const Tensor& x, S s) { return s - x; },
          [](double x, double s) {
            return Slopes{s - x, -1, 0};
          }),
      of_one(
          "x * s", [](const Tensor& x, S s) { return x * s; },
          [](double x, double s) {
            return Slopes{x * s, s, 0};
          }),
      of_one(
          "x / 3", [](const Tensor& x, S) { return x / 3; },
          [](double x, double) {
            return Slopes{x / 3, 1. / 3, 0};
          }),
      of_one(
          "s / x", [](const Tensor& x, S s) { return s / x; },
          [](double x, double s) {
            return Slopes{s / x, -s / x / x, 2 * s / x / x / x};
          },
          true),
      of_one(
          "pow", [](const Tensor& x, S s) { return pow(x, s); },
          [](double x, double s) {
            const auto y = power(Dual<double>{x, 1, 1, 0}, s);
            return Slopes{y.value, y.slope_u, y.slope_uv};
          },
          true),
      of_one(
          "pow 3", [](const Tensor& x, S) { return pow(x, 3); },
          [](double x, double) {
            return Slopes{x * x * x, 3 * x * x, 6 * x};
          }),
      of_one(
          "exp", [](const Tensor& x, S) { return exp(x); },
          [](double x, double) {
            return Slopes{std::exp(x), std::exp(x), std::exp(x)};
          }),
      of_one(
          "log", [](const Tensor& x, S) { return log(x); },
          [](double x, double) {
            return Slopes{std::log(x), 1 / x, -1 / x / x};
          },
          true),
      of_one(
          "sqrt", [](const Tensor& x, S) { return sqrt(x); },
          [](double x, double) {
            const double y = std::sqrt(x);
            return Slopes{y, 0.5 / y, -0.25 / y / x};
          },
          true),
      of_one(
          "sin", [](const Tensor& x, S) { return sin(x); },
          [](double x, double) {
            return Slopes{std::sin(x), std::cos(x), -std::sin(x)};
          }),
      of_one(
          "cos", [](const Tensor& x, S) { return cos(x); },
          [](double x, double) {
            return Slopes{std::cos(x), -std::sin(x), -std::cos(x)};
          }),
      of_one(
          "tanh", [](const Tensor& x, S) { return tanh(x); },
          [](double x, double) { return tanh_of(x); }),
      of_one(
          "sigmoid", [](const Tensor& x, S) { return sigmoid(x); },
          [](double x, double) {
            const double y = sigmoid_of(x), slope = y * (1 - y);
            return Slopes{y, slope, slope * (1 - 2 * y)};
          }),
      of_one(
          "silu", [](const Tensor& x, S) { return silu(x); },
          [](double x, double) {
            const double y = sigmoid_of(x), slope = y * (1 - y);
            return times_x(x, {y, slope, slope * (1 - 2 * y)});
          }),
      of_one(
          "gelu", [](const Tensor& x, S) { return gelu(x); },
          [](double x, double) { return gelu_of(x); }),
      of_one(
          "gelu_erf", [](const Tensor& x, S) { return gelu_erf(x); },
          [](double x, double) { return gelu_erf_of(x); }),
      of_one_with_kinks(
          "relu", [](const Node&, const Tensor& x) { return relu(x); },
          [zero](const Node&, const auto& e, bool exact) {
            return compared(e, zero(e), exact) > 0 ? e : zero(e);
          }),
      of_one_with_kinks(
          "abs", [](const Node&, const Tensor& x) { return abs(x); },
          [zero](const Node&, const auto& e, bool exact) {
            const int sign = compared(e, zero(e), exact);
            return times(e, sign);
          }),
      of_one_with_kinks(
          "clamp",
          [](const Node& n, const Tensor& x) {
            return clamp(x, static_cast<S>(n.reals[0]), static_cast<S>(n.reals[1]));
          },
          [zero](const Node& n, const auto& e, bool exact) {
            auto low = zero(e), high = zero(e);
            low.value += n.reals[0];
            high.value += n.reals[1];
            if (compared(e, low, exact) < 0) return low;
            return compared(e, high, exact) > 0 ? high : e;
          }),
      of_one(
          "relu_squared", [](const Tensor& x, S) { return relu_squared(x); },
          [](double x, double) {
            return x > 0 ? Slopes{x * x, 2 * x, 2} : Slopes{0, 0, 0};
          }),
      op(
          "dropout",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            n.numbers = {plan.draws.below(1000)};
            n.reals = {static_cast<double>(plan.draws.below(4)) / 4};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return dropout(x[0], static_cast<S>(n.reals[0]),
                           {.seed = static_cast<std::uint64_t>(n.numbers[0])});
          },
          [](const Node& n, const auto& x) {  // the draws are the engine's
            const Tensor kept = dropout(ones(x[0].shape), static_cast<S>(n.reals[0]),
                                        {.seed = static_cast<std::uint64_t>(n.numbers[0])});
            auto y = x[0];
            for (Index i = 0; i < kept.size(); ++i) {
              y.elements[i] = times(y.elements[i], kept.data()[i] == 0 ? 0 : 1 / (1 - n.reals[0]));
            }
            y.is_exact = false;
            return y;
          }),
      op(
          "masked_fill",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.any()};
            n.indices = {plan.indices(plan.smaller(plan.of(n.inputs[0])), 2)};
            n.reals = {-1.5};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return masked_fill(x[0], n.indices[0], static_cast<S>(n.reals[0]));
          },
          [](const Node& n, const auto& x) {
            using E = std::decay_t<decltype(x[0].elements[0])>;
            return std::decay_t<decltype(x[0])>::from(
                x[0].shape, x[0].is_exact, [&](const Place& p) {
                  E filled;
                  filled.value += n.reals[0];
                  return is_set(n.indices[0], p) ? filled : x[0](p);
                });
          }),
  };
}

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

std::vector<Op> moves() {
  const auto ranked = [](int rank, auto arguments) {
    return [rank, arguments](Plan& plan, Node& n) {
      n.inputs = {plan.ranked(rank)};
      return arguments(plan, plan.of(n.inputs[0]), n);
    };
  };
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
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
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
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
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
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
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
          "split_sizes",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
                   n.numbers = {axis, plan.draws.below(shape[axis] + 1)};
                   return true;
                 }),
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
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
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
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
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
          "topk",
          ranked(1,
                 [](Plan& plan, const Shape& shape, Node& n) {
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
                   n.numbers = {axis, plan.draws.below(shape[axis] + 1)};
                   return true;
                 }),
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
                   const int axis = static_cast<int>(plan.draws.below(shape.rank()));
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

/// Whether query t of T may see key s of S.
bool is_seen(const Node& n, const Place& p, Index targets, Index sources) {
  const Index t = p[p.size() - 2], s = p.back();
  const bool is_causal = n.numbers[0] != 0;
  const Index window = n.numbers[1], last = t + sources - targets;
  if (is_causal && (s > last || (window > 0 && s <= last - window))) return false;
  return n.indices.empty() || is_set(n.indices[0], p);
}

/// Attention of heads q, k, v, with a bias if there is one more input.
template <class N>
N naive_attention(const Node& n, const N& q, const N& k, const N& v, const N* bias) {
  N scores = naive_matmul(q, naive_transpose(k, k.shape.rank() - 2, k.shape.rank() - 1));
  const double scale =
      n.reals[0] != 0 ? n.reals[0] : 1 / std::sqrt(std::max(1., static_cast<double>(q.shape[-1])));
  scores = naive_map(scores, [&](const auto& e) { return times(e, scale); });
  if (bias != nullptr) {
    scores = naive_zip(scores, *bias, [](const auto& a, const auto& b) { return a + b; });
  }
  const Index targets = q.shape[-2], sources = k.shape[-2];
  return naive_matmul(
      naive_softmax(scores, scores.shape.rank() - 1,
                    [&](const Place& p) { return is_seen(n, p, targets, sources); }),
      v);
}

AttentionOptions attention_options(const Node& n, const Tensor& bias) {
  return {.mask = n.indices.empty() ? IndexTensor() : n.indices[0],
          .causal = n.numbers[0] != 0,
          .window = n.numbers[1],
          .bias = bias,
          .scale = static_cast<Scalar>(n.reals[0])};
}

void choose_attention(Plan& plan, Node& n, const Shape& weights) {
  const bool is_causal = plan.draws.chance(50);
  n.numbers = {is_causal ? 1 : 0, is_causal && plan.draws.chance(40) ? 1 + plan.draws.below(3) : 0};
  n.reals = {plan.draws.chance(30) ? 0.25 : 0};
  if (plan.draws.chance(40)) n.indices = {plan.indices(plan.smaller(weights, 1), 2)};
  if (plan.draws.chance(40)) n.inputs.push_back(plan.leaf(plan.smaller(weights, 1)));
}

/// Channels [from, from + heads width) of [B, T, C] as [B, heads, T, width], each head `times`
/// times.
template <class N>
N naive_heads(const N& x, Index from, Index heads, Index width, Index times) {
  return N::from({x.shape[0], heads * times, x.shape[1], width}, x.is_exact, [&](const Place& p) {
    return x({p[0], p[2], from + p[1] / times * width + p[3]});
  });
}

template <class N>
N naive_join(const N& x) {
  const Index width = x.shape[3];
  return N::from({x.shape[0], x.shape[2], x.shape[1] * width}, x.is_exact, [&](const Place& p) {
    return x({p[0], p[2] / width, p[1], p[2] % width});
  });
}

/// x [..., T, D] rotated by positions from `first` on.
template <class N>
N naive_rotary(const N& x, Index first) {
  const Index half = x.shape[-1] / 2;
  return N::from(x.shape, false, [&](const Place& p) {
    const Index i = p.back() % half;
    const double position = static_cast<double>(first + p[p.size() - 2]);
    const double angle =
        position * std::pow(10000., -2. * static_cast<double>(i) / static_cast<double>(2 * half));
    Place other = p;
    const bool is_second = p.back() >= half;
    other.back() = is_second ? i : i + half;
    return times(x(p), std::cos(angle)) +
           times(x(other), is_second ? std::sin(angle) : -std::sin(angle));
  });
}

std::vector<Op> attention() {
  return {
      op(
          "scaled_dot_product_attention",
          [](Plan& plan, Node& n) {
            const Shape batch = plan.shape(static_cast<int>(plan.draws.below(3)));
            const Index targets = plan.size(), sources = plan.size(), width = plan.size(),
                        outer = plan.size();
            const auto of = [&](Index rows, Index columns) {
              Place sizes = sizes_of(batch);
              sizes.push_back(rows);
              sizes.push_back(columns);
              return shape_of(sizes);
            };
            n.inputs = {plan.leaf(of(targets, width)), plan.leaf(of(sources, width)),
                        plan.leaf(of(sources, outer))};
            choose_attention(plan, n, of(targets, sources));
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return scaled_dot_product_attention(
                x[0], x[1], x[2], attention_options(n, x.size() > 3 ? x[3] : Tensor()));
          },
          [](const Node& n, const auto& x) {
            return naive_attention(n, x[0], x[1], x[2], x.size() > 3 ? &x[3] : nullptr);
          }),
      op(
          "packed_self_attention",
          [](Plan& plan, Node& n) {
            const Index batch = plan.size(), time = plan.size(), keys = 1 + plan.draws.below(2),
                        group = 1 + plan.draws.below(3), width = 1 + plan.draws.below(5);
            n.inputs = {plan.leaf({batch, time, (keys * group + 2 * keys) * width})};
            choose_attention(plan, n, {batch, keys * group, time, time});
            n.numbers.insert(n.numbers.end(), {keys, group, width});
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return packed_self_attention(x[0], static_cast<int>(n.numbers[2] * n.numbers[3]),
                                         attention_options(n, x.size() > 1 ? x[1] : Tensor()),
                                         static_cast<int>(n.numbers[2]));
          },
          [](const Node& n, const auto& x) {
            const Index keys = n.numbers[2], group = n.numbers[3], width = n.numbers[4],
                        queries = keys * group;
            return naive_join(
                naive_attention(n, naive_heads(x[0], 0, queries, width, 1),
                                naive_heads(x[0], queries * width, keys, width, group),
                                naive_heads(x[0], (queries + keys) * width, keys, width, group),
                                x.size() > 1 ? &x[1] : nullptr));
          }),
      op(
          "split_heads, repeat_heads, join_heads",
          [](Plan& plan, Node& n) {
            const Index heads = 1 + plan.draws.below(3), width = plan.size();
            n.inputs = {plan.leaf({plan.size(), plan.size(), heads * width})};
            n.numbers = {heads, width, 1 + plan.draws.below(3)};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return join_heads(repeat_heads(split_heads(x[0], n.numbers[0]), n.numbers[2]));
          },
          [](const Node& n, const auto& x) {
            return naive_join(naive_heads(x[0], 0, n.numbers[0], n.numbers[1], n.numbers[2]));
          }),
      op(
          "rotary",
          [](Plan& plan, Node& n) {
            Place sizes = sizes_of(plan.shape(static_cast<int>(plan.draws.below(3))));
            sizes.push_back(plan.size());
            sizes.push_back(2 * (1 + plan.draws.below(4)));
            n.inputs = {plan.leaf(shape_of(sizes))};
            n.numbers = {plan.draws.below(3)};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return rotary(x[0], rotary_table(x[0].size(-2) + 3, x[0].size(-1)), n.numbers[0]);
          },
          [](const Node& n, const auto& x) { return naive_rotary(x[0], n.numbers[0]); }),
      op(
          "packed_rotary",
          [](Plan& plan, Node& n) {
            const Index keys = 1 + plan.draws.below(2), group = 1 + plan.draws.below(2),
                        width = 2 * (1 + plan.draws.below(3));
            n.inputs = {plan.leaf({plan.size(), plan.size(), (keys * group + 2 * keys) * width})};
            n.numbers = {plan.draws.below(3), keys, group, width};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return packed_rotary(x[0], static_cast<int>(n.numbers[1] * n.numbers[2]),
                                 rotary_table(x[0].size(1) + 3, n.numbers[3]), n.numbers[0],
                                 static_cast<int>(n.numbers[1]));
          },
          [](const Node& n, const auto& x) {
            const Index keys = n.numbers[1], queries = keys * n.numbers[2], width = n.numbers[3];
            const auto turned = [&](Index from, Index heads) {
              return naive_join(
                  naive_rotary(naive_heads(x[0], from, heads, width, 1), n.numbers[0]));
            };
            return naive_concat(
                std::vector{turned(0, queries), turned(queries * width, keys),
                            naive_slice(x[0], 2, (queries + keys) * width, x[0].shape[2])},
                2);
          }),
      op(
          "token_shift",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.ranked(2)};
            Index left = plan.of(n.inputs[0])[-1];
            for (int i = 0; i < 3; ++i) {
              n.numbers.push_back(plan.draws.below(left + 1));
              left -= n.numbers.back();
            }
            n.numbers.push_back(left);
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return token_shift(x[0], {n.numbers[0], n.numbers[1], n.numbers[2], n.numbers[3]});
          },
          [](const Node& n, const auto& x) {
            return std::decay_t<decltype(x[0])>::from(x[0].shape, x[0].is_exact, [&](Place p) {
              Index back = 0;
              for (Index end = n.numbers[0]; p.back() >= end; end += n.numbers[++back]) {
              }
              Index& time = p[p.size() - 2];
              if (time < back) return std::decay_t<decltype(x[0].elements[0])>();
              time -= back;
              return x[0](p);
            });
          }),
  };
}

const std::vector<Op>& all_ops() {
  static const std::vector<Op> all = [] {
    std::vector<Op> list;
    for (const auto& part : {elementwise(), over_axes(), products(), moves(), attention()}) {
      list.insert(list.end(), part.begin(), part.end());
    }
    return list;
  }();
  return all;
}

bool Plan::add(const Op& chosen_op, Node node) {
  node.op = &chosen_op;
  std::vector<Naive<double>> inputs;
  for (const int i : node.inputs) inputs.push_back(values[i]);
  Naive<double> y = chosen_op.in_double(node, inputs);
  if (y.shape.size() > 4000) return false;
  for (const auto& e : y.elements) {
    const double slope = std::max({std::abs(e.slope_u), std::abs(e.slope_v), std::abs(e.slope_uv)});
    if (!(std::abs(e.value) <= kLargest && slope <= kLargestSlope)) return false;
  }
  for (const int i : node.inputs) nodes[i].is_used = true;
  push(std::move(node), std::move(y));
  return true;
}

int Plan::apply(const char* name, std::vector<int> inputs, std::vector<double> reals) {
  for (const Op& each : all_ops()) {
    if (std::strcmp(each.name, name) == 0) {
      Node node{.inputs = std::move(inputs), .reals = std::move(reals)};
      if (node.reals.empty()) node.reals = {0};
      return add(each, std::move(node)) ? static_cast<int>(nodes.size()) - 1 : -1;
    }
  }
  return -1;
}

/// Draws a graph of about a dozen ops.
Plan draw(std::uint64_t seed) {
  Plan plan(seed);
  const Index wanted = 2 + plan.draws.below(10);
  Index made = 0;
  for (int attempt = 0; attempt < 60 && made < wanted; ++attempt) {
    const std::size_t before = plan.nodes.size();
    const std::vector<Node> kept = plan.nodes;
    const Op& op = all_ops()[plan.draws.below(static_cast<Index>(all_ops().size()))];
    Node node;
    if (op.choose(plan, node) && plan.add(op, std::move(node))) {
      ++made;
    } else {
      plan.nodes = kept;
      plan.values.resize(before);
    }
  }
  return plan;
}

std::string shown(const Node& node, const std::vector<Shape>& shapes, std::size_t number) {
  std::string line = text("  ", number, ": ", node.op == nullptr ? "leaf" : node.op->name);
  for (const int i : node.inputs) line += text(" ", i);
  for (const Index i : node.numbers) line += text(", ", i);
  for (const double r : node.reals) line += text(", ", r);
  for (const IndexTensor& i : node.indices) line += text(", indices ", i.shape());
  return line + text(" -> ", shapes[number], "\n");
}

/// The numbers in which a graph is compared.
struct Results {
  Tensors values;     ///< of each node
  Tensors gradients;  ///< of each leaf
  double first = 0;   ///< the slope of the loss along u
  double second = 0;  ///< the slope along v of that slope
};

Tensor tensor_of(const Naive<double>& x, double Dual<double>::*part) {
  Tensor y(x.shape);
  for (Index i = 0; i < y.size(); ++i)
    y.mutable_data()[i] = static_cast<Scalar>(x.elements[i].*part);
  return y;
}

/// The weight of element i of a node in the loss.
double weight(std::size_t node, Index i) {
  return static_cast<double>((node * 31 + static_cast<std::size_t>(i) * 17) % 13) / 8 - 0.75;
}

double inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += static_cast<double>(a.data()[i]) * b.data()[i];
  return sum;
}

/// Computes a graph with the engine.
Results run(const Plan& plan, bool twice) {
  Results results;
  Tensors leaves, u, v;
  Tensors values;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const Node& node = plan.nodes[i];
    if (node.op == nullptr) {
      values.push_back(tensor_of(plan.values[i], &Dual<double>::value).set_requires_grad());
      leaves.push_back(values.back());
      u.push_back(tensor_of(plan.values[i], &Dual<double>::slope_u));
      v.push_back(tensor_of(plan.values[i], &Dual<double>::slope_v));
      continue;
    }
    Tensors inputs;
    for (const int k : node.inputs) inputs.push_back(values[k]);
    values.push_back(node.op->engine(node, inputs));
  }
  Tensor loss = scalar(0);
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].is_used) continue;
    Tensor w(values[i].shape());
    for (Index k = 0; k < w.size(); ++k) w.mutable_data()[k] = static_cast<Scalar>(weight(i, k));
    loss = loss + sum(values[i] * w);
  }
  for (const Tensor& y : values) results.values.push_back(y.detach());
  results.values.push_back(loss.detach());
  const Tensors slopes = grad({loss}, leaves, {.create_graph = twice});
  Tensor along_v = scalar(0);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    results.gradients.push_back(slopes[i].detach().clone());
    results.first += inner(slopes[i], u[i]);
    if (twice) along_v = along_v + sum(slopes[i] * v[i]);
  }
  if (twice && along_v.requires_grad()) {
    const Tensors seconds = grad({along_v}, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) results.second += inner(seconds[i], u[i]);
  }
  return results;
}

/// Computes a graph with naive loops; the last value is the loss.
template <class Real>
std::vector<Naive<Real>> run_naive(const Plan& plan) {
  std::vector<Naive<Real>> values;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const Node& node = plan.nodes[i];
    if (node.op == nullptr) {
      Naive<Real> x(plan.values[i].shape, true);
      for (std::size_t k = 0; k < x.elements.size(); ++k) {
        const Dual<double>& e = plan.values[i].elements[k];
        x.elements[k] = {static_cast<Real>(e.value), static_cast<Real>(e.slope_u),
                         static_cast<Real>(e.slope_v), 0};
      }
      values.push_back(std::move(x));
      continue;
    }
    std::vector<Naive<Real>> inputs;
    for (const int k : node.inputs) inputs.push_back(values[k]);
    if constexpr (std::is_same_v<Real, double>) {
      values.push_back(node.op->in_double(node, inputs));
    } else {
      values.push_back(node.op->in_float(node, inputs));
    }
  }
  Naive<Real> loss{Shape{}};
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].is_used) continue;
    for (std::size_t k = 0; k < values[i].elements.size(); ++k) {
      loss.elements[0] =
          loss.elements[0] + times(values[i].elements[k], weight(i, static_cast<Index>(k)));
    }
  }
  values.push_back(loss);
  return values;
}

double largest(const Naive<double>& x, double Dual<double>::*part) {
  double most = 0;
  for (const auto& e : x.elements) most = std::max(most, std::abs(e.*part));
  return most;
}

enum class Verdict { kSame, kUndecided, kDifferent };

/// Compares one graph; `report` gets what differs.
Verdict compare(const Plan& plan, std::string& report) {
  std::vector<Shape> shapes;
  for (const auto& value : plan.values) shapes.push_back(value.shape);
  const auto differs = [&](const std::string& what) {
    report += what + "\n";
    return Verdict::kDifferent;
  };
  is_undecided = false;
  const auto expected = run_naive<double>(plan);
  const auto rounded = kIsDouble ? std::vector<Naive<float>>() : run_naive<float>(plan);
  if (is_undecided || plan.nodes.empty()) return Verdict::kUndecided;

  Results got;
  try {
    got = run(plan, true);
  } catch (const std::exception& error) {
    return differs(text("the engine refuses: ", error.what()));
  }
  // The error that rounding explains: in float, twenty times the error of plain loops.
  const auto bound = [&](double size, double rounding) {
    return kIsDouble ? 1e-9 * size : 20 * rounding + 2e-5 * size;
  };
  double size_first = 1, size_second = 1, error_first = 0, error_second = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& e = expected[i];
    const Tensor& y = got.values[i];
    if (y.shape() != e.shape) {
      return differs(text("node ", i, " has shape ", y.shape(), ", expected ", e.shape));
    }
    double error = 0;
    for (std::size_t k = 0; k < (kIsDouble ? 0 : e.elements.size()); ++k) {
      const auto& a = e.elements[k];
      const auto& b = rounded[i].elements[k];
      error = std::max(error, std::abs(a.value - b.value));
      error_first = std::max(error_first, std::abs(a.slope_u - b.slope_u));
      error_second = std::max(error_second, std::abs(a.slope_uv - b.slope_uv));
    }
    const double size = std::max(1.0, largest(e, &Dual<double>::value));
    size_first = std::max({size_first, largest(e, &Dual<double>::slope_u)});
    size_second =
        std::max({size_second, largest(e, &Dual<double>::slope_uv),
                  largest(e, &Dual<double>::slope_u) * largest(e, &Dual<double>::slope_v)});
    for (std::size_t k = 0; k < e.elements.size(); ++k) {
      const double found = y.data()[k], wanted = e.elements[k].value;
      if (!(std::abs(found - wanted) <= bound(size, error))) {
        return differs(text("node ", i, ", element ", k, ": got ", found, ", expected ", wanted,
                            ", allowed difference ", bound(size, error)));
      }
    }
  }
  const auto& loss = expected.back().elements[0];
  for (std::size_t i = 0, leaf = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].op != nullptr) continue;
    double most = 0;
    for (const Scalar g : got.gradients[leaf++].values())
      most = std::max<double>(most, std::abs(g));
    size_first =
        std::max(size_first, most * static_cast<double>(std::max<Index>(1, shapes[i].size())));
  }
  size_second = std::max(size_second, size_first);
  if (!(std::abs(got.first - loss.slope_u) <= bound(size_first, error_first))) {
    return differs(text("slope of the loss: got ", got.first, ", expected ", loss.slope_u,
                        ", allowed difference ", bound(size_first, error_first)));
  }
  if (!(std::abs(got.second - loss.slope_uv) <= 10 * bound(size_second, error_second))) {
    return differs(text("second slope of the loss: got ", got.second, ", expected ", loss.slope_uv,
                        ", allowed difference ", 10 * bound(size_second, error_second)));
  }
  // The composed path, and the fused path once more without a graph of the pass.
  const Results again = run(plan, false);
  Results composed;
  {
    const ComposedOps in_words;
    composed = run(plan, false);
  }
  const Results repeated = run(plan, false);
  for (std::size_t i = 0; i < again.gradients.size(); ++i) {
    if (again.gradients[i].values() != repeated.gradients[i].values()) {
      return differs(text("gradient of leaf ", i, " has other bits in a second run"));
    }
    for (const auto* other : {&composed, &got}) {
      const Tensor &a = again.gradients[i], &b = other->gradients[i];
      double most = 1;
      for (const Scalar g : a.values()) most = std::max<double>(most, std::abs(g));
      const double allowed = bound(std::max(most, size_first), error_first);
      for (Index k = 0; k < a.size(); ++k) {
        if (!(std::abs(double{a.data()[k]} - double{b.data()[k]}) <= allowed)) {
          return differs(text("gradient of leaf ", i, ", element ", k, ": ", a.data()[k],
                              other == &composed ? " fused, " : " without create_graph, ",
                              b.data()[k], other == &composed ? " composed" : " with it",
                              ", allowed difference ", allowed));
        }
      }
    }
  }
  return Verdict::kSame;
}

std::string shown(const Plan& plan) {
  std::vector<Shape> shapes;
  for (const auto& value : plan.values) shapes.push_back(value.shape);
  std::string all;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) all += shown(plan.nodes[i], shapes, i);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 1;
  std::uint64_t seed = 1, one = 0;
  long most = 1L << 40;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--seconds") seconds = std::atof(argv[i + 1]);
    if (flag == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (flag == "--graph") one = std::strtoull(argv[i + 1], nullptr, 10);
    if (flag == "--graphs") most = std::atol(argv[i + 1]);
  }
  nearness = kIsDouble ? 1e-9 : 1e-4;
  const auto begin = std::chrono::steady_clock::now();
  long same = 0, undecided = 0, different = 0;
  for (std::uint64_t number = one != 0 ? one : seed << 24 | 1;; ++number) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (one == 0 && (passed.count() >= seconds || same + undecided >= most || different == 5))
      break;
    const Plan plan = draw(number);
    if (one != 0) std::fputs(shown(plan).c_str(), stdout);
    std::string report;
    const Verdict verdict = compare(plan, report);
    ++(verdict == Verdict::kSame ? same : verdict == Verdict::kUndecided ? undecided : different);
    if (verdict == Verdict::kDifferent) {
      std::printf("graph %llu: %s%s", static_cast<unsigned long long>(number), report.c_str(),
                  one == 0 ? shown(plan).c_str() : "");
    }
    if (one != 0) break;
  }
  std::printf("%ld graphs agree, %ld undecided\n", same, undecided);
  return different == 0 ? 0 : 1;
}
