#include "nn/generate/inference_session.h"

#include "autograd/graph.h"
#include "autograd/ops/random.h"
#include "autograd/ops/shape.h"
#include "nn/names.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_gpt.h"

using namespace gradus;

namespace {

constexpr Index kPositions = 13, kVocabulary = 11, kRows = 3;

/// GPT-2's parts, the same without biases, or the parts of the fast recipe.
enum class Parts { kGpt2, kNoBias, kOthers };

Gpt small_gpt(Parts parts = Parts::kGpt2, Position position = Position::kLearned) {
  GptConfig config{.vocab_size = kVocabulary,
                   .n_positions = kPositions,
                   .n_layer = 2,
                   .n_head = 3,
                   .n_embd = 24,
                   .dropout = Scalar(0.2),
                   .bias = parts != Parts::kNoBias,
                   .position = position};
  if (parts == Parts::kOthers) {
    config.activation = Activation::kReluSquared;
    config.position = Position::kRotary;
    config.token_shift = true;
    config.tied = false;
  }
  Gpt gpt(config, 5);
  std::uint32_t place = 0;
  visit_parameters(gpt, [&](const std::string& name, Tensor& parameter) {
    const Scalar factor = config.tied ? 5 : 1;  // so that logits differ by more than rounding
    parameter = (parameter.detach() * factor).set_requires_grad();
    if (name == "lm_head.weight" || name.ends_with("distances")) {  // which start as 0
      std::ranges::copy(normal(parameter.shape(), {.seed = 7, .place = place++}),
                        parameter.mutable_data());
    }
  });
  return gpt;
}

IndexTensor drawn_tokens(Index rows, Index count, std::uint64_t seed = 3) {
  IndexTensor tokens({rows, count});
  for (Index i = 0; i < tokens.size(); ++i) {
    tokens.mutable_data()[i] =
        static_cast<std::int32_t>(uniform_index({.seed = seed}, i, kVocabulary));
  }
  return tokens;
}

/// The logits after position t, from the model's logits [B, T, V].
Tensor logits_after(const Tensor& all, Index t) {
  return reshape(slice(all, 1, t, t + 1), {all.size(0), all.size(2)});
}

/// The tolerance for another order of rounding, which the model amplifies: to 1.1e-5 with
/// OpenBLAS's kernels for Haswell, to less than 1e-5 with the kernels for AVX-512.
const double kClose = kIsDouble ? 1e-11 : 3e-5;

}  // namespace

TEST_CASE(
    "inference session: at every position, the logits of the model over all tokens up to there") {
  for (const Parts parts : {Parts::kGpt2, Parts::kNoBias, Parts::kOthers}) {
    CAPTURE(static_cast<int>(parts));
    const Gpt gpt = small_gpt(parts);
    for (const Index rows : {Index{1}, kRows}) {
      const IndexTensor tokens = drawn_tokens(rows, kPositions);
      const Tensor all = gpt(tokens);
      CHECK(difference(logits_after(all, 2), logits_after(all, 3), 1e-3) != "");
      for (Index prompt = 1; prompt <= kPositions; ++prompt) {
        InferenceSession reader(gpt, rows);
        CHECK_CLOSE(reader.step(columns(tokens, 0, prompt)), logits_after(all, prompt - 1), kClose);
        for (Index t = prompt; t < kPositions; ++t) {
          CHECK_CLOSE(reader.step(columns(tokens, t, t + 1)), logits_after(all, t), kClose);
          CHECK(reader.length() == t + 1);
        }
      }
    }
  }
}

TEST_CASE("inference session: with every positional encoding, the logits of the model") {
  for (std::size_t i = 0; i < names_of(Position{}).size(); ++i) {
    const auto position = static_cast<Position>(i);
    if (position == Position::kUnit) continue;  // not for a GPT
    CAPTURE(std::string(name_of(position)));
    const Gpt gpt = small_gpt(Parts::kGpt2, position);
    const IndexTensor tokens = drawn_tokens(kRows, kPositions);
    const Tensor all = gpt(tokens);
    InferenceSession reader(gpt, kRows);
    CHECK_CLOSE(reader.step(columns(tokens, 0, 3)), logits_after(all, 2), kClose);
    for (Index t = 3; t < kPositions; ++t) {
      CHECK_CLOSE(reader.step(columns(tokens, t, t + 1)), logits_after(all, t), kClose);
    }
  }
}

TEST_CASE("inference session: with each decoder's parts, the logits of the model") {
  for (const auto& decoder : decoder_configs()) {
    CAPTURE(decoder.first);
    const GptConfig& config = decoder.second;
    const Gpt gpt = drawn_gpt(config);
    const IndexTensor tokens = drawn_tokens(kRows, kPositions);
    // With dynamic scaling, a shorter text has other logits: the model reads each prefix again.
    const auto expected = [&](Index t) { return logits_after(gpt(columns(tokens, 0, t + 1)), t); };
    InferenceSession reader(gpt, kRows);
    CHECK_CLOSE(reader.step(columns(tokens, 0, 3)), expected(2), kClose);
    for (Index t = 3; t < kPositions; ++t) {
      CHECK_CLOSE(reader.step(columns(tokens, t, t + 1)), expected(t), kClose);
      CHECK(reader.length() == t + 1);
    }
    CHECK_THROWS_AS(reader.step(columns(tokens, 0, 1)), std::invalid_argument);
    CHECK(reader.length() == kPositions);
    InferenceSession parts(gpt, kRows), swapped(gpt, kRows);
    parts.step(columns(tokens, 0, 4));
    CHECK_CLOSE(parts.step(columns(tokens, 4, 11)), expected(10), kClose);
    swapped = parts.of_rows(indices({2, 0}));
    const Tensor last = swapped.step(indices({{tokens.data()[2 * 13 + 11]}, {tokens.data()[11]}}));
    CHECK_CLOSE(slice(last, 0, 0, 1), slice(expected(11), 0, 2, 3), kClose);
    CHECK_CLOSE(slice(last, 0, 1), slice(expected(11), 0, 0, 1), kClose);
  }
}

TEST_CASE("inference session: a cache holds the kv heads only") {
  const GptConfig config = decoder_configs()[0].second;
  CHECK(BlockCache(config, 3).attention.keys.shape() == Shape{3, 2, 13, 6});
}

TEST_CASE("gpt: caches are not continued where dynamic scaling changes all keys") {
  for (const auto& [name, config] : decoder_configs()) {
    if (config.rotary.scaling != RotaryScaling::kDynamic) continue;
    const Gpt gpt(config);
    const NoGrad no_grad;
    std::vector<BlockCache> caches(2, BlockCache(config, 1));
    for (BlockCache& cache : caches) cache = BlockCache(config, 1);
    gpt.features(indices({{1, 2, 3, 4}}), caches);
    gpt.features(indices({{1, 2}}), caches);
    CHECK_FAILS(gpt.features(indices({{5}}), caches),
                "beyond 6 positions, dynamic scaling changes all keys, but the caches hold 6");
  }
}

TEST_CASE(
    "inference session: under an attention record, its layers keep the weights that the model "
    "has") {
  for (const Position position : {Position::kLearned, Position::kRotary, Position::kAlibi}) {
    const Gpt gpt = small_gpt(Parts::kGpt2, position);
    const IndexTensor tokens = drawn_tokens(1, 6);
    const AttentionRecord whole;
    gpt(tokens);
    InferenceSession reader(gpt);
    const AttentionRecord record;
    reader.step(columns(tokens, 0, 4));
    reader.step(columns(tokens, 4, 6));
    REQUIRE(record.weights().size() == 4);  // two layers, twice
    for (std::size_t layer = 0; layer < 2; ++layer) {
      const Tensor& all = whole.weights()[layer];  // [1, H, 6, 6]
      CHECK_CLOSE(record.weights()[layer], slice(slice(all, 2, 0, 4), 3, 0, 4), kClose);
      CHECK_CLOSE(record.weights()[2 + layer], slice(all, 2, 4), kClose);
    }
  }
}

TEST_CASE("inference session: several tokens at a time may follow others") {
  for (const Parts parts : {Parts::kGpt2, Parts::kOthers}) {
    CAPTURE(static_cast<int>(parts));
    const Gpt gpt = small_gpt(parts);
    const IndexTensor tokens = drawn_tokens(kRows, kPositions);
    const Tensor all = gpt(tokens);
    InferenceSession reader(gpt, kRows);
    Index read = 0;
    for (const Index count : {2, 5, 1, 3}) {
      read += count;
      CHECK_CLOSE(reader.step(columns(tokens, read - count, read)), logits_after(all, read - 1),
                  kClose);
    }
  }
}

TEST_CASE("inference session: after clear() it is as new") {
  for (const Parts parts : {Parts::kGpt2, Parts::kOthers}) {
    CAPTURE(static_cast<int>(parts));
    const Gpt gpt = small_gpt(parts);
    const IndexTensor first = drawn_tokens(1, kPositions), second = drawn_tokens(1, kPositions, 4);
    InferenceSession reader(gpt), fresh(gpt);
    reader.step(first);
    reader.clear();
    CHECK(reader.length() == 0);
    CHECK(reader.step(second).values() == fresh.step(second).values());
  }
}

TEST_CASE("inference session: a copy and its original continue independently") {
  for (const Parts parts : {Parts::kGpt2, Parts::kOthers}) {
    CAPTURE(static_cast<int>(parts));
    const Gpt gpt = small_gpt(parts);
    InferenceSession one(gpt), cleared(gpt);
    one.step(indices({{1, 2, 3}}));
    InferenceSession two = one;
    one.step(indices({{4}}));
    two.step(indices({{5}}));
    cleared = two;
    cleared.clear();
    CHECK_CLOSE(one.step(indices({{6}})), logits_after(gpt(indices({{1, 2, 3, 4, 6}})), 4), kClose);
    CHECK_CLOSE(two.step(indices({{6}})), logits_after(gpt(indices({{1, 2, 3, 5, 6}})), 4), kClose);
    CHECK_CLOSE(cleared.step(indices({{6}})), logits_after(gpt(indices({{6}})), 0), kClose);
  }
}

TEST_CASE("inference session: many rows may share the beginning of one row") {
  for (const Parts parts : {Parts::kGpt2, Parts::kOthers}) {
    CAPTURE(static_cast<int>(parts));
    const Gpt gpt = small_gpt(parts);
    const IndexTensor prompt = drawn_tokens(1, 5);
    InferenceSession one(gpt);
    one.step(prompt);
    InferenceSession many = one.of_rows(IndexTensor({kRows}));
    CHECK(many.batch_size() == kRows);
    CHECK(many.length() == 5);
    const IndexTensor next = drawn_tokens(kRows, 1);
    const Tensor logits = many.step(next);
    CHECK(one.length() == 5);  // it continues independently
    for (Index row = 0; row < kRows; ++row) {
      InferenceSession alone = one.of_rows(indices({0}));
      const Tensor own = alone.step(IndexTensor({1, 1}, {next.data() + row, 1}));
      CHECK(slice(logits, 0, row, row + 1).values() == own.values());  // the same bits
    }
    // Any rows, in any order.
    InferenceSession two = many.of_rows(indices({2, 0}));
    const IndexTensor last = drawn_tokens(kRows, 1, 8);
    const Tensor after = many.step(last);
    const Tensor chosen = two.step(indices({{last.data()[2]}, {last.data()[0]}}));
    CHECK(slice(chosen, 0, 0, 1).values() == slice(after, 0, 2, 3).values());
    CHECK(slice(chosen, 0, 1, 2).values() == slice(after, 0, 0, 1).values());
    CHECK_FAILS(one.of_rows(indices({1})), "rows must be in [0, 1), got 1");
    CHECK_FAILS(one.of_rows(IndexTensor({0})), "needs a batch of at least 1 row, got 0");
  }
}

TEST_CASE("inference session: refuses unreadable tokens without a change") {
  for (const Parts parts : {Parts::kGpt2, Parts::kOthers}) {
    CAPTURE(static_cast<int>(parts));
    const Gpt gpt = small_gpt(parts);
    const IndexTensor tokens = drawn_tokens(2, kPositions);
    const Tensor all = gpt(tokens);
    InferenceSession reader(gpt, 2);
    reader.step(columns(tokens, 0, 4));
    CHECK_FAILS(reader.step(drawn_tokens(3, 1)), "needs tokens [B, T] of its 2 rows, got [3, 1]");
    CHECK_FAILS(reader.step(drawn_tokens(2, 0)), "got [2, 0]");
    CHECK_FAILS(reader.step(indices({1, 2})), "got [2]");
    CHECK_FAILS(reader.step(drawn_tokens(2, kPositions - 3)),
                "T at most 9, got [1, 10] after the cached positions");
    CHECK_FAILS(reader.step(indices({{1}, {11}})), "token 11 at [1, 0] is outside");
    CHECK_FAILS(reader.step(indices({{1, 2}, {2, -1}})), "token -1 at [1, 1] is outside");
    CHECK(reader.length() == 4);
    CHECK_CLOSE(reader.step(columns(tokens, 4, 5)), logits_after(all, 4), kClose);
  }
  const Gpt gpt = small_gpt();
  CHECK_FAILS(InferenceSession(gpt, 0), "needs a batch of at least 1 row, got 0");
  std::vector<BlockCache> too_few(1);
  CHECK_FAILS(gpt.features(drawn_tokens(2, 3), too_few),
              "needs a cache for each of its 2 blocks, got 1");
}
