/// @file
/// Declarations that the sources graphs*.cpp share: an op, a graph while it is drawn, the lists of
/// ops, and the comparison. Each list of ops has a source: elementwise() is in
/// graphs_elementwise.cpp, over_axes() in graphs_axes.cpp, the others in the source of their name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gradus/engine.h"
#include "tests/trust/naive.h"

namespace gradus::trust {

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

/// A graph while it is drawn: each node's values are known from the naive ops.
class Plan {
 public:
  explicit Plan(std::uint64_t seed) : draws(seed) {}

  int leaf(const Shape& shape);
  int push(Node node, Naive<double> value);
  Index size();
  Shape shape(int rank);
  Shape shape() { return shape(static_cast<int>(draws.below(5))); }
  /// Any node, or a new leaf.
  int any();
  /// A node of this rank or more.
  int ranked(int rank);
  /// A node that broadcasts with this shape: a leaf with some sizes 1, or fewer axes.
  int beside(const Shape& shape);
  /// A shape of at least `rank` axes that broadcasts to this one.
  Shape smaller(const Shape& shape, int rank = 0);
  int axis(int node) { return static_cast<int>(draws.below(of(node).rank())); }
  /// An axis as a caller may write it, from the front or the back.
  int either(int axis, int rank) { return draws.chance(50) ? axis : axis - rank; }
  IndexTensor indices(const Shape& shape, Index below);
  const Shape& of(int node) const { return values[node].shape; }
  double least(int node) const;
  /// Adds a node, unless its values or slopes are too large to compare.
  bool add(const Op& op, Node node);
  /// Adds an op with these inputs and arguments.
  int apply(const char* op, std::vector<int> inputs, std::vector<double> reals = {});
  /// A node of the same shape with positive numbers.
  int positive(int node);
  int leaf_positive(const Shape& shape);

  Draws draws;
  std::vector<Node> nodes;
  std::vector<Naive<double>> values;
};

/// Whether a mask, which may have fewer axes or sizes of 1, is set at a place.
bool is_set(const IndexTensor& mask, const Place& place);

template <class Choose, class Engine, class Loops>
Op op(const char* name, Choose choose, Engine engine, Loops loops) {
  return {name, choose, engine, [loops](const Node& n, const auto& x) { return loops(n, x); },
          [loops](const Node& n, const auto& x) { return loops(n, x); }};
}

/// Chooses a node of this rank or more, and then arguments that fit its shape.
template <class Arguments>
auto ranked(int rank, Arguments arguments) {
  return [rank, arguments](Plan& plan, Node& n) {
    n.inputs = {plan.ranked(rank)};
    return arguments(plan, plan.of(n.inputs[0]), n);
  };
}

/// Arguments for ranked(): an axis, and a number from 0 to its size.
inline bool axis_and_count(Plan& plan, const Shape& shape, Node& n) {
  const int axis = plan.axis(n.inputs[0]);
  n.numbers = {axis, plan.draws.below(shape[axis] + 1)};
  return true;
}

std::vector<Op> elementwise();  ///< of one tensor or two, element by element
std::vector<Op> over_axes();    ///< reductions, softmax, losses, norms
std::vector<Op> products();     ///< of matrices
std::vector<Op> moves();        ///< reshapes, parts and joins
std::vector<Op> selections();   ///< elements that indices or comparisons select
std::vector<Op> attention();    ///< attention, heads, rotary encoding, token shift

/// Draws a graph of about a dozen ops.
Plan draw(std::uint64_t seed);

/// The nodes of a graph, one a line.
std::string shown(const Plan& plan);

enum class Verdict { kSame, kUndecided, kDifferent };

/// Compares one graph; `report` gets what differs.
Verdict compare(const Plan& plan, std::string& report);

}  // namespace gradus::trust
