/// @file
/// Draws the graph behind a tensor as Graphviz DOT text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup inspection
/// @{

/// Names to show for tensors in a drawing.
using TensorNames = std::vector<std::pair<std::string, Tensor>>;

/// DOT text of the graph that computed `y`: leaves are boxes, ops are ellipses, `y` has a double
/// outline. Each shows its op, its shape and its name, if `names` has one. Arrows lead from an op's
/// inputs to the op; an input that is used twice has two arrows. Tensors that need no gradient are
/// not in the graph and not drawn. The same graph always gives the same text.
/// @throws std::invalid_argument if y has no graph, or backward() has freed it.
///
/// @code
/// std::cout << draw_graph(loss, {{"x", x}, {"w", w}});  // program | dot -Tsvg > graph.svg
/// @endcode
std::string draw_graph(const Tensor& y, const TensorNames& names = {});

/// @}

}  // namespace gradus
