#include "tutorials/08_attention_before_transformers/exercises.h"
#include "tutorials/common/compare.h"

namespace {

/// Position by position, from the ends.
Tensor by_steps(const RecurrentLayer& a, const RecurrentLayer& b, const Tensor& x) {
  const std::vector<Tensor> steps = split(x, x.size(1), 1);
  std::vector<Tensor> left, right, both;
  Tensor p = zeros({x.size(0), 1, a.hh.weight.size(0)}),
         q = zeros({x.size(0), 1, b.hh.weight.size(0)});
  for (std::size_t i = 0; i < steps.size(); ++i) left.push_back(p = a.step_from(a.ih(steps[i]), p));
  for (std::size_t i = steps.size(); i > 0; --i)
    right.push_back(q = b.step_from(b.ih(steps[i - 1]), q));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    both.push_back(concat({left[i], right[steps.size() - 1 - i]}, -1));
  }
  return concat(both, 1);
}

void ask(RecurrentKind kind, Index rows, Index length, Index hidden) {
  KeySequence keys(21);
  RecurrentLayer a(kind, 5, hidden, keys), b(kind, 5, hidden, keys);
  Tensor x = normal({rows, length, 5}, keys.next()).set_requires_grad();
  std::vector<NamedTensor> leaves = parameters(a);
  for (const NamedTensor& each : parameters(b)) leaves.push_back({"b." + each.name, each.tensor});
  leaves.push_back({"x", x});
  compare(
      gradus::detail::text(rows, " rows of ", length, ", H = ", hidden), leaves,
      [&] { return both_ways(a, b, x); }, [&] { return by_steps(a, b, x); });
}

}  // namespace

CHECK_ANSWER() {
  ask(RecurrentKind::kGru, 2, 4, 3);
  ask(RecurrentKind::kRnn, 3, 1, 2);
  ask(RecurrentKind::kGru, 1, 7, 4);
  ask(RecurrentKind::kGru, 2, 12, 3);
}
