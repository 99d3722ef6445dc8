#include "autograd/ops/activation.h"
#include "pocket/block.h"
#include "tutorials/common/compare.h"

namespace {

void check_at(const std::string& what, const gradus::Tensor& x) {
  compare(
      what, {x}, [](const auto& x) { return pocket::gelu(x[0]); },
      [](const auto& x) { return gradus::gelu(x[0]); });
}

}  // namespace

CHECK_ANSWER() {
  check_at("between -3 and 3", gradus::tensor({{-3, -1, -0.5, 0}, {0.25, 0.5, 1, 3}}));
  check_at("between -5 and 5", gradus::tensor({-5, -3.3, -2, -1.5, 1.5, 2, 3.3, 5}));
  check_at("one number without axes", gradus::full({}, 0.5));
  check_at("far out", gradus::tensor({-1000, -40, 40, 1000}));
  gradus::expect("1.5, to five digits",
                 gradus::tensor({pocket::gelu(pocket::tensor({1.5})).data()[0]}),
                 gradus::gelu(gradus::tensor({1.5})), "", 2e-5);
  const pocket::Tensor x = pocket::tensor({1, -2}).set_requires_grad(), y = pocket::gelu(x);
  if (y.requires_grad() && (y.node()->inputs.size() != 1 || y.node()->inputs[0] != x.node())) {
    gradus::red(
        "one op: the graph got more than one node\nlikely cause: GELU was put together from "
        "other ops; write its value and its slope as functions of a number, for map()");
  }
}
