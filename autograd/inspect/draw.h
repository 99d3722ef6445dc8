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

/// Returns DOT text of the graph that computed `y`. Leaves are boxes, ops are ellipses, and `y` has
/// a double outline. Each box or ellipse shows the op, the shape, and the name if `names` has one.
/// Arrows lead from an op's inputs to the op; an input that is used twice has two arrows. Tensors
/// that require no gradient are not in the graph and are not drawn. The same graph always gives the
/// same text.
/// @throws std::invalid_argument if y has no graph, or backward() has freed it.
///
/// @code
/// std::cout << draw_graph(loss, {{"x", x}, {"w", w}});  // program | dot -Tsvg > graph.svg
/// @endcode
std::string draw_graph(const Tensor& y, const TensorNames& names = {});

/// @}

}  // namespace gradus
