#include "autograd/graph.h"
#include "autograd/ops/cross_entropy.h"
#include "tutorials/15_the_decoder_and_gpt/exercises.h"
#include "tutorials/common/check.h"

namespace {

void check_model(const std::string& what, std::uint64_t seed, Index v, Index c,
                 const IndexTensor& tokens, const IndexTensor& targets) {
  const Tensor values = normal({v, c}, {.seed = seed}), map = normal({c, c}, {.seed = seed + 1});
  Tensor table = values.clone().set_requires_grad();
  const auto loss_of = [&](const Tensor& reading, const Tensor& speaking, bool bend) {
    const Tensor x = matmul(embedding(tokens, reading), map);
    return cross_entropy(matmul(bend ? tanh(x) : x, speaking, {.b = true}), targets);
  };
  backward(loss_of(table, table, true));
  Tensor reading = values.clone().set_requires_grad(),
         speaking = values.clone().set_requires_grad();
  backward(loss_of(reading, speaking, true));
  // What it comes to if a token's later place overwrites the earlier one, and without the tanh's
  // slope.
  const Index n = tokens.size();
  const Tensor h = tanh(matmul(embedding(tokens, values), map));
  Tensor dlogits = softmax(matmul(h, values, {.b = true}));
  for (Index i = 0; i < n; ++i) dlogits.mutable_data()[i * v + targets.data()[i]] -= 1;
  const Tensor dh = matmul(dlogits / static_cast<Scalar>(n), values);
  const auto scattered = [&](const Tensor& slope, bool add, bool transposed = true) {
    const Tensor dx = matmul(dh * slope, map, {.b = transposed});
    Tensor rows = zeros({v, c});
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < c; ++j) {
        Scalar& to = rows.mutable_data()[tokens.data()[i] * c + j];
        to = (add ? to : 0) + dx.data()[i * c + j];
      }
    }
    return rows + speaking.grad();
  };
  expect(what, tied_gradient(values, map, tokens, targets), table.grad(),
         {{speaking.grad(), "only the output layer's part; the table is read as an embedding, too"},
          {reading.grad(), "only the embedding's part; the table makes the logits, too"},
          {table.grad() / 2, "the mean of the two parts; gradients add up"},
          {scattered(1 - h * h, false),
           "a token that stands twice was counted once: its gradients add up"},
          {scattered(ones(h.shape()), true), "the slope of tanh is missing: 1 - h^2"},
          {scattered(1 - h * h, true, false),
           "the way back through x map is a product with map^T, not with map"},
          {table.grad() * static_cast<Scalar>(n),
           "N times too large: the loss is a mean over N places"}});
}

}  // namespace

int main() {
  return run_check([] {
    check_model("five tokens, one of them twice", 1, 6, 4, indices({2, 0, 2, 5, 1}),
                indices({0, 2, 5, 1, 3}));
    check_model("another table, one token only", 5, 4, 3, indices({3, 3, 3}), indices({3, 0, 3}));
  });
}
