// Chapter 12: how attention learns where words stand.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "autograd/fused/rope.h"
#include "autograd/graph.h"
#include "autograd/more/random.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/layers/attention.h"
#include "nn/layers/layers.h"
#include "nn/layers/position.h"
#include "nn/optim/adamw.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

const std::vector<Position> kWays = {Position::kNone,     Position::kInteger,    Position::kUnit,
                                     Position::kBinary,   Position::kSinusoidal, Position::kLearned,
                                     Position::kRelative, Position::kBuckets,    Position::kAlibi,
                                     Position::kRotary};

const char* name(Position kind) { return names_of(kind)[static_cast<std::size_t>(kind)]; }

/// Names for `count` rows of which every `step`th has one, its number.
std::vector<std::string> numbered(Index count, Index step) {
  std::vector<std::string> names(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; i += step) names[static_cast<std::size_t>(i)] = std::to_string(i);
  return names;
}

double largest(const Tensor& x) {
  double most = 0;
  for (const Scalar value : x) most = std::max(most, std::abs(double{value}));
  return most;
}

}  // namespace

/// Texts of eight letters with one A (1) and one B (2) among others (3 to 7), and which of the two
/// came first: 0 for A, 1 for B. Each is followed by its twin, in which A and B have changed
/// places.
struct Firsts {
  IndexTensor texts, answers;

  Firsts(Index pairs, std::uint64_t seed) : texts({2 * pairs, 8}), answers({2 * pairs}) {
    for (Index i = 0; i < pairs; ++i) {
      const RandomKey key{.seed = seed, .place = static_cast<std::uint32_t>(i)};
      const std::vector<Index> places = permutation(8, key);
      std::int32_t* text = texts.mutable_data() + 2 * i * 8;
      std::int32_t* twin = text + 8;
      for (Index j = 0; j < 8; ++j) {
        text[j] = twin[j] = static_cast<std::int32_t>(3 + uniform_index(key, 100 + j, 5));
      }
      text[places[0]] = twin[places[1]] = 1;
      text[places[1]] = twin[places[0]] = 2;
      answers.mutable_data()[2 * i] = places[0] < places[1] ? 0 : 1;
      answers.mutable_data()[2 * i + 1] = 1 - answers.data()[2 * i];
    }
  }
};

/// Attention of two heads, the mean over all places, and a linear layer that says A or B.
struct Judge {
  Embedding embed;
  PositionalEncoding positions;
  MultiHeadAttention attention;
  Linear answer;

  Judge(Position kind, std::uint64_t seed) {
    KeySequence keys(seed);
    embed = Embedding(8, 32, keys);
    positions = PositionalEncoding({.kind = kind, .max_length = 8, .channels = 32}, keys);
    attention = MultiHeadAttention(32, 2, keys, {});
    answer = Linear(32, 2, keys);
  }
  // [judge]
  Tensor operator()(const IndexTensor& texts, bool causal = false) const {
    const Tensor x = positions.embed(embed(texts));  // [B, 8] to [B, 8, 32]
    // The mean takes away the axis of places: [B, 32]. A or B: [B, 2].
    return answer(mean(attention(x, x, {.causal = causal}), {1}));
  }
  // [judge]
  void fields(auto&& f) {
    f("embed", embed), f("positions", positions), f("attention", attention), f("answer", answer);
  }
};

// Which came first? Without positions, nobody can tell.
void blind() {
  const Part part("blind");
  const Judge fresh(Position::kNone, 1);
  const IndexTensor pair = indices({{3, 1, 4, 5, 2, 6, 3, 7}, {3, 2, 4, 5, 1, 6, 3, 7}});
  const Tensor logits = fresh(pair);
  std::printf("c A d e B f c g: %.4f %.4f\n", double{logits.at({0, 0})}, double{logits.at({0, 1})});
  std::printf("c B d e A f c g: %.4f %.4f\n\n", double{logits.at({1, 0})},
              double{logits.at({1, 1})});
  std::printf("after training           loss   right answers\n");
  const auto train = [](const char* what, Position kind, bool causal) {
    Judge judge(kind, 1);
    AdamW optimiser(parameters(judge), {.weight_decay = 0});
    for (int step = 0; step < 500; ++step) {
      const Firsts batch(16, static_cast<std::uint64_t>(step));
      backward(cross_entropy(judge(batch.texts, causal), batch.answers));
      optimiser.step(Scalar(0.01));
      optimiser.zero_grad();
    }
    const Firsts fresh_texts(500, 12345);
    const NoGrad no_grad;
    const Tensor said = judge(fresh_texts.texts, causal);
    std::printf("%-22s  %.3f   %.3f\n", what,
                double{cross_entropy(said, fresh_texts.answers).item()},
                accuracy(said, fresh_texts.answers));
  };
  train("without positions", Position::kNone, false);
  train("with positions", Position::kSinusoidal, false);
  train("none, but causal", Position::kNone, true);
}

// The three first tries.
void first_tries() {
  const Part part("first_tries");
  // [first_tries]
  const Index places = 8, channels = 4;
  Tensor integer = zeros({places, channels}), unit = zeros({places, channels}),
         binary = zeros({places, channels});
  for (Index t = 0; t < places; ++t) {
    integer.mutable_data()[t * channels] = static_cast<Scalar>(t);
    unit.mutable_data()[t * channels] = static_cast<Scalar>(t) / (places - 1);
    for (Index i = 0; i < channels; ++i) {
      binary.mutable_data()[t * channels + i] = (t >> i) & 1;
    }
  }
  // [first_tries]
  std::printf("place    integer    unit    binary\n");
  for (Index t = 0; t < places; ++t) {
    std::printf("%5d %10.0f %7.2f   ", static_cast<int>(t), double{integer.at({t, 0})},
                double{unit.at({t, 0})});
    for (Index i = 0; i < channels; ++i) std::printf(" %.0f", double{binary.at({t, i})});
    std::printf("\n");
  }
  std::printf("share of places 1, 10, 100, 1000 in a vector of 32 channels:");
  const double token = sum(normal({32}, {.seed = 1}) * normal({32}, {.seed = 1})).item();
  for (const double t : {1, 10, 100, 1000}) {
    std::printf(" %.3f", t * t / (t * t + token));
  }
  std::printf("\n");
  must_equal("integer, here and in the library", integer, integer_table(places, channels));
  must_equal("unit, here and in the library", unit, unit_table(places, channels));
  must_equal("binary, here and in the library", binary, binary_table(places, channels));
}

// [shown]
// What the query at place t is shown of the place s of a key, [T, S, K]: the
// vector that is added at s, the bias of each head, or the products of a turned
// key with four turned queries.
Tensor shown(Position kind, Index length, std::uint64_t seed) {
  KeySequence keys(seed);
  PositionalEncoding positions({.kind = kind,
                                .max_length = kind == Position::kLearned ? 64 : length,
                                .channels = 32,
                                .heads = 4,
                                .both_ways = false,
                                .limit = 16},
                               keys);
  if (positions.distances.defined()) {  // as training might leave it
    positions.distances = normal(positions.distances.shape(), keys.next());
  }
  if (const Tensor bias = positions.bias(length, length); bias.defined()) {
    return permute(bias, {1, 2, 0});
  }
  if (positions.angles.defined()) {
    // The same vectors at all places, each turned by its place.
    const auto everywhere = [&](const RandomKey& key, Index count) {
      const Tensor vectors = normal({count, 1, 8}, key);
      return rotary(broadcast_to(vectors, {count, length, 8}), positions.angles);
    };
    const Tensor q = everywhere({.seed = 1}, 4), k = everywhere({.seed = 2}, 1);
    const Tensor products = matmul(q, broadcast_to(k, {4, length, 8}), {.b = true});
    return permute(products, {1, 2, 0});
  }
  const Tensor vectors = positions.embed(zeros({1, length, 32}));
  return broadcast_to(vectors, {length, length, 32});
}
// [shown]

/// The numbers that query t is shown of place s.
struct Glance {
  const Scalar* at;
  Index count;
};
Glance glance(const Tensor& x, Index t, Index s) {
  return {x.data() + (t * x.size(1) + s) * x.size(2), x.size(2)};
}
double apart(const Glance& a, const Glance& b) {
  double squares = 0;
  for (Index i = 0; i < a.count; ++i) squares += std::pow(double{a.at[i]} - b.at[i], 2);
  return std::sqrt(squares);
}

// [properties]
// The last query is shown something else of each place.
bool is_unique(const Tensor& x) {
  const Index last = x.size(0) - 1;
  for (Index s = 0; s <= last; ++s) {
    for (Index r = 0; r < s; ++r) {
      if (apart(glance(x, last, s), glance(x, last, r)) < 1e-4) return false;
    }
  }
  return true;
}

// A text twice as long does not bring numbers half as large again.
bool is_bounded(const Tensor& x, const Tensor& half) {
  const double limit = 1.5 * largest(half);
  return largest(x) <= limit;
}

// How different place s looks from the query's own, depends on the distance from
// s to t alone: not on where the two stand, nor on how long the text is.
bool has_same_step(const Tensor& x, const Tensor& half) {
  const auto step = [](const Tensor& y, Index t, Index s) {
    return apart(glance(y, t, s), glance(y, t, t));
  };
  for (Index t = 0; t < x.size(0); ++t) {
    for (Index s = 0; s <= t; ++s) {
      const double here = step(x, t, s), first = step(x, t - s, 0);
      const double in_half = t < half.size(0) ? step(half, t, s) : here;
      if (std::abs(here - first) > 1e-3) return false;
      if (std::abs(here - in_half) > 1e-3) return false;
    }
  }
  return true;
}

// Made for 64 places, it has something for place 200, and the first places stay as
// they were.
bool goes_on(Position kind, const Tensor& half) {
  try {
    const Tensor longer = shown(kind, 201, 1);
    for (Index t = 0; t < half.size(0); ++t) {
      for (Index s = 0; s <= t; ++s) {
        if (apart(glance(longer, t, s), glance(half, t, s)) > 1e-4) return false;
      }
    }
    return true;
  } catch (const std::invalid_argument&) {
    return false;  // the library: the text has more places than there are
  }
}
// [properties]

void property_table() {
  const Part part("properties");
  const auto word = [](bool holds) { return holds ? "yes" : "-"; };
  std::printf("%-12s %8s %8s %10s %8s %15s\n", "", "unique", "bounded", "same step", "goes on",
              "deterministic");
  for (const Position kind : kWays) {
    const Tensor x = shown(kind, 64, 1), half = shown(kind, 32, 1);
    const bool deterministic = largest(x - shown(kind, 64, 2)) == 0;  // another seed
    std::printf("%-12s %8s %8s %10s %8s %15s\n", name(kind), word(is_unique(x)),
                word(is_bounded(x, half)), word(has_same_step(x, half)), word(goes_on(kind, half)),
                word(deterministic));
  }
}

// [rates]
// w_k = 10000^(-2k / C), the rate at which pair k of C channels turns.
double rate(Index k, Index channels) {
  const double exponent = -2.0 * static_cast<double>(k) / static_cast<double>(channels);
  return std::pow(10000.0, exponent);
}
// [rates]

// Sines and cosines: first halves, then pairs.
void sinusoids() {
  const Part part("sinusoids");
  // [halves]
  const Index places = 50, channels = 128, half = channels / 2;
  Tensor halves(Shape{places, channels});  // [50, 128]: 64 sines, then 64 cosines
  for (Index t = 0; t < places; ++t) {
    for (Index k = 0; k < half; ++k) {
      const double angle = static_cast<double>(t) * rate(k, channels);
      halves.mutable_data()[t * channels + k] = static_cast<Scalar>(std::sin(angle));
      halves.mutable_data()[t * channels + half + k] = static_cast<Scalar>(std::cos(angle));
    }
  }
  // Sines and cosines on an axis of their own, then beside each other: sin, cos, sin, cos ...
  const Tensor apart = reshape(halves, {places, 2, half});
  const Tensor pairs = reshape(transpose(apart, 1, 2), {places, channels});
  // [halves]
  must_equal("halves, here and in the library", halves,
             concatenated_sinusoidal_table(places, channels));
  must_equal("pairs, here and in the library", pairs, sinusoidal_table(places, channels));
  std::printf("pair k   places in one turn\n");
  for (const Index k : {0, 1, 16, 32, 63}) {
    std::printf("%6d %20.1f\n", static_cast<int>(k), 6.283185307 / rate(k, channels));
  }
  plot_heatmap("waves", "Sinusoidal positions: 50 places (rows), 128 channels (columns)", pairs,
               numbered(places, 10), numbered(channels, 16));
  plot_heatmap("waves_sign", "The same by their sign: 64 sines, then 64 cosines (columns)", halves,
               numbered(places, 10), numbered(channels, 16), Palette::kSign);
}

// One matrix moves every place by the same distance.
void rotation() {
  const Part part("rotation");
  const Index places = 100, channels = 64;
  const Tensor p = sinusoidal_table(places, channels);
  double worst = 0;
  for (const Index phi : {1, 5, 20}) {
    for (Index t = 0; t + phi < places; ++t) {
      for (Index k = 0; k < channels / 2; ++k) {
        // [rotation]
        const double angle = rate(k, channels) * static_cast<double>(phi);
        const double m[2][2] = {{std::cos(angle), std::sin(angle)},
                                {-std::sin(angle), std::cos(angle)}};
        const double sine = p.at({t, 2 * k}), cosine = p.at({t, 2 * k + 1});
        const double moved_sine = m[0][0] * sine + m[0][1] * cosine;
        const double moved_cosine = m[1][0] * sine + m[1][1] * cosine;
        // [rotation]
        worst = std::max({worst, std::abs(moved_sine - p.at({t + phi, 2 * k})),
                          std::abs(moved_cosine - p.at({t + phi, 2 * k + 1}))});
      }
    }
  }
  std::printf("largest deviation over all places, pairs and distances: %s\n",
              worst < 1e-5 ? "below 0.00001" : "above 0.00001");
  // [products]
  // [100, 64] [64, 100] to [100, 100]
  const Tensor products = matmul(p, p, {.b = true});
  // [products]
  std::printf("\ndistance   from place 0   from place 30   from place 60\n");
  std::vector<Series> curves;
  for (const Index from : {0, 30, 60}) {
    curves.push_back({"from place " + std::to_string(from), {}, {}});
    for (Index distance = 0; distance < 40; ++distance) {
      curves.back().x.push_back(static_cast<double>(distance));
      curves.back().y.push_back(products.at({from, from + distance}));
    }
  }
  for (const std::size_t distance : {0, 1, 2, 5, 10, 30}) {
    std::printf("%8d", static_cast<int>(distance));
    for (const Series& curve : curves) std::printf(" %14.3f", curve.y[distance]);
    std::printf("\n");
  }
  plot_lines("products",
             {.title = "The product of two places' vectors, 64 channels",
              .x = "distance between the places",
              .y = "product"},
             curves);
}

// The formula as some sources print it.
void misprint() {
  const Part part("misprint");
  const Index places = 50, channels = 64;
  Series right{"sin(t / 10000^{2k / 64})", {}, {}}, wrong{"sin(t / 10000 * 2k / 64)", {}, {}};
  Tensor misprinted(Shape{places, channels});
  for (Index t = 0; t < places; ++t) {
    for (Index k = 0; k < channels / 2; ++k) {
      // [misprint]
      const double exponent = 2 * static_cast<double>(k) / static_cast<double>(channels);
      const double angle = static_cast<double>(t) / 10000 * exponent;
      // [misprint]
      misprinted.mutable_data()[t * channels + 2 * k] = static_cast<Scalar>(std::sin(angle));
      misprinted.mutable_data()[t * channels + 2 * k + 1] = static_cast<Scalar>(std::cos(angle));
    }
  }
  const Tensor table = sinusoidal_table(places, channels);
  for (Index t = 0; t < places; ++t) {
    right.x.push_back(static_cast<double>(t)), right.y.push_back(table.at({t, 16}));
    wrong.x.push_back(static_cast<double>(t)), wrong.y.push_back(misprinted.at({t, 16}));
  }
  const auto step = [](const Tensor& x) {
    return std::sqrt(double{
        sum((slice(x, 0, 0, 1) - slice(x, 0, 1, 2)) * (slice(x, 0, 0, 1) - slice(x, 0, 1, 2)))
            .item()});
  };
  std::printf("distance of neighbours by the formula:   %.4f\n", step(table));
  std::printf("distance of neighbours by the misprint:  %.4f\n", step(misprinted));
  plot_lines("misprint", {.title = "Channel 16 of 64 at 50 places", .x = "place t", .y = "value"},
             {right, wrong});
}

// A number for each distance, added to the scores.
void biases() {
  const Part part("biases");
  // [relative]
  const Index time = 6, limit = 3;
  IndexTensor numbers({time, time});  // distance s - t within [-3, 3], as 0 to 6
  for (Index t = 0; t < time; ++t) {
    for (Index s = 0; s < time; ++s) {
      numbers.mutable_data()[t * time + s] =
          static_cast<std::int32_t>(std::clamp(s - t, -limit, limit) + limit);
    }
  }
  const Tensor learnt = normal({2 * limit + 1, 2}, {.seed = 1});  // [7, H]
  // A number for each pair and head, [T, T, H], with heads first: [H, T, T].
  const Tensor bias = permute(embedding(numbers, learnt), {2, 0, 1});
  // [relative]
  std::printf("distances, held within 3\n");
  for (Index t = 0; t < time; ++t) {
    for (Index s = 0; s < time; ++s) {
      std::printf(" %2d", numbers.data()[t * time + s] - static_cast<int>(limit));
    }
    std::printf("\n");
  }
  must_equal("relative bias, here and in the library", bias,
             distance_bias(clipped_distances(time, time, limit), learnt));
  const IndexTensor buckets = distance_buckets(1, 128, false);
  std::printf("T5 buckets of the distances 0, 1, 15, 16, 20, 30, 60, 127:");
  for (const Index d : {0, 1, 15, 16, 20, 30, 60, 127}) {
    std::printf(" %d", buckets.data()[127 - d]);
  }
  std::printf("\n");
  // [alibi]
  const Index heads = 4;
  Tensor falling(Shape{heads, time, time});
  for (Index h = 0; h < heads; ++h) {
    const double slope = std::exp2(-8.0 * static_cast<double>(h + 1) / heads);
    for (Index t = 0; t < time; ++t) {
      for (Index s = 0; s < time; ++s) {
        falling.mutable_data()[(h * time + t) * time + s] =
            static_cast<Scalar>(-slope * static_cast<double>(std::abs(t - s)));
      }
    }
  }
  // [alibi]
  std::printf("ALiBi slopes:");
  for (const Scalar slope : alibi_slopes(4)) std::printf(" %.4f", double{slope});
  std::printf("\n");
  std::printf("bias of the steepest head, query at place 2:");
  for (Index j = 0; j < time; ++j) std::printf(" %.2f", 0.0 + falling.at({0, 2, j}));
  std::printf("\n");
  must_equal("ALiBi, here and in the library", falling, alibi_bias(4, time, time));
}

// [turned]
// Pair (i, i + D / 2) of row t, turned by the angle t w_i: x [T, D] to [T, D].
Tensor turned(const Tensor& x, Index first = 0) {
  const Index width = x.size(1), half = width / 2;
  Tensor y(x.shape());
  for (Index t = 0; t < x.size(0); ++t) {
    for (Index i = 0; i < half; ++i) {
      const double angle = static_cast<double>(first + t) * rate(i, width);
      const double a = x.at({t, i}), b = x.at({t, i + half});
      const double c = std::cos(angle), s = std::sin(angle);
      y.mutable_data()[t * width + i] = static_cast<Scalar>(a * c - b * s);
      y.mutable_data()[t * width + i + half] = static_cast<Scalar>(a * s + b * c);
    }
  }
  return y;
}
// [turned]

void rotary_part() {
  const Part part("rotary");
  const Tensor x = normal({5, 8}, {.seed = 1});
  must_equal("turned, here and in the library", turned(x), rotary(x, rotary_table(5, 8)));
  const Tensor q = normal({1, 8}, {.seed = 2}), k = normal({1, 8}, {.seed = 3});
  std::printf("query at   key at   product\n");
  for (const auto& [t, s] : {std::pair<Index, Index>{3, 1}, {13, 11}, {103, 101}, {3, 2}, {1, 3}}) {
    const Scalar product = matmul(turned(q, t), turned(k, s), {.b = true}).item();
    std::printf("%8d %8d %9.4f\n", static_cast<int>(t), static_cast<int>(s), double{product});
  }
}

// What each costs, on a text of 512 places.
void cost() {
  const Part part("cost");
  const Index time = 512, heads = 4, width = 16;
  const Tensor q = normal({1, heads, time, width}, {.seed = 1}).set_requires_grad();
  const Tensor k = normal({1, heads, time, width}, {.seed = 2}).set_requires_grad();
  const Tensor v = normal({1, heads, time, width}, {.seed = 3}).set_requires_grad();
  const std::vector<Position> kinds = {Position::kNone, Position::kRelative, Position::kAlibi,
                                       Position::kRotary};
  std::vector<PositionalEncoding> ways;
  for (const Position kind : kinds) {
    KeySequence keys(1);
    const PositionOptions options{
        .kind = kind, .max_length = time, .channels = heads * width, .heads = heads};
    ways.emplace_back(options, keys);
  }
  std::vector<double> best(ways.size(), 1e9);
  for (int repeat = 0; repeat < 15; ++repeat) {  // in turns, so that all meet the same machine
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const Tensor bias = ways[i].bias(time, time), table = ways[i].angles;
      const auto turn = [&](const Tensor& x) { return table.defined() ? rotary(x, table) : x; };
      backward(sum(scaled_dot_product_attention(turn(q), turn(k), v, {.bias = bias})));
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
      best[i] = std::min(best[i], taken.count());
    }
  }
  std::printf("%-10s %18s %22s\n", "", "numbers added", "time, plain = 1");
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Tensor bias = ways[i].bias(time, time);
    std::printf("%-10s %18d %22.1f\n", name(kinds[i]),
                static_cast<int>(bias.defined() ? bias.size() : 0), best[i] / best[0]);
  }
}

/// Texts of 8 letters, and what a reader who goes from left to right is to say at each place.
struct Task {
  const char* name;
  IndexTensor texts, answers;
};

/// At each place, the letter before: something at an exact distance.
Task letter_before(Index count, Index length, std::uint64_t seed) {
  Task task{"the letter before", IndexTensor({count, length}), IndexTensor({count, length})};
  for (Index i = 0; i < count * length; ++i) {
    task.texts.mutable_data()[i] = static_cast<std::int32_t>(uniform_index({.seed = seed}, i, 8));
    task.answers.mutable_data()[i] = task.texts.data()[i % length > 0 ? i - 1 : i];
  }
  return task;
}

/// Three places of five are blank (0): at each place, the letter that came last. The nearest one,
/// wherever it is.
Task last_letter(Index count, Index length, std::uint64_t seed) {
  Task task{"the last letter", IndexTensor({count, length}), IndexTensor({count, length})};
  for (Index i = 0; i < count * length; ++i) {
    const bool blank = uniform_index({.seed = seed, .place = 1}, i, 5) < 3;
    const auto letter = static_cast<std::int32_t>(1 + uniform_index({.seed = seed}, i, 7));
    task.texts.mutable_data()[i] = blank ? 0 : letter;
    const std::int32_t last = i % length > 0 ? task.answers.data()[i - 1] : 0;
    task.answers.mutable_data()[i] = blank ? last : letter;
  }
  return task;
}

/// One causal attention of four heads and a linear layer, with any of the ways.
struct Reader {
  Embedding embed;
  PositionalEncoding positions;
  MultiHeadAttention attention;
  Linear to_letter;

  Reader(Position kind, Index longest, std::uint64_t seed) {
    KeySequence keys(seed);
    embed = Embedding(8, 32, keys);
    attention = MultiHeadAttention(32, 4, keys, {});
    to_letter = Linear(32, 8, keys);
    positions = PositionalEncoding({.kind = kind,
                                    .max_length = longest,
                                    .channels = 32,
                                    .heads = 4,
                                    .both_ways = false,
                                    .scale = kind == Position::kLearned ? Scalar(0.02) : 1,
                                    .limit = 16},
                                   keys);
    attention.angles = positions.angles;
  }
  // [reader]
  Tensor operator()(const IndexTensor& texts) const {  // [B, T] to [B, T, 8]
    const Index time = texts.size(1);
    const Tensor x = positions.embed(embed(texts));  // the first door: vectors
    const Tensor bias = positions.bias(time, time);  // the second: a bias, or none
    // The third is in attention.angles: queries and keys turn before they meet.
    return to_letter(attention(x, x, {.causal = true, .bias = bias}));
  }
  // [reader]
  void fields(auto&& f) {
    f("embed", embed), f("positions", positions), f("attention", attention);
    f("to_letter", to_letter);
  }
};

/// Learned vectors and sinusoids: which places look alike.
void plot_alike(const char* file, const char* title, const Tensor& vectors) {
  const Tensor length = sqrt(sum(vectors * vectors, {1}, {.keepdim = true}));
  const Tensor unit = vectors / length;
  plot_heatmap(file, title, matmul(unit, unit, {.b = true}), numbered(32, 8), numbered(32, 8),
               Palette::kSign);
}

// All ways on texts within and beyond the length that they were trained on.
void race(const char* part_name, Task (*make)(Index, Index, std::uint64_t), const char* figure) {
  const Part part(part_name);
  const Index trained = 32, longest = 128;
  const Task test = make(64, longest, 1000000);
  std::vector<Series> added, between;
  std::printf("%s: trained on 32 places, read on 128\n", test.name);
  std::printf("%-12s %10s   %-15s   %-15s\n", "", "", "loss at places", "right at places");
  std::printf("%-12s %10s   %6s %8s   %6s %8s\n", "", "parameters", "0-31", "32-127", "0-31",
              "32-127");
  for (const Position kind : kWays) {
    Reader reader(kind, longest, 1);
    AdamW optimiser(parameters(reader), {.weight_decay = 0});
    const int steps = 300;
    for (int step = 0; step < steps; ++step) {
      const Task batch = make(8, trained, static_cast<std::uint64_t>(step));
      backward(cross_entropy(reader(batch.texts), batch.answers));
      optimiser.step(Scalar(0.01) * std::min(Scalar(1), Scalar(2) * (steps - step) / steps));
      optimiser.zero_grad();
    }
    const NoGrad no_grad;
    const Tensor logits = reader(test.texts);  // [64, 128, 8]
    const auto places = [&](Index begin, Index end) {
      IndexTensor answers({64, end - begin});
      for (Index i = 0; i < 64; ++i) {
        std::copy_n(test.answers.data() + i * longest + begin, end - begin,
                    answers.mutable_data() + i * (end - begin));
      }
      const Tensor said = slice(logits, 1, begin, end);
      return std::pair{double{cross_entropy(said, answers).item()}, accuracy(said, answers)};
    };
    const auto [loss_in, right_in] = places(0, trained);
    const auto [loss_beyond, right_beyond] = places(trained, longest);
    std::printf("%-12s %10d   %6.2f %8.2f   %6.2f %8.2f\n", name(kind),
                static_cast<int>(count(parameters(reader.positions))), loss_in, loss_beyond,
                right_in, right_beyond);
    Series curve{name(kind), {}, {}};
    for (Index begin = 0; begin < longest; begin += 8) {
      curve.x.push_back(static_cast<double>(begin) + 3.5);
      curve.y.push_back(places(begin, begin + 8).second);
    }
    if (kind <= Position::kLearned) added.push_back(curve);
    if (kind == Position::kNone || kind > Position::kLearned) between.push_back(curve);
    if (kind == Position::kLearned && make == letter_before) {
      plot_alike("alike_learned", "Learned vectors: likeness of a place (row) to a place (column)",
                 slice(reader.positions.weight, 0, 0, trained));
      plot_alike("alike_sinusoidal", "Sinusoids: likeness of a place (row) to a place (column)",
                 sinusoidal_table(trained, 32));
    }
  }
  std::string title = std::string(test.name) + ", trained on the first 32 places";
  title[0] = static_cast<char>(std::toupper(title[0]));
  if (make == letter_before) {
    plot_lines("before_added",
               {.title = title, .x = "place in the text", .y = "share of right answers"}, added);
  }
  plot_lines(figure, {.title = title, .x = "place in the text", .y = "share of right answers"},
             between);
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  blind();
  first_tries();
  property_table();
  sinusoids();
  rotation();
  misprint();
  biases();
  rotary_part();
  cost();
  race("race_before", letter_before, "before_between");
  race("race_last", last_letter, "last_between");
}
