/// @file
/// What the check of an exercise asks beside the right numbers: one function for each way in which
/// a wrong answer could still give them. All end the program, red, as those of check.h do.
///
/// They take the reader's function as a callable without arguments. Where a tensor may be of the
/// library or of the reader's own, it is AnyTensor.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "autograd/inspect/profile.h"
#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "tutorials/common/check.h"

namespace gradus {

/// Calls `f`, which must leave all of `arguments` as they were, bit for bit.
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

/// For without_ops(): backward() and grad().
inline const std::string kBackward = "backward() or grad()";

/// Calls `f`, in which none of the library's ops may run that `forbidden` names, or none at all if
/// it is empty. kBackward stands for all that asks the library for gradients.
template <class F>
auto without_ops(const std::string& what, const std::set<std::string>& forbidden, F&& f) {
  Profile profile;
  auto result = [&] {
    const ProfileScope round(profile);
    return f();
  }();
  for (const auto& [key, entry] : profile.entries()) {
    if (key.first == ProfilePart::kOutside) continue;
    const std::string op =
        key.first == ProfilePart::kBackward ? kBackward : std::string(key.second);
    if (forbidden.empty() || forbidden.contains(op)) {
      red(what + ": the library's " + op +
          " was called\nlikely cause: it does what you are to write yourself");
    }
  }
  return result;
}

/// Compares mine(inputs) with right(inputs) for each set of sizes, with numbers of about 1 and then
/// of about `large`; inputs = draw(sizes, scale). Inputs must stay as they are. The tolerance is
/// relative to the largest number expected.
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
      double most = 1;
      for (const Scalar y : expected) most = std::max(most, std::abs(double{y}));
      expect(name, got, expected, {}, 1e-4 * most);
    }
  }
}

/// Compares the gradients that arrive at the inputs of mine(inputs) and of right(inputs), for the
/// sum of the result times fixed random weights: a plain sum is blind behind a norm or a softmax.
template <class Mine, class Right>
void expect_gradients(const std::string& what, const std::vector<Tensor>& inputs, const Mine& mine,
                      const Right& right) {
  const auto gradients = [&](const auto& f) {
    std::vector<Tensor> leaves, found;
    for (const Tensor& x : inputs) leaves.push_back(x.clone().set_requires_grad());
    const Tensor y = f(leaves);
    const bool cut = !y.requires_grad();
    if (!cut) backward(sum(y * normal(y.shape(), {.seed = 77})));
    for (const Tensor& leaf : leaves) {
      found.push_back(leaf.grad().defined() ? leaf.grad() : zeros(leaf.shape()));
    }
    return found;
  };
  const std::vector<Tensor> got = gradients(mine), expected = gradients(right);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::string name = what + ": the gradient by argument " + std::to_string(i + 1);
    must_be_finite(name, got[i], "is a row fully hidden, or an exponential infinite?");
    double most = 1;
    for (const Scalar g : expected[i]) most = std::max(most, std::abs(double{g}));
    expect(name, got[i], expected[i],
           {{zeros(got[i].shape()), "it is cut: a detach(), or numbers copied out of the graph"}},
           1e-4 * most);
  }
}

}  // namespace gradus
