/// @file
/// Draws a graph of numbers as a figure that steps through its backward pass at each click.
///
/// The result is a piece of HTML for \htmlinclude: an SVG, two buttons and a little JavaScript,
/// which loads no file and sets no global name. The figure takes the page's colours. Without
/// JavaScript it shows the first step.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace course {

/// A number of the graph, drawn as a box.
struct GraphBox {
  /// One of the numbers that it was computed from.
  struct Input {
    std::size_t box;    ///< its place among the boxes, before this one
    std::string slope;  ///< the text at the arrow
  };
  std::string words;  ///< such as "s = a + b"
  std::string value;
  std::vector<Input> inputs = {};
};

/// One step of the figure.
struct GraphStep {
  std::string words;               ///< a sentence that describes the step
  std::vector<std::string> grads;  ///< for each box; empty if none has arrived
  int box = -1;                    ///< the box of this step; none: -1
  int input = -1;                  ///< the arrow of that box along which a gradient goes back
};

/// The figure as HTML. `id` must be unique on the page; screen readers read `title` for the
/// drawing, and `caption` stands under it.
std::string graph_steps(const std::string& id, const std::string& title, const std::string& caption,
                        const std::vector<GraphBox>& boxes, const std::vector<GraphStep>& steps);

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}
