// rejected: no node is used twice
#include "tutorials/03_reverse_mode/exercises.h"

int my_expression(Graph& graph, int a, int b) {
  return graph.add(graph.multiply(a, b), graph.leaf(3));
}
