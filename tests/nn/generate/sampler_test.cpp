#include "nn/generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_gpt.h"

using namespace gradus;

namespace {

/// All tokens, with their own probabilities.
constexpr SampleOptions kPlain{.temperature = 1, .top_k = 0, .top_p = 1};

/// The logits of these probabilities.
Values logits_of(const Values& probabilities) {
  Values logits;
  for (const Scalar p : probabilities) logits.push_back(std::log(p));
  return logits;
}

/// How often `draws` evenly spaced draws choose each token.
std::vector<int> counts(const Values& logits, const SampleOptions& options, int draws = 1000) {
  std::vector<int> counts(logits.size());
  for (int i = 0; i < draws; ++i) {
    const Scalar draw = (static_cast<Scalar>(i) + Scalar(0.5)) / static_cast<Scalar>(draws);
    ++counts[static_cast<std::size_t>(choose_token(logits, options, draw))];
  }
  return counts;
}

using Counts = std::vector<int>;

Gpt tiny_gpt() {
  GptConfig config = tiny_gpt_config();
  Gpt gpt(config, 5);
  visit_parameters(gpt, [](const std::string&, Tensor& parameter) {
    parameter = (parameter.detach() * 5)
                    .set_requires_grad();  // so that tokens differ in probability, but draws matter
  });
  return gpt;
}

}  // namespace

TEST_CASE("token probabilities: equal the frequencies of chosen tokens") {
  const Values logits = logits_of({Scalar(0.1), Scalar(0.4), Scalar(0.2), Scalar(0.3)});
  for (const SampleOptions& options :
       {SampleOptions{.temperature = 1}, SampleOptions{.temperature = 0},
        SampleOptions{.temperature = 0.5, .top_k = 3},
        SampleOptions{.temperature = 1, .top_p = 0.6}}) {
    const std::vector<double> probabilities = token_probabilities(logits, options);
    REQUIRE(probabilities.size() == logits.size());
    const std::vector<int> chosen = counts(logits, options);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      CHECK(std::abs(1000 * probabilities[i] - chosen[i]) <= 1);
    }
  }
  CHECK(token_probabilities(logits, {.temperature = 1, .top_k = 2})[0] == 0);
  CHECK_THROWS(token_probabilities(Values{}, {}));
}

TEST_CASE("choose token: draws share out by probability, in the order of the tokens") {
  const Values logits = logits_of({Scalar(0.2), Scalar(0.5), Scalar(0.3)});
  CHECK(counts(logits, kPlain) == Counts{200, 500, 300});
  CHECK(choose_token(logits, kPlain, 0) == 0);
  CHECK(choose_token(Values{0, 0}, kPlain, Scalar(0.5)) == 1);  // the first has [0, 0.5)
  CHECK(choose_token(logits, kPlain, Scalar(0.69)) == 1);
  CHECK(choose_token(logits, kPlain, Scalar(0.71)) == 2);
}

TEST_CASE("choose token: adding a number to all logits changes nothing, however large") {
  CHECK(counts({1000, 1000, 1000 - 100}, kPlain) == Counts{500, 500, 0});
  CHECK(counts({-1000, -1000 + std::log(Scalar(3))}, kPlain) == Counts{250, 750});
}

TEST_CASE("choose token: temperature raises probabilities to the power 1 / temperature") {
  const Values logits = logits_of({Scalar(0.2), Scalar(0.8)});
  CHECK(counts(logits, {.temperature = 0.5, .top_k = 0}) == Counts{59, 941});  // 1 : 16
  CHECK(counts(logits, {.temperature = 2, .top_k = 0}) == Counts{333, 667});   // 1 : 2
  CHECK(counts(logits, {.temperature = 1e-300, .top_k = 0}) == Counts{0, 1000});
  CHECK(counts(logits, {.temperature = 1e300, .top_k = 0}) == Counts{500, 500});
}

TEST_CASE("choose token: temperature 0 chooses the most probable token, the first of equals") {
  CHECK(counts({1, 3, 2, 3}, {.temperature = 0, .top_k = 0}) == Counts{0, 1000, 0, 0});
}

TEST_CASE("choose token: top_k leaves k, ties going to lower tokens") {
  const Values logits = logits_of({Scalar(0.1), Scalar(0.2), Scalar(0.2), Scalar(0.5)});
  CHECK(counts(logits, {.temperature = 1, .top_k = 1}) == Counts{0, 0, 0, 1000});
  CHECK(counts(logits, {.temperature = 1, .top_k = 2}) == Counts{0, 286, 0, 714});
  CHECK(counts(logits, {.temperature = 1, .top_k = 3}) == Counts{0, 222, 222, 556});
  CHECK(counts(logits, {.temperature = 1, .top_k = 4}) == Counts{100, 200, 200, 500});
  CHECK(counts(logits, {.temperature = 1, .top_k = 99}) == Counts{100, 200, 200, 500});
}

TEST_CASE("choose token: top_p leaves the fewest that reach p, ties going to lower tokens") {
  const Values logits = logits_of({Scalar(0.125), Scalar(0.25), Scalar(0.25), Scalar(0.375)});
  CHECK(counts(logits, {.temperature = 1, .top_k = 0, .top_p = 1e-9}) == Counts{0, 0, 0, 1000});
  CHECK(counts(logits, {.temperature = 1, .top_k = 0, .top_p = 0.37}) == Counts{0, 0, 0, 1000});
  CHECK(counts(logits, {.temperature = 1, .top_k = 0, .top_p = 0.38}) == Counts{0, 400, 0, 600});
  CHECK(counts(logits, {.temperature = 1, .top_k = 0, .top_p = 0.7}) == Counts{0, 286, 285, 429});
  CHECK(counts(logits, {.temperature = 1, .top_k = 0, .top_p = 0.9}) == Counts{125, 250, 250, 375});
}

TEST_CASE("choose token: top_p stops as soon as p is reached") {
  CHECK(counts({0, 0}, {.temperature = 1, .top_k = 0, .top_p = 0.5}) == Counts{1000, 0});
}

TEST_CASE("choose token: top_p is a share of the tokens that top_k leaves") {
  const Values logits = logits_of({Scalar(0.5), Scalar(0.3), Scalar(0.2)});
  // Of the first two tokens, 0.5 is a share of 0.625.
  CHECK(counts(logits, {.temperature = 1, .top_k = 2, .top_p = 0.6}) == Counts{1000, 0, 0});
  CHECK(counts(logits, {.temperature = 1, .top_k = 0, .top_p = 0.6}) == Counts{625, 375, 0});
}

TEST_CASE("choose token: the filters agree with a full sort, at sizes where they must work") {
  const Tensor drawn_logits = drawn({997}, 3, -4, 4);
  const Values logits = drawn_logits.values();
  Values sorted = logits;
  std::ranges::sort(sorted, std::greater());
  for (const int k : {1, 2, 50, 996}) {
    const Counts chosen = counts(logits, {.temperature = 100, .top_k = k}, 200 + 16 * k);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      REQUIRE((chosen[i] > 0) == (logits[i] >= sorted[static_cast<std::size_t>(k - 1)]));
    }
  }
}

TEST_CASE("choose token: impossible tokens are never chosen, certain ones always") {
  CHECK(counts({-kInf, 0, -kInf, 0}, kPlain) == Counts{0, 500, 0, 500});
  CHECK(choose_token(Values{-kInf, 0, -kInf}, kPlain, Scalar(0.9999999)) == 1);
  CHECK(choose_token(Values{-kInf, 0, -kInf}, kPlain, 0) == 1);
  CHECK(counts({5, kInf, kInf}, kPlain) == Counts{0, 500, 500});
  CHECK(counts({0, -kInf, -kInf}, {.temperature = 1, .top_k = 2}) == Counts{1000, 0, 0});
}

TEST_CASE("choose token: logits from which nothing can be chosen are refused") {
  CHECK_THROWS_WITH_AS(choose_token(Values{0, kNaN}, kPlain, 0),
                       doctest::Contains("the logit of token 1 is NaN: the weights are too large"),
                       std::runtime_error);
  CHECK_FAILS(choose_token(Values{-kInf, -kInf}, kPlain, 0), "all logits are -inf");
  CHECK_FAILS(choose_token(Values{}, kPlain, 0), "there are no logits");
}

TEST_CASE("sample options: each is checked, by the name of its flag") {
  CHECK_FAILS(SampleOptions{.temperature = -1}.validate(), "--temperature must be at least 0");
  CHECK_FAILS(SampleOptions{.temperature = kNaN}.validate(), "--temperature");
  CHECK_FAILS(SampleOptions{.temperature = kInf}.validate(), "--temperature");
  CHECK_FAILS(SampleOptions{.top_k = -1}.validate(), "--top_k must be at least 0, got -1");
  CHECK_FAILS(SampleOptions{.top_p = 0}.validate(), "--top_p must be in (0, 1], got 0");
  CHECK_FAILS(SampleOptions{.top_p = 1.5}.validate(), "--top_p");
  CHECK_FAILS(SampleOptions{.top_p = kNaN}.validate(), "--top_p");
  CHECK_FAILS(SampleOptions{.repetition_penalty = 0}.validate(),
              "--repetition_penalty must be above 0 and finite, got 0");
  CHECK_FAILS(SampleOptions{.repetition_penalty = -1.2}.validate(), "--repetition_penalty");
  CHECK_FAILS(SampleOptions{.repetition_penalty = kInf}.validate(), "--repetition_penalty");
  CHECK_FAILS(SampleOptions{.repetition_penalty = kNaN}.validate(), "--repetition_penalty");
}

TEST_CASE("penalise repetition: divides what is above 0, multiplies the rest, once for a token") {
  Values logits = {3, -3, 0, 1, -kInf, kInf};
  penalise_repetition(logits, std::vector<std::int32_t>{0, 1, 0, 2, 4, 5}, 2);
  CHECK(logits == Values{1.5, -6, 0, 1, -kInf, kInf});  // 3 was not seen
  penalise_repetition(logits, std::vector<std::int32_t>{0, 1}, 0.5);
  CHECK(logits == Values{3, -3, 0, 1, -kInf, kInf});
  penalise_repetition(logits, {}, 2);
  penalise_repetition(logits, std::vector<std::int32_t>{0, 1, 3}, 1);
  CHECK(logits == Values{3, -3, 0, 1, -kInf, kInf});
  CHECK_FAILS(penalise_repetition(logits, std::vector<std::int32_t>{6}, 2),
              "token 6 is outside the vocabulary of 6");
  CHECK_FAILS(penalise_repetition(logits, std::vector<std::int32_t>{-1}, 2), "token -1");
  CHECK_FAILS(penalise_repetition(logits, {}, 0), "must be above 0 and finite, got 0");
}

TEST_CASE("generate: each token is chosen by the logits after the window before it") {
  const Gpt gpt = tiny_gpt();
  const Index most = 7;  // the model's n_positions
  CHECK(window_after_slide(most) == 6);
  const RandomKey key{.seed = 3};
  for (const Index given : {1, 2, 6, 7, 8, 19}) {
    std::vector<std::int32_t> all;
    for (Index i = 0; i < given; ++i) {
      all.push_back(static_cast<std::int32_t>(i * i % 5));
    }
    const std::vector<std::int32_t> tokens = generate(gpt, all, 20, kPlain, key);
    REQUIRE(tokens.size() == 20);
    Index window = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      window = i == 0 ? given : window + 1;
      window = window > most ? 6 : window;
      const Tensor logits = gpt(IndexTensor({1, window}, std::span(all).last(window)));
      const Values last = slice(logits, 1, -1).values();
      REQUIRE(tokens[i] == choose_token(last, kPlain, uniform_at(key, i)));
      all.push_back(tokens[i]);
    }
    CHECK(std::set(tokens.begin(), tokens.end()).size() > 2);  // a constant would prove little
  }
}

TEST_CASE("generate: the repetition penalty is for the tokens of the window, text by text") {
  const Gpt gpt = tiny_gpt();
  const Index most = 7;  // the model's n_positions
  SampleOptions options = kPlain;
  options.repetition_penalty = 1.7;
  const std::vector<RandomKey> keys = {{.seed = 3}, {.seed = 4}, {.seed = 5}};
  int changed = 0;
  for (const Index given : {1, 7, 9}) {
    std::vector<std::int32_t> prompt;
    for (Index i = 0; i < given; ++i) prompt.push_back(static_cast<std::int32_t>(i * i % 5));
    const auto texts = generate_batch(gpt, prompt, 20, options, keys);
    changed += texts != generate_batch(gpt, prompt, 20, kPlain, keys);
    for (std::size_t n = 0; n < keys.size(); ++n) {
      std::vector<std::int32_t> all = prompt;
      Index window = 0;
      for (std::size_t i = 0; i < texts[n].size(); ++i) {
        window = i == 0 ? given : window + 1;
        window = window > most ? window_after_slide(most) : window;
        const auto seen = std::span(all).last(static_cast<std::size_t>(window));
        Values last = slice(gpt(IndexTensor({1, window}, seen)), 1, -1).values();
        penalise_repetition(last, seen, options.repetition_penalty);
        REQUIRE(texts[n][i] == choose_token(last, kPlain, uniform_at(keys[n], i)));
        all.push_back(texts[n][i]);
      }
    }
  }
  CHECK(changed > 0);
}

TEST_CASE("generate: the tokens that stay of a full window") {
  const std::vector<Index> kept = {1, 2, 3, 3, 4, 5, 6, 6};
  for (Index n = 1; n <= std::ssize(kept); ++n) {
    CHECK(window_after_slide(n) == kept[static_cast<std::size_t>(n - 1)]);
  }
  CHECK(window_after_slide(1024) == 768);
  GptConfig config = tiny_gpt_config();
  config.n_positions = 1;
  CHECK(generate(Gpt(config), {1, 2}, 5, kPlain, {}).size() == 5);
}

TEST_CASE("generate_batch: each text equals the text of its key alone") {
  const Gpt gpt = tiny_gpt();
  std::vector<RandomKey> keys;
  for (std::uint32_t i = 0; i < 8; ++i) {
    keys.push_back({.seed = 1, .place = i});
  }
  // Prompts that stay in the window, fill it, and do not fit.
  for (const std::vector<std::int32_t>& prompt : std::vector<std::vector<std::int32_t>>{
           {1}, {1, 2, 3, 4, 5, 4, 3}, {5, 4, 3, 2, 1, 1, 2, 3}}) {
    const auto texts = generate_batch(gpt, prompt, 30, kPlain, keys);
    REQUIRE(texts.size() == 8);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CHECK(texts[i] == generate(gpt, prompt, 30, kPlain, keys[i]));
      CHECK((i == 0 || texts[i] != texts[0]));
    }
  }
}

TEST_CASE("generate_batch: a text that is stopped does not change the others") {
  const Gpt gpt = tiny_gpt();
  const std::vector<RandomKey> keys = {{.seed = 1}, {.seed = 2}, {.seed = 3}};
  const std::vector<std::size_t> wanted = {2, 25, 1};
  std::vector<std::vector<std::int32_t>> seen(3);
  const auto texts =
      generate_batch(gpt, {1}, 30, kPlain, keys, [&](std::size_t i, std::int32_t token) {
        seen[i].push_back(token);
        return seen[i].size() < wanted[i];
      });
  CHECK(texts == seen);
  for (std::size_t i = 0; i < 3; ++i) {
    auto whole = generate(gpt, {1}, 30, kPlain, keys[i]);
    whole.resize(wanted[i]);
    CHECK(texts[i] == whole);
  }
  CHECK(generate_batch(gpt, {1}, 0, kPlain, keys).size() == 3);
  CHECK(generate_batch(gpt, {1}, 4, kPlain, std::span<const RandomKey>()).empty());
}

TEST_CASE("generate: the key decides, and tokens do not depend on how many are asked for") {
  const Gpt gpt = tiny_gpt();
  const auto ten = generate(gpt, {0}, 10, kPlain, {.seed = 1});
  auto twenty = generate(gpt, {0}, 20, kPlain, {.seed = 1});
  CHECK(generate(gpt, {0}, 20, kPlain, {.seed = 2}) != twenty);
  twenty.resize(10);
  CHECK(twenty == ten);
}

TEST_CASE("generate: hands tokens out as they come, and ends when told to") {
  const Gpt gpt = tiny_gpt();
  std::vector<std::int32_t> seen;
  const auto on_token = [&](std::int32_t token) {
    seen.push_back(token);
    return seen.size() < 3;
  };
  const auto tokens = generate(gpt, {0}, 10, kPlain, {.seed = 1}, on_token);
  CHECK(tokens.size() == 3);
  CHECK(tokens == seen);
  CHECK(generate(gpt, {0}, 0, kPlain, {}).empty());
}

TEST_CASE("generate: wrong prompts and counts are refused") {
  const Gpt gpt = tiny_gpt();
  CHECK_FAILS(generate(gpt, {}, 1, kPlain, {}), "the prompt is empty");
  CHECK_FAILS(generate(gpt, {0, 99}, 1, kPlain, {}), "token 99 is outside the model's vocabulary");
  CHECK_FAILS(generate(gpt, {-1}, 1, kPlain, {}), "token -1");
  CHECK_FAILS(generate(gpt, {0}, -1, kPlain, {}), "--max_new_tokens must be at least 0, got -1");
}

TEST_CASE("choose_token: top_p keeps the order of the tokens, also when it keeps them all") {
  const std::vector<Scalar> even(4, Scalar(0));
  for (int token = 0; token < 4; ++token) {
    const Scalar draw = (Scalar(token) + Scalar(0.5)) / 4;
    CHECK(choose_token(even, {.temperature = 1, .top_k = 0, .top_p = 0.9}, draw) == token);
  }
}
