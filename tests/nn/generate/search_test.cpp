#include "nn/generate/search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/kernels/allocator.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr std::int32_t kEnd = 0;
using Tokens = std::vector<std::int32_t>;

/// The next token depends only on the last one: its logits are row `token` of a table.
class Chain final : public DecodingState {
 public:
  Chain(const Tensor& table, Tokens begin) : table_(table), last_(std::move(begin)) {}
  Tensor logits() const override {
    Tensor y(Shape{std::ssize(last_), table_.size(1)});
    for (std::size_t i = 0; i < last_.size(); ++i) {
      std::copy_n(table_.data() + last_[i] * table_.size(1), table_.size(1),
                  y.mutable_data() + static_cast<Index>(i) * table_.size(1));
    }
    return y;
  }
  void advance(const IndexTensor& from, const IndexTensor& tokens) override {
    REQUIRE(from.size() == tokens.size());
    for (const std::int32_t row : from) REQUIRE(row < std::ssize(last_));
    last_ = tokens.values();
  }

 private:
  Tensor table_;
  Tokens last_;
};

/// Tries every sequence of the chain up to a length.
void enumerate(const Tensor& log_p, Tokens& tokens, double so_far, std::int32_t last,
               std::size_t most, std::vector<std::pair<double, Tokens>>& all) {
  for (std::int32_t v = 0; v < log_p.size(1); ++v) {
    const double next = so_far + log_p.at({last, v});
    if (v == kEnd) {
      all.emplace_back(next, tokens);
    } else if (tokens.size() + 1 < most) {
      tokens.push_back(v);
      enumerate(log_p, tokens, next, v, most, all);
      tokens.pop_back();
    }
  }
}

Transformer translator() {
  return Transformer({.src_vocab = 7,
                      .trg_vocab = 9,
                      .n_layer = 2,
                      .layer = {.d_model = 12, .num_heads = 3, .d_ff = 10, .dropout = 0}},
                     4);
}

}  // namespace

TEST_CASE("search: greedy takes the most probable token until the end, each row for itself") {
  // 2 follows 1, the end follows 2, and 3 follows 3 for ever.
  const Tensor table = tensor({{0, 0, 0, 0}, {0, 0, 2, 1}, {5, 1, 0, 0}, {0, 0, 0, 9}});
  Chain chain(table, {1, 3, 2});
  const auto rows = greedy_search(chain, {.end = kEnd, .max_tokens = 4});
  CHECK(rows[0].tokens == Tokens{2});
  CHECK(rows[0].complete);
  CHECK(rows[1].tokens == Tokens{3, 3, 3, 3});
  CHECK_FALSE(rows[1].complete);
  CHECK(rows[2].tokens.empty());
  const Tensor log_p = log_softmax(table);
  CHECK(rows[0].log_probability ==
        doctest::Approx(log_p.at({1, 2}) + log_p.at({2, 0})).epsilon(1e-5));
}

TEST_CASE(
    "search: a beam as wide as all hypotheses finds the most probable sequence, which greedy "
    "misses") {
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor table = normal({4, 4}, {.seed = seed}, 0, 2);
    std::vector<std::pair<double, Tokens>> all;
    Tokens none;
    enumerate(log_softmax(table), none, 0, 1, 5, all);
    const auto best = std::ranges::max_element(all);
    Chain chain(table, {1}), again(table, {1});
    const auto found = beam_search(chain, {.end = kEnd, .max_tokens = 5}, 400, 0);
    const auto complete = std::ranges::find(found, true, &Hypothesis::complete);
    CHECK(complete->tokens == best->second);
    CHECK(complete->log_probability == doctest::Approx(best->first).epsilon(1e-4));
    CHECK(std::ranges::is_sorted(found, std::ranges::greater(), &Hypothesis::score));
    missed += greedy_search(again, {.end = kEnd, .max_tokens = 5})[0].tokens != best->second;
  }
  CHECK(missed > 0);
}

TEST_CASE("search: a beam of one is greedy, in a chain and in a transformer") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor table = normal({5, 5}, {.seed = seed}, 0, 2);
    Chain a(table, {1}), b(table, {1});
    const WriteLimits limits{.end = kEnd, .max_tokens = 6};
    const auto greedy = greedy_search(a, limits), beam = beam_search(b, limits, 1);
    CHECK(beam.size() == 1);
    CHECK(beam[0].tokens == greedy[0].tokens);
    CHECK(beam[0].complete == greedy[0].complete);
    CHECK(beam[0].log_probability == doctest::Approx(greedy[0].log_probability));
  }
  const Transformer model = translator();
  const IndexTensor src = indices({{1, 2, 3, 4}});
  TransformerDecoding a(model, src, {}, 1), b(model, src, {}, 1);
  const WriteLimits limits{.end = 8, .max_tokens = 9};
  CHECK(beam_search(b, limits, 1)[0].tokens == greedy_search(a, limits)[0].tokens);
}

TEST_CASE("search: the length's share in the score is as told") {
  // From 1: the end with probability 0.4, or 2 and then the end with 0.6 * 0.6 = 0.36.
  const Tensor p = tensor({{1, 0, 0}, {0.4, 0, 0.6}, {0.6, 0.4, 0}});
  Tensor table(p.shape());
  std::ranges::transform(p, table.mutable_data(),
                         [](Scalar x) { return x > 0 ? std::log(x) : Scalar(-1e4); });
  Chain a(table, {1}), b(table, {1});
  const WriteLimits limits{.end = kEnd, .max_tokens = 3};
  CHECK(beam_search(a, limits, 4, 0)[0].tokens.empty());
  const auto normalised = beam_search(b, limits, 4, 2);
  CHECK(normalised[0].tokens == Tokens{2});
  CHECK(normalised[0].score ==
        doctest::Approx(std::log(0.36) / std::pow(7.0 / 6, 2)).epsilon(1e-5));
}

TEST_CASE("search: a transformer writes what it would score, row by row or alone") {
  const Transformer model = translator();
  const IndexTensor src = indices({{1, 2, 3, 0}, {4, 5, 6, 1}}), mask = padding_mask(src, 0);
  const WriteLimits limits{.end = 8, .max_tokens = 5};
  TransformerDecoding both(model, src, mask, 1);
  const auto rows = greedy_search(both, limits);
  for (Index i = 0; i < 2; ++i) {
    const IndexTensor one({1, 4}, {src.data() + 4 * i, 4});
    TransformerDecoding alone(model, one, padding_mask(one, 0), 1);
    const Hypothesis h = greedy_search(alone, limits)[0];
    CHECK(h.tokens == rows[static_cast<std::size_t>(i)].tokens);
    // The same with one pass over the whole target.
    IndexTensor target(Shape{1, std::ssize(h.tokens) + 1});
    target.mutable_data()[0] = 1;
    std::ranges::copy(h.tokens, target.mutable_data() + 1);
    const Tensor log_p = log_softmax(model(one, target, padding_mask(one, 0)));
    double sum = h.complete ? log_p.at({0, std::ssize(h.tokens), 8}) : 0;
    for (Index t = 0; t < std::ssize(h.tokens); ++t) {
      sum += log_p.at({0, t, h.tokens[static_cast<std::size_t>(t)]});
    }
    CHECK(h.log_probability == doctest::Approx(sum).epsilon(1e-4));
  }
}

TEST_CASE("search: a GPT goes on with a prompt as generate() does, beyond its window too") {
  const Gpt gpt(
      {.vocab_size = 11, .n_positions = 9, .n_layer = 1, .n_head = 2, .n_embd = 8, .dropout = 0},
      3);
  for (const Index prompt : {3, 9, 12}) {
    const Tokens tokens = [&] {
      Tokens t(static_cast<std::size_t>(prompt));
      for (Index i = 0; i < prompt; ++i)
        t[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i * 7 % 10);
      return t;
    }();
    GptDecoding state(gpt, tokens);
    const auto written = greedy_search(state, {.end = 10, .max_tokens = 15})[0].tokens;
    Tokens expected = generate(gpt, tokens, 15, {.temperature = 0}, {});
    expected.erase(std::ranges::find(expected, 10), expected.end());
    CHECK(written == expected);
  }
  CHECK_FAILS(GptDecoding(gpt, {}), "the prompt is empty");
}

TEST_CASE("search: a GPT's beam goes on from the rows it chose") {
  const Gpt gpt({.vocab_size = 11,
                 .n_positions = 9,
                 .n_layer = 2,
                 .n_head = 2,
                 .n_embd = 8,
                 .dropout = 0,
                 .token_shift = true},
                3);
  GptDecoding state(gpt, {1, 2});
  state.advance(indices({0, 0, 0}), indices({3, 4, 5}));
  state.advance(indices({2, 0}), indices({6, 7}));
  const Tensor logits = state.logits();
  const Tensor first = gpt(indices({{1, 2, 5, 6}, {1, 2, 3, 7}}));
  CHECK_CLOSE(logits, reshape(slice(first, 1, 3, 4), {2, 11}), 10 * kSameMaths);
  CHECK_FAILS(state.advance(indices({2}), indices({1})), "rows must be in [0, 2), got 2");
  CHECK_FAILS(beam_search(state, {}, 2), "one row");
  GptDecoding one(gpt, {1});
  CHECK_FAILS(beam_search(one, {}, 0), "width");
}

TEST_CASE("search: a GPT that writes token by token takes no more memory for a wider window") {
  const auto taken = [](Index window) {
    const Gpt gpt({.vocab_size = 11,
                   .n_positions = window,
                   .n_layer = 2,
                   .n_head = 2,
                   .n_embd = 8,
                   .dropout = 0,
                   .position = Position::kAlibi});
    GptDecoding state(gpt, {1, 2});
    reset_peak_memory();
    const std::ptrdiff_t before = allocator_stats().bytes_in_use;
    for (std::int32_t token = 0; token < 5; ++token) {
      state.advance(indices({0}), indices({token}));
    }
    return allocator_stats().peak_bytes_in_use - before;
  };
  CHECK(taken(512) == taken(16));
}

TEST_CASE("search: copies only the filled part of a cache for the chosen rows") {
  const Scalar mark = 7.25;
  KvCache cache(2, 2, 9, 3);
  std::fill_n(cache.keys.mutable_data(), cache.keys.size(), mark);
  std::fill_n(cache.values.mutable_data(), cache.values.size(), mark);
  cache.length = 2;
  { const std::vector<Tensor> next = {zeros(cache.keys.shape()), zeros(cache.keys.shape())}; }
  const KvCache chosen = of_rows(cache, indices({1, 0}));
  CHECK(chosen.length == 2);
  for (const Tensor& x : {chosen.keys, chosen.values}) {
    CHECK(filled(x, 2).values() == Values(2 * 2 * 2 * 3, mark));
    CHECK(std::ranges::count(x, mark) == 2 * 2 * 2 * 3);
  }
  CHECK_FAILS(of_rows(cache, indices({2})), "of_rows: rows must be in [0, 2), got 2");
}

TEST_CASE("search: a decoder's keys and values move only as often as their room doubles") {
  const Transformer model = translator();
  const NoGrad no_grad;
  DecoderCache cache = model.decoder.begin(model.encode(indices({{1, 2, 3}})));
  std::set<Index> moved;
  const Scalar* keys = nullptr;
  for (Index t = 0; t < 100; ++t) {
    model.extend(indices({{static_cast<int>(t % 9)}}), cache);
    if (cache.layers[1].own.keys.data() != keys) moved.insert(t);
    keys = cache.layers[1].own.keys.data();
  }
  CHECK(cache.length() == 100);
  CHECK(moved.size() <= 8);
}

TEST_CASE("search: copies of a decoder's state continue independently") {
  const Transformer model = translator();
  const NoGrad no_grad;
  const IndexTensor src = indices({{1, 2, 3}});
  DecoderCache one = model.decoder.begin(model.encode(src));
  model.extend(indices({{1, 2}}), one);
  model.extend(indices({{3}}), one);
  DecoderCache two = one;
  const Tensor after_4 = model.extend(indices({{4}}), one);
  const Tensor after_5 = model.extend(indices({{5}}), two);
  CHECK_CLOSE(model.extend(indices({{6}}), one),
              slice(model(src, indices({{1, 2, 3, 4, 6}})), 1, 4), kSameMaths);
  CHECK_CLOSE(model.extend(indices({{6}}), two),
              slice(model(src, indices({{1, 2, 3, 5, 6}})), 1, 4), kSameMaths);
  CHECK_CLOSE(after_4, slice(model(src, indices({{1, 2, 3, 4}})), 1, 3), kSameMaths);
  CHECK_CLOSE(after_5, slice(model(src, indices({{1, 2, 3, 5}})), 1, 3), kSameMaths);
}

TEST_CASE("search: a decoder that refuses tokens has read none of them") {
  const Transformer model = translator();
  const NoGrad no_grad;
  const IndexTensor src = indices({{1, 2, 3}});
  DecoderCache cache = model.decoder.begin(model.encode(src));
  model.extend(indices({{1, 2}}), cache);
  const IndexTensor unfit = indices({{{{0, 0}}}});  // for two keys, but there are three
  CHECK_THROWS_AS(model.extend(indices({{3}}), cache, unfit), std::invalid_argument);
  for (const DecoderLayerCache& layer : cache.layers) CHECK(layer.own.length == 2);
  CHECK_CLOSE(model.extend(indices({{4}}), cache), slice(model(src, indices({{1, 2, 4}})), 1, 2),
              kSameMaths);
  DecoderCache padded = model.decoder.begin(model.encode(indices({{1, 2, 3}, {4, 5, 0}})),
                                            indices({{{{0, 0, 0}}}, {{{0, 0, 1}}}}));
  CHECK_FAILS(padded.of_rows(indices({268435456})), "rows must be in [0, 2), got 268435456");
  CHECK_FAILS(padded.of_rows(indices({-1})), "rows must be in [0, 2), got -1");
}

TEST_CASE("search: a decoder may go on with a mask or a gradient after it went on without") {
  Transformer model = translator();
  const IndexTensor src = indices({{1, 2, 3}}), all = indices({{1, 2, 3, 4, 5}});
  const auto begun = [&] {
    const NoGrad no_grad;
    DecoderCache cache = model.decoder.begin(model.encode(src));
    for (int token = 1; token <= 3; ++token) model.extend(indices({{token}}), cache);
    return cache;
  };
  DecoderCache cache = begun();
  const AttentionRecord record;
  const Tensor y = model.extend(indices({{4, 5}}), cache);
  CHECK_CLOSE(y, slice(model(src, all), 1, 3), kSameMaths);
  CHECK(y.requires_grad());
  CHECK(record.weights()[0].shape() == Shape{1, 3, 2, 5});
  const NoGrad no_grad;
  DecoderCache again = begun();
  CHECK(model.extend(indices({{4, 5}}), again).values() == y.values());  // the same bits
  const IndexTensor hidden = indices({{{{0, 1, 1, 1, 1}}}});             // the first target
  DecoderCache masked = model.decoder.begin(model.encode(src));
  model.extend(indices({{1, 2, 3}}), masked);
  DecoderCache plain = begun();
  CHECK_CLOSE(model.extend(indices({{4, 5}}), plain, hidden),
              model.extend(indices({{4, 5}}), masked, hidden), kSameMaths);
}
