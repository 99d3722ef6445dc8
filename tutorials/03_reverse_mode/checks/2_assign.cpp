#include <algorithm>

#include "tutorials/03_reverse_mode/exercises.h"
#include "tutorials/common/check.h"

using namespace gradus;

namespace {

/// Gradients of a graph whose nodes stand behind their inputs. Nodes that the result was not made
/// of hand nothing on.
std::vector<double> walk(const Graph& graph, int result, bool adding) {
  std::vector<double> grads(static_cast<std::size_t>(graph.size()));
  std::vector<bool> reached(grads.size());
  grads[static_cast<std::size_t>(result)] = 1;
  reached[static_cast<std::size_t>(result)] = true;
  for (std::size_t i = static_cast<std::size_t>(result) + 1; i-- > 0;) {
    if (!reached[i]) continue;
    for (const auto& [input, slope] : graph.edges(static_cast<int>(i))) {
      const auto to = static_cast<std::size_t>(input);
      grads[to] = (adding ? grads[to] : 0) + grads[i] * slope;
      reached[to] = true;
    }
  }
  return grads;
}

int uses(const Graph& graph, int node) {
  int count = 0;
  for (int i = 0; i < graph.size(); ++i) {
    count += static_cast<int>(std::ranges::count(graph.edges(i), node, &Graph::Edge::input));
  }
  return count;
}

}  // namespace

int main() {
  return run_check([] {
    for (const auto& [x, y] : {std::pair{1.0, 2.0}, {-3.0, 0.5}}) {
      Graph graph;
      const int a = graph.leaf(x), b = graph.leaf(y), result = my_expression(graph, a, b);
      if (result < 0 || result >= graph.size()) red("the result is not a node of the graph");
      for (const int leaf : {a, b}) {
        if (const int count = uses(graph, leaf); count > 1) {
          red(std::string(leaf == a ? "a" : "b") + " is used " + std::to_string(count) +
              " times, and once is asked: let what was made of it be shared");
        }
      }
      const std::vector<double> right = walk(graph, result, true),
                                wrong = walk(graph, result, false);
      std::printf("a = %g, b = %g: slopes by += are %g and %g, by = they are %g and %g\n", x, y,
                  right[0], right[1], wrong[0], wrong[1]);
      if (right[0] == wrong[0] && right[1] == wrong[1]) {
        int most = 0;
        for (int i = 0; i < graph.size(); ++i) most = std::max(most, uses(graph, i));
        red(most < 2 ? "both agree: no node is used twice"
                     : "both agree, though a node is used twice: only what the result was made of "
                       "hands anything back, and a share of 0 is not missed");
      }
      green("= is wrong here");
    }
  });
}
