// Exercise 03.2, 5 minutes: where = is not +=.
//
// Make an expression of a and b on which an engine that says grad = where it should say grad +=
// is wrong, for a or for b. Use a once and b once. The tools are graph.leaf(2.0), graph.add(p, q)
// and graph.multiply(p, q), which give nodes; return the node of the result.
#include "tutorials/03_reverse_mode/exercises.h"

int my_expression(Graph& graph, int a, int b) { return graph.multiply(a, b); }
