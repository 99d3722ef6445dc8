/// @file
/// Further conditions for an answer with the right numbers: one function for each way in which a
/// wrong answer can still give them. Like the functions of check.h, they end the program red.
///
/// They take the reader's function as a callable without arguments. AnyTensor stands for a tensor
/// of the library or of the reader's own.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tutorials/common/check.h"

namespace gradus {

/// Calls `f`, which must leave all `arguments` unchanged, bit for bit.
template <class AnyTensor, class F>
auto unchanged(const std::string& what, const std::vector<AnyTensor>& arguments, F&& f) {
  std::vector<std::vector<Scalar>> before;
  for (const AnyTensor& x : arguments) before.emplace_back(x.begin(), x.end());
  auto result = f();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (std::equal(before[i].begin(), before[i].end(), arguments[i].begin(),
                   [](Scalar a, Scalar b) { return a == b || (a != a && b != b); })) {
      continue;
    }
    red(what + ": argument " + std::to_string(i + 1) +
        " has changed\nlikely cause: a copy of a tensor shares its elements; write into a new one");
  }
  return result;
}

/// Compares mine(inputs) with right(inputs) for each set of sizes, with numbers of about 1 and then
/// of about `large`; inputs = draw(sizes, scale). Inputs must stay unchanged. The tolerance is
/// relative to the largest expected number.
template <class Draw, class Mine, class Right>
void expect_everywhere(const std::string& what, const std::vector<std::vector<Index>>& sizes,
                       const Draw& draw, const Mine& mine, const Right& right,
                       const std::string& when_large = "", Scalar large = 1e4) {
  for (const Scalar scale : {Scalar(1), large}) {
    for (const std::vector<Index>& each : sizes) {
      const std::vector<Tensor> inputs = draw(each, scale);
      std::string name = what + ", sizes";
      for (const Index n : each) name += " " + std::to_string(n);
      if (scale != 1) name += ", numbers of about " + std::to_string(static_cast<int>(scale));
      const Tensor got = unchanged(name, inputs, [&] { return mine(inputs); });
      const Tensor expected = right(inputs);
      if (scale != 1 && got.defined()) must_be_finite(name, got, when_large);
      const double most = scale_of(expected);
      expect(name, got, expected, {}, 1e-4 * most);
    }
  }
}

}  // namespace gradus
