#include "autograd/graph.h"
#include "autograd/more/random.h"
#include "autograd/ops/cross_entropy.h"
#include "tutorials/07_from_text_to_loss/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

namespace {

/// Rows of g [N, V] put together in a table [V, V] by what `rows` names.
Tensor put(const Tensor& g, const IndexTensor& rows, bool add) {
  const Index v = g.size(1);
  Tensor table = zeros({v, v});
  for (Index i = 0; i < g.size(0); ++i) {
    for (Index j = 0; j < v; ++j) {
      Scalar& to = table.mutable_data()[rows.data()[i] * v + j];
      to = (add ? to : 0) + g.data()[i * v + j];
    }
  }
  return table;
}

/// The readers' functions, by formula alone and with their arguments left as they are.
Tensor asked(const Tensor& logits, const IndexTensor& targets) {
  return unchanged<Tensor>("logits_gradient()", {logits}, [&] {
    return without_ops("logits_gradient()", {kBackward},
                       [&] { return logits_gradient(logits, targets); });
  });
}

Tensor asked(const Tensor& table, const IndexTensor& inputs, const IndexTensor& targets) {
  return unchanged<Tensor>("table_gradient()", {table}, [&] {
    return without_ops("table_gradient()", {kBackward},
                       [&] { return table_gradient(table, inputs, targets); });
  });
}

void check_logits(Index n, Index v, std::uint64_t seed) {
  Tensor logits = normal({n, v}, {.seed = seed}, 0, 2).set_requires_grad();
  IndexTensor targets({n});
  for (Index i = 0; i < n; ++i) {
    targets.mutable_data()[i] =
        static_cast<std::int32_t>(uniform_index({.seed = seed, .place = 1}, i, v));
  }
  backward(cross_entropy(logits, targets));
  const Tensor right = logits.grad();
  Tensor alone = zeros({n, v}), set = softmax(logits.detach()) / static_cast<Scalar>(n);
  for (Index i = 0; i < n; ++i) {
    const Index at = i * v + targets.data()[i];
    alone.mutable_data()[at] = right.data()[at];
    set.mutable_data()[at] = 1 / static_cast<Scalar>(n);
  }
  expect(
      "logits of " + std::to_string(n) + " examples and " + std::to_string(v) + " tokens",
      asked(logits.detach(), targets), right,
      {{right * static_cast<Scalar>(n), "not divided by N: the loss is a mean over the examples"},
       {-right, "the sign: the loss falls as the target's logit rises"},
       {alone,
        "only the target's logit has a gradient here; the others push it down through the "
        "sum"},
       {right / static_cast<Scalar>(v),
        "divided by all N V numbers; the mean is over the N examples"},
       {softmax(logits.detach()) / static_cast<Scalar>(n), "y is missing: p - y"},
       {set, "p was replaced at the target: 1 is to be taken off it"}});
  Tensor far = (logits.detach() * 1000).set_requires_grad();
  backward(cross_entropy(far, targets));
  const Tensor got = asked(far.detach(), targets);
  must_be_finite("logits of thousands", got,
                 "infinity divided by infinity: take each row's largest logit off first");
  expect("logits of thousands", got, far.grad());
}

}  // namespace

int main() {
  return run_check([] {
    check_logits(4, 3, 1);
    check_logits(2, 7, 2);
    const IndexTensor inputs = indices({0, 2, 0, 0, 3, 2}), targets = indices({1, 3, 1, 2, 0, 2});
    Tensor table = normal({4, 4}, {.seed = 3}).set_requires_grad();
    backward(cross_entropy(embedding(inputs, table), targets));
    Tensor g = softmax(embedding(inputs, table.detach()));
    for (Index i = 0; i < 6; ++i) g.mutable_data()[i * 4 + targets.data()[i]] -= 1;
    g = g / 6;
    const Tensor times = tensor({{3}, {1}, {2}, {1}});  // how often each row was used, at least 1
    expect("a bigram's table, rows used three times, never, twice and once",
           asked(table.detach(), inputs, targets), table.grad(),
           {{put(g, inputs, false), "a later example overwrote an earlier one: gradients add up"},
            {put(g, inputs, true) * 6 / times,
             "each row was divided by its own number of examples; the mean is over all of them"},
            {put(g, targets, true),
             "rows were chosen by what came next; they belong to what stood before"},
            {transpose(table.grad()),
             "rows and columns are exchanged: row inputs[i] gets row i of the logits' gradient"}});
    const IndexTensor others = indices({1, 1, 1}), next = indices({0, 2, 3});
    Tensor second = normal({4, 4}, {.seed = 4}).set_requires_grad();
    backward(cross_entropy(embedding(others, second), next));
    expect("another table, one row of it used", asked(second.detach(), others, next),
           second.grad());
  });
}
