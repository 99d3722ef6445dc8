#include "tutorials/common/check.h"

#include <algorithm>

#include "tutorials/03_reverse_mode/exercises.h"

using gradus::green, gradus::red;

namespace {

/// The slopes by a and b, from a pass that adds all arriving slopes, or one that keeps the last.
std::pair<double, double> slopes(double a_value, double b_value, bool adding) {
  const Value a = number(a_value), b = number(b_value);
  const Value result = my_expression(a, b);
  if (!result) red("the result is no value");
  const std::vector<Node*> order = engine::order_of(result);
  result->grad = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const auto& [input, slope] : order[i]->edges) {
      input->grad = (adding ? input->grad : 0) + order[i]->grad * slope;
    }
  }
  return {a->grad, b->grad};
}

int uses(const std::vector<Node*>& order, const Node* wanted) {
  int count = 0;
  for (const Node* node : order) {
    for (const Edge& edge : node->edges) count += edge.input.get() == wanted;
  }
  return count;
}

}  // namespace

CHECK_ANSWER() {
  const Value a = number(1), b = number(2), result = my_expression(a, b);
  if (!result) red("the result is no value");
  const std::vector<Node*> order = engine::order_of(result);
  for (const Value& leaf : {a, b}) {
    const int count = uses(order, leaf.get());
    const std::string name = leaf == a ? "a" : "b";
    if (count > 1) {
      red(name, " is used ", count,
          " times, and once is asked: let something computed from it be shared");
    }
    if (count == 0) red("the result does not depend on ", name);
  }
  for (const auto& [x, y] : {std::pair{1.0, 2.0}, {-3.0, 0.5}}) {
    const auto right = slopes(x, y, true), wrong = slopes(x, y, false);
    for (const double slope : {right.first, right.second}) {
      if (!std::isfinite(slope)) {
        red("the slope by += is ", slope, ": an expression with finite slopes is asked");
      }
    }
    std::printf("a = %g, b = %g: slopes by += are %g and %g, by = they are %g and %g\n", x, y,
                right.first, right.second, wrong.first, wrong.second);
    if (right == wrong) {
      int most = 0;
      for (const Node* node : order) most = std::max(most, uses(order, node));
      red(most < 2 ? "both agree: no node is used twice"
                   : "both agree, though a node is used twice: what the last user passes back is "
                     "the whole gradient");
    }
    green("= is wrong here");
  }
}
