// rejected: only what the result was made of hands anything back
#include "tutorials/03_reverse_mode/exercises.h"

int my_expression(Graph& graph, int a, int b) {
  const int product = graph.multiply(a, b);
  graph.add(product, product);
  return graph.multiply(product, graph.leaf(2));
}
