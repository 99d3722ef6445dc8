#include "nn/models/gpt_classifier.h"

#include "autograd/graph.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "nn/optim/adamw.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_gpt.h"

using namespace gradus;

namespace {

GptConfig config() {
  return {.vocab_size = 11,
          .n_positions = 7,
          .n_layer = 2,
          .n_head = 2,
          .n_embd = 10,
          .dropout = 0,
          .bias = true};
}

/// Texts, each of two to four tokens; the label of each is which of two tokens it ends with.
struct Endings {
  IndexTensor tokens{Shape{16, 4}}, lengths{Shape{16}}, labels{Shape{16}};
};

Endings endings(std::int32_t first) {
  Endings made;
  for (std::int32_t i = 0; i < 16; ++i) {
    const std::int32_t n = first + i, last = 1 + n % 3, label = n / 2 % 2;
    std::int32_t* row = made.tokens.mutable_data() + 4 * i;
    for (std::int32_t t = 0; t < last; ++t) row[t] = (7 * n + t * t * (n + 3)) % 11;
    row[last] = 9 + label;
    made.lengths.mutable_data()[i] = last + 1;
    made.labels.mutable_data()[i] = label;
  }
  return made;
}

}  // namespace

TEST_CASE("gpt classifier: the last token's features times the head, text by text") {
  const GptClassifier model(Gpt(config(), 5), 3, 7);
  const IndexTensor tokens = indices({{1, 2, 3, 4}, {9, 5, 0, 0}});
  const Tensor logits = model(tokens, indices({4, 2}));
  CHECK(logits.shape() == Shape{2, 3});
  const auto alone = [&](const IndexTensor& text) {
    const Tensor last = slice(model.gpt.features(text), 1, -1);  // [1, 1, C]
    return matmul(reshape(last, {1, 10}), model.score.weight);
  };
  CHECK_CLOSE(slice(logits, 0, 0, 1), alone(indices({{1, 2, 3, 4}})));
  CHECK_CLOSE(slice(logits, 0, 1, 2), alone(indices({{9, 5}})));
}

TEST_CASE("gpt classifier: what fills a text up changes nothing, bit for bit") {
  const GptClassifier model(Gpt(config(), 5), 3, 7);
  const IndexTensor lengths = indices({2, 4});
  const Values a = model(indices({{1, 2, 0, 0}, {5, 6, 7, 8}}), lengths).values();
  CHECK(a == model(indices({{1, 2, 9, 10}, {5, 6, 7, 8}}), lengths).values());
  CHECK(a != model(indices({{1, 3, 0, 0}, {5, 6, 7, 8}}), lengths).values());
  CHECK(a != model(indices({{1, 2, 0, 0}, {5, 6, 7, 8}}), indices({3, 4})).values());
}

TEST_CASE("gpt classifier: gradients reach all parameters, and none comes from the filling") {
  GptClassifier model(Gpt(config(), 5), 3, 7);
  backward(
      cross_entropy(model(indices({{1, 2, 10}, {5, 6, 7}}), indices({2, 3})), indices({0, 2})));
  for (const NamedTensor& named : parameters(model)) {
    REQUIRE_MESSAGE(named.tensor.grad().defined(), named.name);
  }
  const Tensor table = model.gpt.wte.weight.grad();
  const auto row = [&](Index token) { return slice(table, 0, token, token + 1).values(); };
  CHECK(row(10) == Values(10, 0));  // tied, but no output layer has used it
  CHECK(row(2) != Values(10, 0));
}

TEST_CASE("gpt classifier: wrong sizes are refused") {
  const GptClassifier model(Gpt(config(), 5), 3, 7);
  const IndexTensor tokens = indices({{1, 2, 3, 4}});
  CHECK_FAILS(model(tokens, indices({0})), "text 0 has length 0, which must be from 1 to 4");
  CHECK_FAILS(model(tokens, indices({5})), "length 5");
  CHECK_FAILS(model(tokens, indices({1, 2})), "needs tokens [B, T] and lengths [B]");
  CHECK_FAILS(GptClassifier(Gpt(config()), 1), "needs two labels or more, got 1");
}

TEST_CASE("gpt classifier: fine-tuned, it labels texts that it has not seen") {
  GptClassifier model(Gpt(config(), 5), 2, 7);
  AdamW optimiser(parameters(model), {});
  const Endings train = endings(0), held_out = endings(16);
  for (int step = 0; step < 60; ++step) {
    optimiser.zero_grad();
    backward(cross_entropy(model(train.tokens, train.lengths), train.labels));
    optimiser.step(Scalar(1e-2));
  }
  CHECK(argmax(model(held_out.tokens, held_out.lengths), 1).values() == held_out.labels.values());
}

TEST_CASE("gpt classifier: a pre-trained model gets a new head and keeps the rest") {
  Gpt gpt(config(), 9);
  const std::vector<Scalar> before = all_values(parameters(gpt));
  GptClassifier model(gpt, 3, 1);
  CHECK(model.score.weight.shape() == Shape{10, 3});
  CHECK(all_values(parameters(model.gpt)) == before);
}
