// rejected: a is used 2 times
#include "tutorials/03_reverse_mode/exercises.h"

int my_expression(Graph& graph, int a, int b) { return graph.add(graph.multiply(a, b), a); }
