#include "autograd/graph.h"
#include "autograd/more/selection.h"
#include "autograd/ops/attention.h"
#include "tutorials/09_self_attention/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

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
    const auto mine = [](const std::vector<Tensor>& x) {
      return causal_attention(x[0], x[1], x[2]);
    };
    const auto right = [](const std::vector<Tensor>& x) {
      return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true});
    };
    expect_everywhere(
        "causal attention", {{5, 4}, {3, 9}, {1, 2}},
        [](const std::vector<Index>& n, Scalar scale) -> std::vector<Tensor> {
          return {normal({n[0], n[1]}, {.seed = 4}, 0, scale),
                  normal({n[0], n[1]}, {.seed = 5}, 0, scale), normal({n[0], n[1]}, {.seed = 6})};
        },
        mine, right,
        "an exponential was infinite, or a row had no share left: hide before the softmax", 30);
    // What the last token says must not reach the others, by so much as a bit.
    for (const auto& [name, argument] : {std::pair("key", 1), std::pair("value", 2)}) {
      std::vector<Tensor> other = {q, k, v};
      std::vector<Scalar> numbers = other[argument].values();
      for (std::size_t i = 16; i < 20; ++i) numbers[i] += 100;
      other[argument] = tensor({5, 4}, numbers);
      const Tensor before = slice(causal_attention(q, k, v), 0, 0, 4);
      if (before.values() != slice(mine(other), 0, 0, 4).values()) {
        red(std::string("a changed last ") + name + " changed an earlier row");
      }
      green(std::string("a changed last ") + name + " changes no earlier row, bit for bit");
    }
    expect_gradients("causal attention", {q, k, v}, mine, right);
  });
}
