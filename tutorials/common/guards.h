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

}  // namespace gradus
