#include "tutorials/03_reverse_mode/checking.h"

using gradus::green, gradus::red;

namespace {

/// backward() of the page, with the reader's loop, which may change no value and no edge.
void backward_by_yours(const Value& result) {
  const std::vector<Node*> order = engine::order_of(result);
  std::vector<Node> before;
  for (Node* node : order) {
    if (!node->edges.empty()) node->grad = 0;
    before.push_back(*node);
  }
  result->grad += 1;
  my_pass_back(order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& edges = order[i]->edges;
    bool same = order[i]->value == before[i].value && edges.size() == before[i].edges.size();
    for (std::size_t k = 0; same && k < edges.size(); ++k) {
      const double now = edges[k].slope, then = before[i].edges[k].slope;
      same = edges[k].input == before[i].edges[k].input &&
             (now == then || (std::isnan(now) && std::isnan(then)));
    }
    if (!same) red("a value or an edge has changed: only grad is yours to write");
  }
}

void grad_is(const std::string& what, const Value& x, double right) {
  gradus::expect_number(what, x->grad, right);
}

void expression() {
  const Value a = number(2), b = number(3), c = number(-2), d = number(5);
  const Value p = a * b, s = p + c, y = s * d;
  backward_by_yours(y);
  grad_is("(a b + c) d, slope by a", a, 15);
  grad_is("slope by b", b, 10);
  grad_is("slope by c", c, 5);
  grad_is("slope by d", d, 4);
  grad_is("slope by p", p, 5);
  grad_is("slope by y itself", y, 1);
}

void diamond() {
  const Value a = number(1), b = number(2), s = a + b, t = s + b, y = s * t;
  backward_by_yours(y);
  grad_is("a node with two users, slope by a", a, 8);
  grad_is("a node with two users, slope by b", b, 11);
  backward_by_yours(y);
  grad_is("a second pass, slope by a", a, 16);
  const Value x = number(3), square = x * x;
  backward_by_yours(square);
  grad_is("x x, slope by x", x, 6);
  backward_by_yours(x);
  grad_is("a leaf as the result", x, 7);
}

void infinite() {
  Graph graph;
  const Value x = graph.add({}), y = graph.add({{x, INFINITY}});
  backward_by_yours(y);
  if (!std::isinf(x->grad)) red("an infinite slope was lost: it must arrive, or nobody sees it");
  const Value u = graph.add({}), v = graph.add({{u, NAN}});
  backward_by_yours(v);
  if (!std::isnan(u->grad)) red("a slope that is NaN was lost: it must arrive, or nobody sees it");
}

}  // namespace

CHECK_ANSWER() {
  expression();
  green("(a b + c) d");
  diamond();
  green("several users, two edges to one input, a second pass");
  try_random_graphs(100, 1, backward_by_yours);
  green("100 random graphs");
  try_random_graphs(100, 8192, backward_by_yours);  // a power of two: nothing is rounded
  green("100 random graphs with slopes of thousands");
  infinite();
  green("what is infinite arrives");
}
