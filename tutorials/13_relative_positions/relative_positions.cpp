// Chapter 13: positions as distances, inside and beyond the length of training.
#include <cstring>
#include <iostream>

#include "figures.h"
#include "pocket/position.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using course::Part;

// [tasks]
/// The letter before: each position names the letter one back.
Batch letter_before(Index rows, Index length, const RandomKey& key) {
  Tokens inputs, targets;
  for (Index i = 0; i < rows * length; ++i) {
    targets.push_back(i % length > 0 ? inputs.back() : -100);
    inputs.push_back(static_cast<std::int32_t>(uniform_index(key, i, 8)));
  }
  return {IndexTensor({rows, length}, inputs), IndexTensor({rows, length}, targets)};
}

/// The last letter: about 13 of 20 positions are blank (0), and each blank names the last letter
/// before it.
Batch last_letter(Index rows, Index length, const RandomKey& key) {
  Tokens inputs, targets;
  std::int32_t last = -100;
  for (Index i = 0; i < rows * length; ++i) {
    if (i % length == 0) last = -100;
    const auto drawn = static_cast<std::int32_t>(uniform_index(key, i, 20));
    if (drawn < 7) last = drawn + 1;
    inputs.push_back(drawn < 7 ? last : 0);
    targets.push_back(drawn < 7 ? -100 : last);
  }
  return {IndexTensor({rows, length}, inputs), IndexTensor({rows, length}, targets)};
}
// [tasks]

// [reader]
/// Options in addition to the kind.
struct Knobs {
  double base = 10000;                 // of rotary
  Index buckets = 32, farthest = 128;  // of T5: 8 and 16 give far distances trained buckets
  Index vocab = 8, channels = 32, longest = 64;
};

struct Reader {
  Reader(Position kind, KeySequence& keys, const Knobs& knobs = {})
      : knobs(knobs),
        letters(knobs.vocab, knobs.channels, keys),
        positions({.kind = kind,
                   .max_length = knobs.longest,
                   .channels = knobs.channels,
                   .heads = 4,
                   .both_ways = false},
                  keys),
        attention(knobs.channels, 4, keys, {}),
        output(knobs.channels, knobs.vocab, keys) {
    if (kind != Position::kRotary) return;
    const Tensor table = rotary_table(knobs.longest, knobs.channels / 4, knobs.base);
    attention.rotate = [=](const Tensor& x, Index first) { return rotary(x, table, first); };
  }
  Tensor bias(Index length) const {
    if (positions.options.kind != Position::kBuckets) return positions.bias(length, length);
    return distance_bias(distance_buckets(length, length, false, knobs.buckets, knobs.farthest),
                         positions.distances);
  }
  Tensor operator()(const IndexTensor& tokens) const {
    const Tensor x = positions.embed(letters(tokens));
    return output(attention(x, x, {.causal = true, .bias = bias(tokens.size(1))}));
  }
  void fields(auto&& f) {
    f("letters", letters), f("positions", positions), f("attention", attention),
        f("output", output);
  }
  Knobs knobs;
  Embedding letters;
  PositionalEncoding positions;
  MultiHeadAttention attention;
  Linear output;
};
// [reader]

// [race]
using Task = Batch (*)(Index rows, Index length, const RandomKey& key);

/// Trains a reader from this seed, on `length` positions.
Reader trained_reader(Task task, Position kind, const Knobs& knobs, Index length,
                      std::uint64_t seed) {
  KeySequence keys(seed);
  Reader reader(kind, keys, knobs);
  AdamW optimiser(parameters(reader), {.weight_decay = 0});
  const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 10, .decay = 200};
  train(optimiser, {.steps = 200, .schedule = schedule}, [&](int step) {
    const Batch batch = task(4, length, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(reader(batch.inputs), batch.targets);
  });
  return reader;
}

/// Trains from five seeds. Returns the share of right answers at each of 64 positions.
Shares race(Task task, Position kind, const Knobs& knobs = {}, Index length = 16) {
  Shares shares;
  const Batch test = task(16, 64, {.seed = 999});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Reader reader = trained_reader(task, kind, knobs, length, seed);
    const NoGrad no_grad;
    shares.push_back(share_right(argmax(reader(test.inputs), -1), test.targets, 64));
  }
  return shares;
}

/// A row of the tables: six kinds, and two of them again, with other knobs.
struct Row {
  Position kind;
  Knobs knobs = {};
};
const std::vector<Row> kRows = {{Position::kNone},
                                {Position::kSinusoidal},
                                {Position::kLearned},
                                {Position::kBuckets},
                                {Position::kAlibi},
                                {Position::kRotary},
                                {Position::kBuckets, {.buckets = 8, .farthest = 16}},
                                {Position::kRotary, {.base = 1000000}}};

std::vector<Shares> races(const char* name, Task task) {
  const Part part(name);
  std::vector<Shares> all;
  for (const Row& row : kRows) all.push_back(race(task, row.kind, row.knobs));
  draw_race(name, all);
  print_race(all, 16);
  return all;
}
// [race]

// [reach]
void reach(const std::vector<Shares>& before) {
  const Part part("reach");
  print_reach(" 8      10000", race(letter_before, Position::kRotary, {}, 8));
  print_reach("16      10000", before[5]);
  print_reach("16    1000000", before[7]);
}
// [reach]

// [pairs]
/// Measures the part of each pair of channels in a score, as the mean over the letters. For a key
/// n steps back, this part is size cos(turn (n - peak)). Adds the waves of 4 heads, with 4 pairs.
void add_waves(std::vector<Wave>& waves, const Reader& reader) {
  const NoGrad no_grad;
  const Tensor q = mean(reader.attention.query(reader.letters.weight), 0);
  const Tensor k = mean(reader.attention.key(reader.letters.weight), 0);
  for (Index i = 0; i < 16; ++i) {
    const Index a = i / 4 * 8 + i % 4, b = a + 4;  // the channels of pair i % 4, head i / 4
    const double turn = angle(1, i % 4, 8, reader.knobs.base), pi = std::acos(-1);
    const double qa = q.data()[a], qb = q.data()[b], ka = k.data()[a], kb = k.data()[b];
    const double between = std::atan2(kb, ka) - std::atan2(qb, qa);
    waves.push_back({.size = std::hypot(qa, qb) * std::hypot(ka, kb) / std::sqrt(8.0),
                     .peak = std::remainder(between, 2 * pi) / turn,
                     .turn = turn});
  }
}

void pairs() {
  const Part part("pairs");
  std::vector<Wave> waves;  // of 5 seeds
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    add_waves(waves, trained_reader(letter_before, Position::kRotary, {}, 16, seed));
  }
  print_waves(waves);
  draw_waves(waves);
}
// [pairs]

// [falls]
/// The first position at which less than half of the answers are right: five seeds, with other
/// bases, and trained on longer rows.
void falls() {
  const Part part("falls");
  const Batch test = letter_before(200, 64, {.seed = 999});
  for (const auto& [length, base] : {std::pair(16, 1000), {16, 4000}, {16, 10000}, {48, 10000}}) {
    std::vector<Wave> waves;
    std::vector<int> falls;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Reader reader =
          trained_reader(letter_before, Position::kRotary, {.base = double(base)}, length, seed);
      const NoGrad no_grad;
      const auto right = share_right(argmax(reader(test.inputs), -1), test.targets, 64);
      const auto is_low = [](double share) { return share < 0.5; };
      falls.push_back(int(std::find_if(right.begin() + 1, right.end(), is_low) - right.begin()));
      add_waves(waves, reader);
    }
    print_falls(length, base, waves, falls);
  }
}
// [falls]

// [distances]
void distances() {
  const Part part("distances");
  std::cout << "s - t of 3 queries and 5 keys\n";
  print_numbers(by_distance(3, 5, [](Index offset) { return offset; }));
  std::cout << "buckets of the distances 0, 1, 15, 16, 20, 30, 60 and 127 back\n";
  const IndexTensor row = distance_buckets(1, 128, false);  // the query is number 127
  for (const Index back : {0, 1, 15, 16, 20, 30, 60, 127}) {
    std::cout << row.data()[127 - back] << " ";
  }
  std::cout << "\n";
}
// [distances]

// [alibi]
void alibi() {
  const Part part("alibi");
  const Tensor bias = alibi_bias(4, 1, 6);  // of the last of six positions
  const Tensor weights = softmax(bias);     // if all dot products are equal
  print_heads(reshape(bias, {4, 6}), reshape(weights, {4, 6}));
}
// [alibi]

// [turned]
void turned() {
  const Part part("rotary");
  const Tensor q = normal({1, 8}, {.seed = 1}), k = normal({1, 8}, {.seed = 2});
  const Tensor table = rotary_table(1000, 8);
  for (const auto& [t, s] : {std::pair(3, 1), std::pair(13, 11), std::pair(903, 901),
                             std::pair(3, 2), std::pair(1, 3)}) {
    const Tensor score = matmul(rotary(q, table, t), rotary(k, table, s), {.b = true});
    std::printf("query at %3d, key at %3d: %7.4f\n", t, s, score.item());
  }
}
// [turned]

// [wishes]
/// The part of a kind in the scores of four heads, [4, T, T]: its bias, or the products of one
/// query and one key, rotated to each position.
using Scores = std::function<Tensor(Index length, std::uint64_t seed)>;

void wish(const char* name, const Scores& scores) {
  const Tensor x = scores(32, 1), longer = scores(64, 1), far = scores(200, 1);
  const auto most = [](const Tensor& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return std::max(-*low, *high);
  };
  const auto apart = [](const Tensor& x, Index t, Index s, const Tensor& y, Index u, Index v) {
    Scalar most = 0;  // of the heads
    for (Index h = 0; h < 4; ++h) {
      const Scalar a = x.data()[(h * x.size(1) + t) * x.size(2) + s];
      most = std::max(most, std::abs(a - y.data()[(h * y.size(1) + u) * y.size(2) + v]));
    }
    return most;
  };
  bool unique = true, same = true, goes_on = far.size(1) == 200;
  for (Index t = 0; t < 64; ++t) {
    for (Index s = 0; s <= t; ++s) {
      if (t - s < 32) same = same && apart(longer, t, s, x, t - s, 0) < 1e-4;
      if (t < 32) goes_on = goes_on && apart(far, t, s, x, t, s) < 1e-4;
      if (s < t) unique = unique && apart(longer, 63, s, longer, 63, t) > 1e-4;
    }
  }
  print_wishes(name,
               {unique, same, most(longer) < 1.5 * most(x), goes_on, most(x - scores(32, 2)) == 0});
}

void wishes() {
  const Part part("wishes");
  wish("T5 buckets", [](Index length, std::uint64_t seed) {
    return distance_bias(distance_buckets(length, length, false), normal({32, 4}, {.seed = seed}));
  });
  wish("ALiBi", [](Index length, std::uint64_t) { return alibi_bias(4, length, length); });
  wish("rotary", [](Index length, std::uint64_t) {
    const Tensor table = rotary_table(length, 8), same = zeros({4, length, 8});
    const Tensor q = normal({4, 1, 8}, {.seed = 3}) + same,
                 k = normal({4, 1, 8}, {.seed = 4}) + same;
    return matmul(rotary(q, table), rotary(k, table), {.b = true});
  });
}
// [wishes]

// [cost]
void cost() {
  const Part part("cost");
  const Batch batch = letter_before(8, 64, {.seed = 1});
  for (int kind = 0; kind < 6; ++kind) {
    KeySequence keys(1);
    const Reader reader(Position(kind), keys);
    const Index before = nodes_made;
    cross_entropy(reader(batch.inputs), batch.targets);
    const Index nodes = nodes_made - before;
    const Tensor bias = reader.bias(64);
    print_cost(kind, bias.defined() ? bias.size() : 0, nodes);
  }
}

/// Milliseconds of a forward and backward pass over 2 rows: at 64 and 256 positions.
void time() {
  const Part part("time");
  for (int kind = 0; kind < 6; ++kind) {
    std::vector<double> taken;
    for (const Index length : {64, 256}) {
      KeySequence keys(1);
      const Reader reader(Position(kind), keys, {.longest = length});
      const Batch batch = letter_before(2, length, {.seed = 1});
      taken.push_back(
          shortest_ms([&] { backward(cross_entropy(reader(batch.inputs), batch.targets)); }));
    }
    print_time(kind, taken[0], taken[1]);
  }
}
// [cost]

// [tales]
/// The ladder's model with four heads, trained on 32 characters at a time, then tested on 128.
void tales() {
  const Part part("tales");
  const ladder::Tales text;
  for (Row row : kRows) {
    row.knobs.vocab = text.characters.vocab_size();
    row.knobs.channels = 64, row.knobs.longest = 128;
    std::vector<double> at_32, at_128;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto make = [&](KeySequence& keys) { return Reader(row.kind, keys, row.knobs); };
      const auto [loss, reader] = ladder::trained(text, make, seed);
      at_32.push_back(loss), at_128.push_back(mean_loss(text.held_out, 128, reader));
    }
    print_tales(at_32, at_128);
  }
}
// [tales]

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  course::keep_memory();
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) return falls(), tales(), 0;
  distances();
  alibi();
  turned();
  wishes();
  reach(races("before", letter_before));
  pairs();
  races("last", last_letter);
  cost();
  time();
}
