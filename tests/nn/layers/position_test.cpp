#include "nn/layers/position.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "nn/models/gpt.h"
#include "nn/models/transformer.h"
#include "nn/names.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr std::array kAll = {Position::kNone,    Position::kInteger,    Position::kUnit,
                             Position::kBinary,  Position::kSinusoidal, Position::kConcatenated,
                             Position::kLearned, Position::kRelative,   Position::kBuckets,
                             Position::kAlibi,   Position::kRotary};

LayerOptions small(Position position) {
  return {.d_model = 12,
          .num_heads = 3,
          .d_ff = 10,
          .dropout = 0,
          .position = position,
          .max_length = 11};
}

/// Fills a learned bias, which starts as 0 and would not show errors.
void draw_bias(PositionalEncoding& positions) {
  if (positions.distances.defined()) {
    std::ranges::copy(drawn(positions.distances.shape(), 77), positions.distances.mutable_data());
  }
}

/// The rows of x [1, T, C] in this order.
Tensor permuted(const Tensor& x, const std::vector<Index>& order) {
  Tensors rows;
  for (const Index i : order) rows.push_back(slice(x, 1, i, i + 1));
  return concat(rows, 1);
}

}  // namespace

TEST_CASE("position: tables by hand") {
  CHECK_CLOSE(integer_table(3, 2), tensor({{0, 0}, {1, 0}, {2, 0}}));
  CHECK_CLOSE(unit_table(3, 2), tensor({{0, 0}, {0.5, 0}, {1, 0}}));
  CHECK_CLOSE(unit_table(1, 1), tensor({{0}}));
  CHECK_CLOSE(binary_table(4, 3), tensor({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
  const Tensor table = sinusoidal_table(5, 4);
  CHECK_CLOSE(slice(table, 0, 0, 1), tensor({{0, 1, 0, 1}}));
  CHECK_CLOSE(slice(table, 0, 3, 4),
              tensor({{std::sin(3.0), std::cos(3.0), std::sin(0.03), std::cos(0.03)}}));
  CHECK_FAILS(sinusoidal_table(3, 5), "got 5 channels");
}

TEST_CASE("position: the concatenated sinusoid is a permutation of the interleaved one") {
  for (const Index channels : {2, 6, 128}) {
    const Tensor interleaved = sinusoidal_table(50, channels);
    const Tensor pairs = permute(reshape(interleaved, {50, channels / 2, 2}), {0, 2, 1});
    CHECK(concatenated_sinusoidal_table(50, channels).values() == pairs.values());
  }
}

TEST_CASE("position: a rotation that depends on the distance alone maps p_t to p_(t + distance)") {
  constexpr Index kChannels = 8, kLength = 40;
  const Tensor table = sinusoidal_table(kLength, kChannels);
  for (const Index distance : {1, 7, 30}) {
    Tensor rotation = zeros({kChannels, kChannels});  // p_(t + distance) = p_t rotation
    for (Index k = 0; k < kChannels; k += 2) {
      const double w = std::pow(10000.0, -static_cast<double>(k) / kChannels);
      const double angle = w * static_cast<double>(distance);
      const auto c = static_cast<Scalar>(std::cos(angle)), s = static_cast<Scalar>(std::sin(angle));
      Scalar* at = rotation.mutable_data() + k * kChannels + k;
      at[0] = c, at[1] = -s, at[kChannels] = s, at[kChannels + 1] = c;
    }
    CHECK_CLOSE(matmul(slice(table, 0, 0, kLength - distance), rotation), slice(table, 0, distance),
                kSameMaths);
  }
}

TEST_CASE("position: distances, clipped, are seen from queries that end where the keys do") {
  CHECK(clipped_distances(2, 4, 2).values() == std::vector<std::int32_t>{0, 1, 2, 3, 0, 0, 1, 2});
  CHECK_FAILS(clipped_distances(2, 2, -1), "limit");
  CHECK_FAILS(distance_buckets(2, 2, true, 2, 128), "needs at least 4 buckets, got 2");
  const Tensor bias = alibi_bias(2, 1, 3);  // slopes 2^-4 and 2^-8
  CHECK_CLOSE(bias, tensor({{{-0.125, -0.0625, 0}}, {{-0.0078125, -0.00390625, 0}}}));
}

TEST_CASE("position: options at the ends of their types are refused") {
  KeySequence keys(1);
  const auto make = [&](const PositionOptions& options) { PositionalEncoding(options, keys); };
  const auto with = [](Position kind) {
    return PositionOptions{.kind = kind, .max_length = 4, .channels = 4, .heads = 2};
  };
  for (const Position kind : kAll) {
    PositionOptions options = with(kind);
    options.heads = 0;  // was a division by zero
    CHECK_FAILS(make(options), "PositionalEncoding: max_length and channels must not be negative");
    options = with(kind);
    options.max_length = INT64_MIN;
    CHECK_FAILS(make(options), "got -9223372036854775808, 4 and 2");
    for (const Index limit : {INT64_MAX, Index{-1}}) {
      options = with(kind);
      options.limit = limit;
      CHECK_FAILS(make(options), "PositionalEncoding: limit must be in [0, ");
    }
    for (const Scalar scale : {kNaN, kInf}) {
      options = with(kind);
      options.scale = scale;
      CHECK_FAILS(make(options), "PositionalEncoding: scale must be finite, got ");
    }
    const PositionalEncoding positions(with(kind), keys);
    for (const Index first : {INT64_MAX, INT64_MIN, Index{-1}}) {
      CHECK_FAILS(positions.embed(ones({1, 2, 4}), first),
                  "positions: needs x [B, T, C] and a first");
    }
  }
  for (const Index limit : {INT64_MAX, Index{INT32_MAX}, Index{-1}}) {
    CHECK_FAILS(clipped_distances(2, 2, limit), "clipped_distances: limit must be in [0, ");
  }
  for (const double base : {double{NAN}, double{INFINITY}, 0.0, -1.0}) {
    CHECK_FAILS(sinusoidal_table(2, 4, base), "sinusoidal_table: base must be above 0 and finite");
    CHECK_FAILS(concatenated_sinusoidal_table(2, 4, base), "base must be above 0 and finite");
  }
}

TEST_CASE("position: without one, an encoder is blind to order; every other way sees it") {
  for (const Position position : kAll) {
    for (std::uint64_t round = 0; round < 3; ++round) {
      const auto draw = [&](Index i, Index n) { return uniform_index({.seed = round}, i, n); };
      const Index batch = 1 + draw(0, 3), time = 4 + draw(1, 7);
      CAPTURE(std::string(name_of(position)));
      CAPTURE(time);
      KeySequence keys(round);
      Encoder encoder(small(position), 2, keys);
      draw_bias(encoder.positions);
      const Tensor x = drawn({batch, time, 12}, 1);
      std::vector<Index> order = permutation(time, {.seed = round});
      std::rotate(order.begin(), order.begin() + 1, order.end());
      const std::string moved =
          difference(encoder(permuted(x, order)), permuted(encoder(x), order), kSameMaths);
      CHECK((moved == "") == (position == Position::kNone));
    }
  }
}

TEST_CASE("position: without one, and by ALiBi, an encoder cannot tell before from after") {
  for (const Position position : kAll) {
    CAPTURE(std::string(name_of(position)));
    KeySequence keys(3);
    Encoder encoder(small(position), 2, keys);
    draw_bias(encoder.positions);
    const Tensor x = drawn({2, 7, 12}, 1);
    const std::vector<Index> backwards = {6, 5, 4, 3, 2, 1, 0};
    const std::string turned =
        difference(encoder(permuted(x, backwards)), permuted(encoder(x), backwards), kSameMaths);
    CHECK((turned == "") == (position == Position::kNone || position == Position::kAlibi));
  }
}

TEST_CASE("position: relative ways do not see where a text begins") {
  // Masked padding in front shifts every position. Results that depend on distances stay the same.
  for (const Position position : kAll) {
    for (std::uint64_t round = 0; round < 3; ++round) {
      const auto draw = [&](Index i, Index n) { return uniform_index({.seed = round}, i, n); };
      const Index time = 3 + draw(0, 4), shift = 1 + draw(1, 4);
      CAPTURE(std::string(name_of(position)));
      CAPTURE(time);
      CAPTURE(shift);
      KeySequence keys(round);
      Encoder encoder(small(position), 2, keys);
      draw_bias(encoder.positions);
      const Tensor x = drawn({1, time, 12}, 1);
      const Tensor shifted = concat({drawn({1, shift, 12}, 2), x}, 1);
      IndexTensor tokens(Shape{1, shift + time});
      std::fill_n(tokens.mutable_data() + shift, time, 1);
      const Tensor seen = slice(encoder(shifted, padding_mask(tokens, 0)), 1, shift);
      const bool same = difference(seen, encoder(x), 10 * kSameMaths) == "";
      const bool relative = position == Position::kNone || position == Position::kRelative ||
                            position == Position::kBuckets || position == Position::kAlibi ||
                            position == Position::kRotary;
      CHECK(same == relative);
    }
  }
}

TEST_CASE("position: in a decoder of any, reading token by token equals reading all at once") {
  for (const Position position : kAll) {
    if (position == Position::kUnit) continue;  // not for a decoder
    for (std::uint64_t round = 0; round < 3; ++round) {
      const auto draw = [&](Index i, Index n) { return uniform_index({.seed = round}, i, n); };
      const Index batch = 1 + draw(0, 3), source = 2 + draw(1, 8), time = 2 + draw(2, 8);
      CAPTURE(std::string(name_of(position)));
      CAPTURE(source);
      CAPTURE(time);
      Transformer model({.src_vocab = 7, .trg_vocab = 9, .n_layer = 2, .layer = small(position)},
                        round);
      draw_bias(model.encoder.positions);
      draw_bias(model.decoder.positions);
      IndexTensor src(Shape{batch, source}), trg(Shape{batch, time});
      for (Index i = 0; i < src.size(); ++i)
        src.mutable_data()[i] = 1 + static_cast<int>(draw(10 + i, 6));
      for (Index i = 0; i < trg.size(); ++i)
        trg.mutable_data()[i] = static_cast<int>(draw(99 + i, 9));
      src.mutable_data()[source - 1] = 0;  // padding
      const IndexTensor mask = padding_mask(src, 0);
      const Tensor all = model(src, trg, mask);
      DecoderCache cache = model.decoder.begin(model.encode(src, mask), mask);
      for (Index t = 0; t < time; ++t) {
        IndexTensor token(Shape{batch, 1});
        for (Index b = 0; b < batch; ++b) token.mutable_data()[b] = trg.data()[b * time + t];
        CHECK_CLOSE(model.extend(token, cache), slice(all, 1, t, t + 1), kSameMaths);
      }
      CHECK(cache.length() == time);
    }
  }
}

TEST_CASE("position: learned tables count as parameters and collect gradients") {
  for (const Position position : kAll) {
    CAPTURE(std::string(name_of(position)));
    KeySequence keys(3);
    const PositionOptions options{
        .kind = position, .max_length = 11, .channels = 12, .heads = 3, .limit = 4};
    PositionalEncoding positions(options, keys);
    CHECK(count(parameters(positions)) == parameter_count(options));
    Encoder encoder(small(position), 1, keys);
    draw_bias(encoder.positions);
    backward(sum(exp(encoder(drawn({1, 5, 12}, 1)))));
    for (const NamedTensor& named : parameters(encoder.positions)) {
      double moved = 0;
      for (const Scalar g : named.tensor.grad()) moved += std::abs(g);
      CHECK(moved > 0);
    }
  }
}

TEST_CASE("position: encodings of distances take texts of any length, others do not") {
  for (const Position position : kAll) {
    CAPTURE(std::string(name_of(position)));
    const bool any = position == Position::kNone || position == Position::kUnit ||
                     position == Position::kRelative || position == Position::kBuckets ||
                     position == Position::kAlibi;
    LayerOptions longer = small(position);
    longer.max_length = 30;
    KeySequence keys(3), same(3);
    Encoder encoder(small(position), 1, keys), roomy(longer, 1, same);
    draw_bias(encoder.positions);
    draw_bias(roomy.positions);
    const Tensor x = drawn({1, 25, 12}, 1);
    if (any) {
      CHECK(encoder(x).values() == roomy(x).values());
    } else {
      CHECK_FAILS(encoder(x),
                  "positions: the text has 25 positions, but the encoding has 11 (choose a larger "
                  "max_length, or relative, t5 or alibi, which need none)");
    }
    if (!any || position == Position::kUnit) continue;
    Transformer model({.src_vocab = 7, .trg_vocab = 9, .n_layer = 1, .layer = small(position)}, 2);
    draw_bias(model.decoder.positions);
    const IndexTensor src(Shape{1, 15}), trg(Shape{1, 20});
    const Tensor all = model(src, trg);
    DecoderCache cache = model.decoder.begin(model.encode(src));
    for (Index t = 0; t < 20; ++t) {
      CHECK_CLOSE(model.extend(indices({{0}}), cache), slice(all, 1, t, t + 1), kSameMaths);
    }
  }
}

TEST_CASE("position: a share of the text's length is not for models that write") {
  CHECK_FAILS(Transformer({.src_vocab = 7, .trg_vocab = 9, .layer = small(Position::kUnit)}),
              "decoder: unit positions need the length of the whole text, which is unknown "
              "during generation (choose another position)");
  GptConfig gpt{.vocab_size = 5, .n_layer = 1, .position = Position::kUnit};
  CHECK_FAILS(gpt.validate(), "gpt: unit positions need the length of the whole text");
}
