// Tests the parts of pocket that no other test covers: text, tokens, choices, steps, and the
// positions that a model may use.
#include <doctest/doctest.h>

#include "gpt.h"
#include "int8.h"
#include "lora.h"
#include "preferences.h"
#include "tokens.h"
#include "write.h"

using namespace pocket;

TEST_CASE("characters and byte pairs give back the text") {
  const std::string text = "low lower lowest\nslow, slower\n";
  const CharTokenizer characters = CharTokenizer::learn(text);
  CHECK(characters.vocabulary == "\n ,elorstw");
  CHECK(characters.decode(characters.encode(text)) == text);
  CHECK_THROWS_WITH_AS(characters.encode("z"), doctest::Contains("has no 'z'"),
                       std::invalid_argument);

  const BytePairTokenizer pairs = BytePairTokenizer::learn(text, 259);
  CHECK(pairs.vocab_size() == 259);
  CHECK(pairs.pieces[256] == "lo");  // as frequent as "ow", and the smaller pair
  CHECK(pairs.pieces[257] == "low");
  CHECK(pairs.pieces[258] == "lowe");
  CHECK(pairs.encode("low low") == Tokens{257, ' ', 257});
  const std::string any = "\xff\x01 low é";
  CHECK(pairs.decode(pairs.encode(any)) == any);
  CHECK(BytePairTokenizer::learn("abc", 300).vocab_size() == 256);  // no pair occurs twice
}

TEST_CASE("batches hold each next token, and the mean loss covers all blocks") {
  const Tokens tokens{0, 1, 2, 3, 4, 5, 6};
  const Batch batch = batch_at(tokens, {0, 3}, 3);
  CHECK(Tokens(batch.inputs.begin(), batch.inputs.end()) == Tokens{0, 1, 2, 3, 4, 5});
  CHECK(Tokens(batch.targets.begin(), batch.targets.end()) == Tokens{1, 2, 3, 4, 5, 6});
  const auto none = [](const IndexTensor& x) { return zeros({x.size(0), x.size(1), 7}); };
  CHECK(mean_loss(tokens, 3, none) == doctest::Approx(std::log(7)));
}

TEST_CASE("a token is chosen by temperature, top_k and top_p") {
  const std::vector<Scalar> logits{std::log(Scalar(0.1)), std::log(Scalar(0.6)),
                                   std::log(Scalar(0.3))};
  const auto choose = [&](SampleOptions options, double draw) {
    return choose_token(logits, options, Scalar(draw));
  };
  CHECK(choose({.temperature = 0}, 0.99) == 1);
  CHECK(choose({.temperature = 1, .top_k = 1}, 0.99) == 1);
  CHECK(choose({.temperature = 1, .top_p = 0.5}, 0.99) == 1);
  CHECK(choose({.temperature = 1, .top_p = 0.8}, 0.99) == 2);
  CHECK(choose({.temperature = 1}, 0.59) == 1);
  CHECK(choose({.temperature = 1}, 0.61) == 2);
  CHECK(choose({.temperature = 1}, 0.89) == 2);
  CHECK(choose({.temperature = 1}, 0.91) == 0);
}

TEST_CASE("steps equal the formulas") {
  Tensor w = tensor({{1, 2}}).set_requires_grad();
  const auto step = [&](Optimiser& optimiser, Scalar rate) {
    optimiser.zero_grad();
    backward(sum(w * 2));
    optimiser.step(rate, Scalar(0.5));
  };
  Sgd sgd({{"w", w}}, {.momentum = 0.5});
  step(sgd, Scalar(0.1));
  step(sgd, Scalar(0.1));  // 1 - 0.1 - 0.1 (1 + 0.5)
  CHECK(w.data()[0] == doctest::Approx(0.75));
  AdamW adamw({{"w", w}}, {.weight_decay = 0.2});
  step(adamw, Scalar(0.1));  // Adam's first step equals the rate; the decay is 0.1 0.2 w
  CHECK(w.data()[0] == doctest::Approx(0.75 - 0.1 - 0.02 * 0.75));
  const Schedule schedule{.rate = 1, .floor = 0, .warmup = 3, .decay = 5};
  CHECK(schedule.at(0) == 0.25);
  CHECK(schedule.at(3) == 1);
  CHECK(schedule.at(4) == doctest::Approx(0.5));
  CHECK(schedule.at(9) == 0);
  CHECK(clip_scale(4, 1) == Scalar(0.25));
  CHECK(clip_scale(0.5, 1) == 1);
}

TEST_CASE("a GPT sees no later token, and starts at about ln V") {
  const Gpt model(
      {.vocab_size = 11, .n_positions = 5, .n_layer = 2, .n_head = 2, .n_embd = 8, .dropout = 0});
  const Tensor a = model(indices({{1, 2, 3, 4}})), b = model(indices({{1, 2, 9, 7}}));
  CHECK(std::equal(a.begin(), a.begin() + 22, b.begin()));
  CHECK(!std::equal(a.begin() + 22, a.begin() + 33, b.begin() + 22));
  const Tensor loss = model.loss(indices({{1, 2, 3, 4}}), indices({{2, 3, 4, 5}}));
  CHECK(loss.item() == doctest::Approx(std::log(11)).epsilon(0.02));
  CHECK(generate(model, {1}, 12, {}, {.seed = 1}).size() == 12);  // more than the window
  CHECK_THROWS_WITH_AS(model(indices({{1, 2, 3, 4, 5, 6}})), doctest::Contains("n_positions, 5"),
                       std::invalid_argument);
  KeySequence keys(1);
  CHECK_THROWS_WITH_AS(MultiHeadAttention(10, 4, keys, {}), doctest::Contains("do not divide"),
                       std::invalid_argument);
}

TEST_CASE("initial values keep the scale through many layers") {
  const NoGrad no_grad;
  KeySequence keys(1);
  Tensor x = normal({50, 64}, {.seed = 2});
  for (int i = 0; i < 10; ++i) x = Linear(64, 64, keys)(x);
  CHECK(mean(x * x).item() == doctest::Approx(1).epsilon(0.5));
}

TEST_CASE("pairs leave a GPT as it is until they are trained, and come off again") {
  Gpt model(
      {.vocab_size = 11, .n_positions = 5, .n_layer = 2, .n_head = 2, .n_embd = 8, .dropout = 0});
  const IndexTensor inputs = indices({{1, 2, 3, 4}}), targets = indices({{2, 3, 4, 5}});
  const Tensor before = model(inputs).detach();
  KeySequence keys(1);
  Lora lora(model, {.rank = 2}, keys);
  CHECK(lora.pairs.size() == 12);
  CHECK(count(parameters(lora)) == 2 * 2 * (4 * (8 + 8) + 2 * (8 + 32)));
  lora.put_into(model);
  CHECK(std::equal(before.begin(), before.end(), model(inputs).begin()));
  backward(model.loss(inputs, targets));
  for (const LowRank& pair : lora.pairs) {
    CHECK(mean(pair.a.grad() * pair.a.grad()).item() == 0);  // B is 0
    CHECK(mean(pair.b.grad() * pair.b.grad()).item() > 0);
  }
  for (LowRank& pair : lora.pairs) pair.b = normal(pair.b.shape(), keys.next());
  lora.put_into(model);
  CHECK(!std::equal(before.begin(), before.end(), model(inputs).begin()));
  lora.put_into(model, false);
  CHECK(std::equal(before.begin(), before.end(), model(inputs).begin()));
}

TEST_CASE("eight bits keep each number of a row within half a scale") {
  const Tensor x = normal({7, 33}, {3}) * Scalar(5);
  const Int8Matrix stored(x);
  CHECK(stored.bytes() == 7 * (33 + 4));
  const Tensor y = stored.restored();
  REQUIRE(y.shape() == x.shape());
  for (Index i = 0; i < x.size(); ++i) {
    const Scalar scale = stored.rows[static_cast<std::size_t>(i / 33)].scale;
    CHECK(std::abs(x.data()[i] - y.data()[i]) <= Scalar(0.5001) * scale);
  }
}

TEST_CASE("the log-probability of an answer is the sum over its targets") {
  const Tensor logits = normal({2, 3, 5}, {4}), all = log_softmax(logits);
  const Tensor got = log_probabilities(logits, indices({{-100, 2, 4}, {1, -100, -100}}));
  REQUIRE(got.shape() == Shape{2});
  CHECK(got.data()[0] == doctest::Approx(all.data()[5 + 2] + all.data()[10 + 4]));
  CHECK(got.data()[1] == doctest::Approx(all.data()[15 + 1]));
}
