/// @file
/// Draws the nodes of a graph, and prints them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "autograd/check.h"
#include "tests/trust/graphs.h"

namespace gradus::trust {

using detail::text;

namespace {

constexpr double kLargest = 16, kLargestSlope = 1e4;

const std::vector<Op>& all_ops() {
  static const std::vector<Op> all = [] {
    std::vector<Op> list;
    for (const auto& part :
         {elementwise(), over_axes(), products(), moves(), selections(), attention()}) {
      list.insert(list.end(), part.begin(), part.end());
    }
    return list;
  }();
  return all;
}

std::string shown(const Node& node, const std::vector<Shape>& shapes, std::size_t number) {
  std::string line = text("  ", number, ": ", node.op == nullptr ? "leaf" : node.op->name);
  for (const int i : node.inputs) line += text(" ", i);
  for (const Index i : node.numbers) line += text(", ", i);
  for (const double r : node.reals) line += text(", ", r);
  for (const IndexTensor& i : node.indices) line += text(", indices ", i.shape());
  return line + text(" -> ", shapes[number], "\n");
}

}  // namespace

int Plan::leaf(const Shape& shape) {
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

int Plan::push(Node node, Naive<double> value) {
  nodes.push_back(std::move(node));
  values.push_back(std::move(value));
  return static_cast<int>(nodes.size()) - 1;
}

Index Plan::size() {
  const Index kind = draws.below(40);
  return kind < 2 ? 0 : kind < 8 ? 1 : kind == 8 ? 17 + draws.below(20) : 2 + draws.below(4);
}

Shape Plan::shape(int rank) {
  Place sizes;
  for (int i = 0; i < rank; ++i) sizes.push_back(size());
  return shape_of(sizes);
}

int Plan::any() {
  return nodes.empty() || draws.chance(20)
             ? leaf(shape())
             : static_cast<int>(draws.below(static_cast<Index>(nodes.size())));
}

int Plan::ranked(int rank) {
  for (int i = 0; i < 4; ++i) {
    const int node = any();
    if (of(node).rank() >= rank) return node;
  }
  return leaf(shape(rank));
}

int Plan::beside(const Shape& shape) {
  for (int i = 0; i < 3 && !nodes.empty(); ++i) {
    const int node = static_cast<int>(draws.below(static_cast<Index>(nodes.size())));
    if (of(node) == shape) return node;
  }
  return leaf(smaller(shape));
}

Shape Plan::smaller(const Shape& shape, int rank) {
  Place sizes = sizes_of(shape);
  sizes.erase(sizes.begin(), sizes.begin() + draws.below(shape.rank() - rank + 1));
  for (Index& size : sizes) size = draws.chance(30) ? 1 : size;
  return shape_of(sizes);
}

IndexTensor Plan::indices(const Shape& shape, Index below) {
  IndexTensor y(shape);
  std::int32_t* to = y.mutable_data();
  for (Index i = 0; i < y.size(); ++i) to[i] = static_cast<std::int32_t>(draws.below(below));
  return y;
}

double Plan::least(int node) const {
  double least = INFINITY;
  for (const auto& e : values[node].elements) least = std::min(least, e.value);
  return least;
}

int Plan::positive(int node) {
  if (least(node) >= 0.25) return node;
  const int square = apply("mul", {node, node});
  return square < 0 ? leaf_positive(of(node)) : apply("x + s", {square}, {0.5});
}

int Plan::leaf_positive(const Shape& shape) {
  const int made = leaf(shape);
  for (auto& e : values[made].elements) e.value = std::abs(e.value) + 0.25;
  return made;
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

bool is_set(const IndexTensor& mask, const Place& place) {
  return mask.data()[offset_of(mask.shape(), place)] != 0;
}

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

std::string shown(const Plan& plan) {
  std::vector<Shape> shapes;
  for (const auto& value : plan.values) shapes.push_back(value.shape);
  std::string all;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) all += shown(plan.nodes[i], shapes, i);
  return all;
}

}  // namespace gradus::trust
