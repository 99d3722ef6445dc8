/// @file
/// Compares a batch with the right one, row by row, for checks of exercises.
#pragma once

#include <sstream>
#include <string>

#include "tutorials/common/check.h"

namespace gradus {

/// Compares a batch's inputs and targets, index tensors [B, T], with tensors of the right numbers.
template <class AnyBatch, class AnyTensor>
void expect_batch(const std::string& what, const AnyBatch& got, const AnyTensor& inputs,
                  const AnyTensor& targets) {
  const auto row_of = [](const auto& x, Index row) {
    std::ostringstream out;
    for (Index t = 0; t < x.size(1); ++t) out << " " << x.data()[row * x.size(1) + t];
    return out.str();
  };
  const auto compare = [&](const std::string& name, const auto& x, const AnyTensor& expected) {
    if (!x.defined() || x.shape() != expected.shape()) {
      red(what + ": " + name + ": " + shape_got(x) + ", expected " +
          (std::ostringstream() << expected.shape()).str());
    }
    for (Index b = 0; b < x.size(0); ++b) {
      const std::string mine = row_of(x, b), right = row_of(expected, b);
      if (mine == right) continue;
      red(what + ": row " + std::to_string(b) + " of the " + name + "\n  got     " + mine +
          "\n  expected" + right);
    }
  };
  compare("inputs", got.inputs, inputs);
  compare("targets", got.targets, targets);
  green(what);
}

}  // namespace gradus
