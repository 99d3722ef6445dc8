/// @file
/// Compares an op that the reader wrote in pocket with the library's op: values and gradients.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/random.h"
#include "tutorials/common/own.h"

/// Compares the reader's mine(inputs) with the library's right(inputs): values, then the gradient
/// of each input for random dy. Inputs must stay unchanged. Tolerances are relative to the largest
/// expected number. Then compares again with the inputs times `large`: how large they may be
/// depends on the op. Other sizes are another call.
template <class Mine, class Right>
void compare(const std::string& what, const std::vector<gradus::Tensor>& inputs, const Mine& mine,
             const Right& right, gradus::Scalar large = 1) {
  std::vector<pocket::Tensor> given;
  std::vector<gradus::Tensor> leaves;
  for (const gradus::Tensor& x : inputs) {
    given.push_back(own(x).set_requires_grad());
    leaves.push_back(x.clone().set_requires_grad());
  }
  const pocket::Tensor y = gradus::unchanged(what, given, [&] { return mine(given); });
  const gradus::Tensor expected = right(leaves);
  gradus::must_be_close(what, gradus::as_library(y), expected.detach(), "",
                        1e-4 * gradus::scale_of(expected));
  const gradus::Tensor dy = gradus::normal(expected.shape(), {.seed = 99});
  gradus::backward(expected, dy);
  gradus::unchanged(what + ": backward", given, [&] {
    if (y.requires_grad()) pocket::backward(y, own(dy));
    return y;
  });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const gradus::Tensor wanted = leaves[i].grad();
    gradus::expect_gradient(what + ": the gradient of argument " + std::to_string(i + 1), given[i],
                            wanted, 1e-3 * gradus::scale_of(wanted));
  }
  if (large == 1) return;
  std::vector<gradus::Tensor> scaled;
  for (const gradus::Tensor& x : inputs) scaled.push_back(x * large);
  compare(gradus::detail::text(what, ", times ", large), scaled, mine, right);
}

/// Compares mine() with right(), both computed on pocket from leaves, its NamedTensors: values,
/// then the gradient of each leaf for random dy. Leaves must stay unchanged.
template <class Leaves, class Mine, class Right>
void compare(const std::string& what, const Leaves& leaves, const Mine& mine, const Right& right) {
  std::vector<pocket::Tensor> given;
  for (const auto& leaf : leaves) given.push_back(leaf.tensor);
  const pocket::Tensor y = gradus::unchanged(what, given, mine), expected = right();
  gradus::expect(what, gradus::as_library(y), gradus::as_library(expected), "",
                 1e-4 * gradus::scale_of(expected));
  const pocket::Tensor dy = own(gradus::normal(gradus::as_library(expected).shape(), {.seed = 6}));
  const auto pass_back = [&](const pocket::Tensor& from) {
    for (pocket::Tensor& x : given) x.zero_grad();
    if (from.requires_grad()) pocket::backward(from, dy);
  };
  std::vector<gradus::Tensor> wanted;
  pass_back(expected);
  for (const pocket::Tensor& x : given) wanted.push_back(gradus::gradient_of(x));
  pass_back(y);
  for (std::size_t i = 0; i < given.size(); ++i) {
    gradus::gradient_must_be_close(what + ": the gradient of " + leaves[i].name, given[i],
                                   wanted[i], 1e-3 * gradus::scale_of(wanted[i]));
  }
  gradus::green(what + ": all gradients");
}
