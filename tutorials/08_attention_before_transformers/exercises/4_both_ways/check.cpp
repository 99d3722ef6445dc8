#include "tutorials/08_attention_before_transformers/exercises.h"
#include "tutorials/common/guards.h"

namespace {

/// Position by position, from the ends.
Tensor by_steps(const RecurrentLayer& a, const RecurrentLayer& b, const Tensor& x,
                bool in_order = true) {
  const std::vector<Tensor> steps = split(x, x.size(1), 1);
  std::vector<Tensor> left, right, both;
  Tensor p = zeros({x.size(0), 1, a.hh.weight.size(0)}),
         q = zeros({x.size(0), 1, b.hh.weight.size(0)});
  for (std::size_t i = 0; i < steps.size(); ++i) left.push_back(p = a.step_from(a.ih(steps[i]), p));
  for (std::size_t i = steps.size(); i > 0; --i)
    right.push_back(q = b.step_from(b.ih(steps[i - 1]), q));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    both.push_back(concat({left[i], right[in_order ? steps.size() - 1 - i : i]}, -1));
  }
  return concat(both, 1);
}

void ask(RecurrentKind kind, Index rows, Index length, Index hidden) {
  KeySequence keys(21);
  RecurrentLayer a(kind, 5, hidden, keys), b(kind, 5, hidden, keys);
  Tensor x = normal({rows, length, 5}, keys.next()).set_requires_grad();
  const std::string what = std::to_string(rows) + " rows of " + std::to_string(length) +
                           ", H = " + std::to_string(hidden);
  const auto as = [](const Tensor& t) { return gradus::as_library(t); };
  const Tensor got = gradus::unchanged<Tensor>(what, {x}, [&] { return both_ways(a, b, x); });
  const Tensor right = by_steps(a, b, x), forward = a(x);
  gradus::expect(
      what, as(got), as(right),
      {{as(by_steps(a, b, x, false)),
        "the backward states are in the order in which they were read; put them back"},
       {as(concat({forward, b(x)}, -1)), "the second layer read from the left, too"},
       {as(by_steps(a, a, x)), "the first layer read both ways"},
       {as(concat({slice(right, -1, hidden), forward}, -1)), "the two halves are exchanged"}});
  const auto gradient = [&](const Tensor& y) {
    backward(y, normal(y.shape(), {.seed = 9}));
    std::vector<Scalar> all;
    for (RecurrentLayer* layer : {&a, &b}) {
      for (NamedTensor& w : parameters(*layer)) {
        const Tensor g = w.tensor.grad().defined() ? w.tensor.grad() : zeros(w.tensor.shape());
        all.insert(all.end(), g.begin(), g.end());
        w.tensor.zero_grad();
      }
    }
    const Tensor g = x.grad().defined() ? x.grad() : zeros(x.shape());
    all.insert(all.end(), g.begin(), g.end());
    x.zero_grad();
    return all;
  };
  const std::vector<Scalar> mine = gradient(got), expected = gradient(right);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (gradus::is_near(mine[i], expected[i], 1e-3)) continue;
    gradus::red(what +
                ": the gradients of weights and x differ\nlikely cause: it is cut: a detach()");
  }
  gradus::green(what + ": gradients");
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask(RecurrentKind::kGru, 2, 4, 3);
    ask(RecurrentKind::kRnn, 3, 1, 2);
    ask(RecurrentKind::kGru, 1, 7, 4);
    ask(RecurrentKind::kGru, 2, 12, 3);
  });
}
