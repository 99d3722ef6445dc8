/// @file
/// A graph of numbers that steps through its backward pass: a figure to click through.
///
/// What comes out is a piece of HTML for \htmlinclude: an SVG, two buttons and a little JavaScript,
/// which fetches nothing, keeps to itself and takes the page's colours. Without JavaScript the
/// first step stays.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace course {

/// A number of the graph, drawn as a box.
struct GraphBox {
  /// One of the numbers that it was made of.
  struct Input {
    std::size_t box;    ///< its place among the boxes, before this one
    std::string slope;  ///< what stands at the arrow
  };
  std::string words;  ///< such as "s = a + b"
  std::string value;
  std::vector<Input> inputs = {};
};

/// What the figure shows at one step.
struct GraphStep {
  std::string words;               ///< what happens, in a sentence
  std::vector<std::string> grads;  ///< of each box; empty where none has arrived
  int box = -1;                    ///< whose turn it is; none: -1
  int input = -1;                  ///< the arrow of that box along which something goes back
};

/// The figure. `id` must be a name of its own on the page; `title` is read aloud for the drawing,
/// `caption` stands under it.
std::string graph_steps(const std::string& id, const std::string& title, const std::string& caption,
                        const std::vector<GraphBox>& boxes, const std::vector<GraphStep>& steps);

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}
