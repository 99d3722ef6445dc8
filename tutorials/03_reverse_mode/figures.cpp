#include "tutorials/03_reverse_mode/figures.h"

#include <cstdio>
#include <map>
#include <string>

#include "tutorials/common/graph_steps.h"
#include "tutorials/common/plot.h"

using namespace course;
using engine::Value;

namespace {

std::string written(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

}  // namespace

void draw_steps(const std::vector<Value>& nodes) {
  const std::vector<std::string> words = {"a", "b", "s = a + b", "t = s + b", "y = s t"};
  std::map<const engine::Node*, std::size_t> place;
  std::vector<GraphBox> boxes;
  for (const Value& node : nodes) {
    GraphBox box{.words = words[boxes.size()], .value = written(node->value)};
    for (const auto& [input, slope] : node->edges) {
      box.inputs.push_back({.box = place.at(input.get()), .slope = written(slope)});
    }
    place[node.get()] = boxes.size();
    boxes.push_back(box);
  }
  std::vector<double> grads(boxes.size());
  std::vector<std::string> shown(boxes.size());
  std::vector<GraphStep> steps = {
      {.words = "Forward pass: each box has its value, each arrow its slope. No gradient yet.",
       .grads = shown}};
  grads.back() = 1;
  shown.back() = "1";
  steps.push_back({.words = "The slope of y by itself is 1.",
                   .grads = shown,
                   .box = static_cast<int>(boxes.size()) - 1});
  for (std::size_t i = nodes.size(); i-- > 0;) {
    for (std::size_t k = 0; k < nodes[i]->edges.size(); ++k) {
      const auto& [input, slope] = nodes[i]->edges[k];
      const std::size_t to = place.at(input.get());
      const double share = grads[i] * slope, before = grads[to];
      const bool first = shown[to].empty();
      grads[to] += share;
      shown[to] = written(grads[to]);
      std::string said = words[i].substr(0, 1) + " passes to " + words[to].substr(0, 1) +
                         " its gradient times the slope: " + written(grads[i]) + " x " +
                         written(slope) + " = " + written(share) + ". ";
      said += first ? "It is the first to arrive."
                    : "It is added to what was there: " + written(before) + " + " + written(share) +
                          " = " + shown[to] + ".";
      steps.push_back({.words = said,
                       .grads = shown,
                       .box = static_cast<int>(i),
                       .input = static_cast<int>(k)});
    }
  }
  steps.back().words += " Done: a and b have no inputs.";
  write_figure("graph.html",
               graph_steps("backward_steps",
                           "The graph of y = s t with s = a + b, t = s + b: arrows lead from a and "
                           "b to s, from s and b to t, from s and t to y.",
                           "The backward pass, step by step: the buttons, or the arrow keys.",
                           boxes, steps));
}

void draw_moons(const moons::Net& net, const std::vector<moons::Point>& points) {
  Series upper{"upper", {}, {}}, lower{"lower", {}, {}},
      border{"where the net gives 0", {}, {}, "points pt 7 ps 0.2 lc rgb '#009E73'"};
  for (const auto& [x, y, side] : points) {
    Series& mine = side > 0 ? upper : lower;
    mine.x.push_back(x), mine.y.push_back(y);
  }
  // Where the net changes its sign between neighbours on a grid, with a straight line between them.
  const double h = 0.02;
  const auto at = [&](double x, double y) { return net(x, y)->value; };
  for (double x = -1.4; x < 2.4; x += h) {
    for (double y = -0.9; y < 1.4; y += h) {
      const double here = at(x, y), right = at(x + h, y), above = at(x, y + h);
      if ((here > 0) != (right > 0)) {
        border.x.push_back(x + h * here / (here - right)), border.y.push_back(y);
      }
      if ((here > 0) != (above > 0)) {
        border.x.push_back(x), border.y.push_back(y + h * here / (here - above));
      }
    }
  }
  plot_points("moons",
              {.title = "Two moons and their border", .x = "first input", .y = "second input"},
              {upper, lower, border});
}
