// Exercise 03.3, 15 minutes: inputs first.
//
// All nodes that `result` was made of, itself among them, each once and after all its inputs. The
// numbers of the nodes say nothing: a node's inputs may be numbered above it, and there may be
// nodes that have nothing to do with the result. graph.edges(node) are a node's inputs: each has
// .input, a node, and .slope.
#include "tutorials/03_reverse_mode/exercises.h"

std::vector<int> my_order(const Graph& graph, int result) { return {result}; }
