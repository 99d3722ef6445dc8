/// @file
/// Helpers for the tests of the graph.
#pragma once

#include <doctest/doctest.h>

#include <stdexcept>

#include "autograd/graph.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"

namespace gradus {

/// A leaf with these elements.
inline Tensor leaf(const NestedBraces<double>& literal) {
  return tensor(literal).set_requires_grad();
}

/// y = x, whose backward function first calls `before`.
template <class Before>
Tensor identity(const Tensor& x, Before before) {
  return record("identity", x.clone(), {x}, [before](const Tensor& dy) -> Gradients {
    before();
    return {dy * 1};
  });
}

inline void expect_spent(const Tensor& y) {
  CHECK_THROWS_WITH_AS(backward(y),
                       doctest::Contains("was freed by an earlier backward pass (set keep_graph"),
                       std::invalid_argument);
}

}  // namespace gradus
