// rejected: which say nothing about their order
#include "tutorials/03_reverse_mode/exercises.h"

std::vector<double> my_gradients(const Graph& graph, int result) {
  std::vector<double> gradients(static_cast<std::size_t>(graph.size()), 0.0);
  gradients.at(static_cast<std::size_t>(result)) = 1;
  for (int node = graph.size() - 1; node >= 0; --node) {
    const double dy = gradients[static_cast<std::size_t>(node)];
    for (const Graph::Edge& edge : graph.edges(node)) {
      gradients[static_cast<std::size_t>(edge.input)] += dy * edge.slope;
    }
  }
  return gradients;
}
