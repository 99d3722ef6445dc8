#include "autograd/ops/attention.h"
#include "tutorials/09_self_attention/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

int main() {
  return run_check([] {
    const Index channels = 36, d = 4;
    const Tensor q = normal({3, d}, {.seed = 1}, 0, 2), k = normal({5, d}, {.seed = 2}, 0, 2);
    const Tensor v = normal({5, 2}, {.seed = 3});
    const auto scaled_by = [&](double divisor, int axis) {
      const Tensor scores = matmul(q, k, {.b = true}) / static_cast<Scalar>(divisor);
      return matmul(softmax(scores, axis), v);
    };
    expect("attention of 3 queries over 5 keys", my_attention(q, k, v, channels),
           scaled_dot_product_attention(q, k, v),
           {{scaled_by(6, -1),
             "divided by the square root of the model's width; the products sum over D numbers"},
            {scaled_by(1, -1), "not divided at all"},
            {scaled_by(4, -1), "divided by D, not by its square root"},
            {scaled_by(std::sqrt(5.0), -1),
             "divided by the square root of the number of keys; the products sum over D numbers"},
            {matmul(softmax(matmul(q, k, {.b = true})) / 2, v),
             "divided after the softmax: the weights of a row no longer sum to 1"},
            {scaled_by(2, 0), "softmax over the queries: each query's weights must sum to 1"}});
    expect_everywhere(
        "attention", {{3, 5, 4, 2}, {2, 2, 9, 9}, {4, 1, 16, 3}},
        [](const std::vector<Index>& n, Scalar scale) -> std::vector<Tensor> {
          return {normal({n[0], n[2]}, {.seed = 4}, 0, scale),
                  normal({n[1], n[2]}, {.seed = 5}, 0, scale), normal({n[1], n[3]}, {.seed = 6})};
        },
        [&](const std::vector<Tensor>& x) { return my_attention(x[0], x[1], x[2], channels); },
        [](const std::vector<Tensor>& x) { return scaled_dot_product_attention(x[0], x[1], x[2]); },
        "an exponential was infinite: softmax() takes each row's maximum off first", 30);
  });
}
