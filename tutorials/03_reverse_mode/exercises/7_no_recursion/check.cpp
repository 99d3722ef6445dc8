#include <algorithm>

#include "tutorials/03_reverse_mode/checking.h"

using gradus::green, gradus::red;

namespace {

void grad_is(const std::string& what, double got, double right) {
  gradus::expect_number(what, got, right);
}

void diamond() {
  const Value a = number(1), b = number(2), s = a + b, t = s + b, y = s * t;
  my_backward(y);
  grad_is("the chapter's diamond, slope by a", a->grad, 8);
  grad_is("the chapter's diamond, slope by b", b->grad, 11);
  my_backward(y);
  grad_is("a second pass, slope by a", a->grad, 16);
  grad_is("a second pass, slope by b", b->grad, 22);
  my_backward(a);
  grad_is("a leaf as the result", a->grad, 17);
}

}  // namespace

CHECK_ANSWER() {
  diamond();
  green("the chapter's diamond, twice");
  try_random_graphs(200, 1, my_backward);
  green("200 random graphs");
  Graph tower;
  const Value ground = tower.add({});
  for (int i = 0; i < 25; ++i) tower.add({{tower.nodes.back(), 0.5}, {tower.nodes.back(), 0.5}});
  my_backward(tower.nodes.back());
  grad_is("a tower of 25 sums p/2 + p/2", ground->grad, 1);
  green("a tower with 2^25 paths through it");
  std::cout << "next: a chain of a million nodes; a crash here means recursion" << std::endl;
  Graph chain;
  const Value leaf = chain.add({});
  for (int i = 0; i < 1000000; ++i) chain.add({{chain.nodes.back(), 1}});
  my_backward(chain.nodes.back());
  grad_is("a chain of a million nodes", leaf->grad, 1);
  green("a chain of a million nodes");
}
