#include "tutorials/common/check.h"

#include "autograd/ops/attention.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "pocket/attention.h"
#include "tutorials/common/guards.h"

using namespace gradus;

namespace {

pocket::Tensor own(const Tensor& x) {
  return pocket::tensor(pocket::Shape(x.shape().begin(), x.shape().end()), {x.begin(), x.end()});
}

Tensor mine(const std::vector<Tensor>& x) {
  return as_library(pocket::attention_weights(own(x[0]), own(x[1])));
}

}  // namespace

int main() {
  return run_check([] {
    const Tensor q = normal({3, 4}, {.seed = 1}, 0, 2), k = normal({5, 4}, {.seed = 2}, 0, 2);
    const Tensor products = matmul(q, k, {.b = true});
    const auto divided_by = [&](double divisor) {
      return softmax(products / static_cast<Scalar>(divisor));
    };
    expect("weights of 3 queries over 5 keys", mine({q, k}), attention_weights(q, k),
           {{divided_by(1), "the scores are not divided by the square root of D"},
            {divided_by(4), "divided by D, not by its square root"},
            {divided_by(std::sqrt(5)), "divided by the square root of the number of keys"},
            {divided_by(std::sqrt(3)), "divided by the square root of the number of queries"},
            {softmax(transpose(products) / 2), "rows must be queries and columns keys: q k^T"}});
    expect_everywhere(
        "weights", {{3, 5, 4}, {2, 2, 9}, {4, 1, 16}, {2, 4, 3}, {3, 2, 5}},
        [](const std::vector<Index>& n, Scalar scale) -> std::vector<Tensor> {
          return {normal({2, 3, n[0], n[2]}, {.seed = 4}, 0, scale),
                  normal({2, 3, n[1], n[2]}, {.seed = 5}, 0, scale)};
        },
        mine, [](const std::vector<Tensor>& x) { return attention_weights(x[0], x[1]); }, "", 30);
    const Tensor weights = normal({3, 5}, {.seed = 6});
    Tensor leaf_q = q.clone().set_requires_grad(), leaf_k = k.clone().set_requires_grad();
    backward(attention_weights(leaf_q, leaf_k), weights);
    pocket::Tensor own_q = own(q).set_requires_grad(), own_k = own(k).set_requires_grad();
    const pocket::Tensor y = pocket::attention_weights(own_q, own_k);
    if (y.requires_grad()) pocket::backward(y, own(weights));
    const auto gradient = [](const pocket::Tensor& x) {
      return x.grad().defined() ? as_library(x.grad()) : zeros({x.size(0), x.size(1)});
    };
    const std::string cut = "it is cut: a detach(), or numbers copied out of the graph";
    expect("the gradient of the queries", gradient(own_q), leaf_q.grad(),
           {{zeros({3, 4}), cut}, kResultIsRight});
    expect("the gradient of the keys", gradient(own_k), leaf_k.grad(),
           {{zeros({5, 4}), cut}, kResultIsRight});
  });
}
