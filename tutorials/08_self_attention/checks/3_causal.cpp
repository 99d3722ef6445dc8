#include "autograd/graph.h"
#include "autograd/more/selection.h"
#include "autograd/ops/attention.h"
#include "tutorials/08_self_attention/exercises.h"
#include "tutorials/common/check.h"

int main() {
  return run_check([] {
    const Tensor q = normal({5, 4}, {.seed = 1}), k = normal({5, 4}, {.seed = 2});
    const Tensor v = normal({5, 4}, {.seed = 3});
    const Tensor scores = matmul(q, k, {.b = true}) / Scalar(2);
    const auto with_mask = [&](const IndexTensor& mask) {
      return scaled_dot_product_attention(q, k, v, {.mask = mask});
    };
    IndexTensor before({5, 5}), next_too({5, 5}), after({5, 5}), hidden({5, 5});
    for (Index t = 0; t < 5; ++t) {
      for (Index s = 0; s < 5; ++s) {
        before.mutable_data()[t * 5 + s] = s < t;
        next_too.mutable_data()[t * 5 + s] = s <= t + 1;
        after.mutable_data()[t * 5 + s] = s >= t;
        hidden.mutable_data()[t * 5 + s] = s > t;
      }
    }
    expect("five tokens, each looking back", causal_attention(q, k, v),
           scaled_dot_product_attention(q, k, v, {.causal = true}),
           {{matmul(where(causal_mask(5), softmax(scores), scalar(0)), v),
             "the mask came after the softmax: what is left of a row no longer sums to 1"},
            {matmul(softmax(where(causal_mask(5), scores, scalar(0))), v),
             "hidden scores were set to 0, whose exponential is 1: they must get no share at all"},
            {matmul(softmax(masked_fill(scores * 2, hidden, -INFINITY)), v),
             "not divided by the square root of D"},
            {scaled_dot_product_attention(q, k, v), "nothing is hidden: every query sees all keys"},
            {matmul(softmax(masked_fill(scores, causal_mask(5), -INFINITY)), v),
             "what may be seen is hidden, and what is to be hidden is seen"},
            {with_mask(before), "a query cannot see itself: row t must see keys 0 to t"},
            {with_mask(next_too), "a query sees the token after it: row t must see keys 0 to t"},
            {with_mask(after), "the mask is the other way round: rows are queries, columns keys"}});
    const Tensor few = normal({3, 9}, {.seed = 4});
    expect("three tokens of another width", causal_attention(few, few, few),
           scaled_dot_product_attention(few, few, few, {.causal = true}));
    // What the last token says must not reach the others, by so much as a bit.
    Tensor changed = v.clone();
    for (Index i = 16; i < 20; ++i) changed.mutable_data()[i] += 100;
    const Tensor first = slice(causal_attention(q, k, v), 0, 0, 4);
    const Tensor second = slice(causal_attention(q, k, changed), 0, 0, 4);
    if (first.values() != second.values()) {
      red("a changed last value changed an earlier row");
    }
    green("a changed last value changes no earlier row, bit for bit");
    Tensor leaf = q.clone().set_requires_grad();
    backward(sum(causal_attention(leaf, k, v)));
    for (const Scalar g : leaf.grad()) {
      if (!std::isfinite(g)) red("the gradient is not finite: is a row fully hidden?");
    }
    green("gradients are finite");
  });
}
