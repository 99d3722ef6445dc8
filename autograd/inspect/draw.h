/// @file
/// The graph behind a tensor as a picture, in the language of Graphviz.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup inspection
/// @{

/// Names for tensors of a drawing.
using TensorNames = std::vector<std::pair<std::string, Tensor>>;

/// DOT text of the graph that `y` was computed by: leaves are boxes, ops ellipses, `y` has a double
/// line; each shows its name if it has one in `names`, its op and its shape. Arrows lead from an
/// op's inputs to the op, twice from an input that is used twice. Tensors that want no gradient are
/// not in the graph, and not drawn. The same graph gives the same text.
/// @throws std::invalid_argument if y has no graph, or backward() freed it.
///
/// @code
/// std::cout << draw_graph(loss, {{"x", x}, {"w", w}});  // program | dot -Tsvg > graph.svg
/// @endcode
std::string draw_graph(const Tensor& y, const TensorNames& names = {});

/// @}

}  // namespace gradus
