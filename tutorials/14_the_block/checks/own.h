// For the checks of chapter 14: the library's tensors as the reader's, and gradients of both.
#pragma once

#include "autograd/graph.h"
#include "autograd/more/random.h"
#include "pocket/block.h"
#include "tutorials/common/check.h"

inline pocket::Tensor own(const gradus::Tensor& x) {
  pocket::Shape shape(x.shape().begin(), x.shape().end());
  return pocket::tensor(shape, std::vector<pocket::Scalar>(x.begin(), x.end()));
}

/// For dy: the gradients of the first input by which mistakes.
using SlopeCauses = std::function<std::vector<gradus::Cause>(const gradus::Tensor&)>;

/// Compares f(inputs) of the reader's functions with right(inputs) of the library's: values, then
/// the gradient of each input for random dy. Inputs must stay as they are.
template <class F, class Right>
void compare(const std::string& what, const std::vector<gradus::Tensor>& inputs, const F& f,
             const Right& right, const std::function<std::vector<gradus::Cause>()>& causes = {},
             const SlopeCauses& slopes = {}) {
  std::vector<pocket::Tensor> mine;
  std::vector<gradus::Tensor> leaves;
  for (const gradus::Tensor& x : inputs) {
    mine.push_back(own(x).set_requires_grad());
    leaves.push_back(x.clone().set_requires_grad());
  }
  const pocket::Tensor y = f(mine);
  const gradus::Tensor expected = right(leaves);
  double most = 1;
  for (const gradus::Scalar v : expected) most = std::max(most, std::abs(double{v}));
  gradus::expect(what, gradus::as_library(y), expected.detach(),
                 causes ? causes() : std::vector<gradus::Cause>(), 1e-4 * most);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!std::equal(mine[i].begin(), mine[i].end(), inputs[i].begin())) {
      gradus::red(what + ": argument " + std::to_string(i + 1) +
                  " has changed\nlikely cause: a copy of a tensor shares its elements");
    }
  }
  const gradus::Tensor dy = gradus::normal(expected.shape(), {.seed = 99});
  gradus::backward(expected, dy);
  if (y.requires_grad()) pocket::backward(y, own(dy));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const pocket::Tensor grad = mine[i].grad();
    const gradus::Tensor zero = gradus::zeros(inputs[i].shape()), right_one = leaves[i].grad();
    most = 1;
    for (const gradus::Scalar v : right_one) most = std::max(most, std::abs(double{v}));
    std::vector<gradus::Cause> usual;
    if (i == 0 && slopes) usual = slopes(dy);
    usual.push_back({zero, "it is cut: a detach(), or numbers copied out of the graph"});
    usual.push_back(gradus::kResultIsRight);
    gradus::expect(what + ": the gradient of argument " + std::to_string(i + 1),
                   grad.defined() ? gradus::as_library(grad) : zero, right_one, usual, 1e-3 * most);
  }
}
