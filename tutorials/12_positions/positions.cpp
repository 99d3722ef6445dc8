// Chapter 12: how attention learns about the order of tokens.
#include "pocket/position.h"
#include "rows.h"

// [three_orders]
void three_orders() {
  const Part part("three_orders");
  KeySequence keys(1);
  const Embedding embed(4, 32, keys);  // Hello, I, love, you
  const MultiHeadAttention attention(32, 2, keys, {});
  for (const auto& words :
       {indices({{0, 1, 2, 3}}), indices({{0, 3, 2, 1}}), indices({{3, 2, 0, 1}})}) {
    const Tensor x = embed(words), y = mean(attention(x, x), 1);  // [1, 4, 32] to [1, 32]
    for (const std::int32_t word : words)
      std::printf("%-6s", std::vector{"Hello", "I", "love", "you"}[word]);
    std::printf(" %7.4f %7.4f %7.4f\n", y.data()[0], y.data()[1], y.data()[2]);
  }
}
// [three_orders]

// [Reader]
/// One attention of two heads: letters [B, T] to logits [B, T, N], or their mean over T, [B, N].
struct Reader {
  Reader(const Tensor& table, Index answers, bool causal, bool mean, KeySequence& keys)
      : table(table), causal(causal), over_all(mean) {
    letter = Embedding(8, 32, keys), attention = MultiHeadAttention(32, 2, keys, {});
    answer = Linear(32, answers, keys);
  }
  Tensor operator()(const IndexTensor& letters) const {
    const Tensor x = letter(letters) + table;  // [B, T, 32] + [T, 32]
    const Tensor y = answer(attention(x, x, {.causal = causal}));
    return over_all ? mean(y, 1) : y;
  }
  void fields(auto&& f) {
    if (table.requires_grad()) f("table", table);
    f("letter", letter), f("attention", attention), f("answer", answer);
  }
  Tensor table;  // a vector for each position, fixed or learned
  bool causal, over_all;
  Embedding letter;
  MultiHeadAttention attention;
  Linear answer;
};
// [Reader]

// [blind]
/// The share of right answers to "which came first, A or B?", from five seeds.
void judge(const char* name, const Tensor& table, bool causal = false) {
  std::vector<double> right;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    Reader model(table, 2, causal, true, keys);
    right.push_back(trained(model, who_was_first, seed));
  }
  std::printf("%-22s %s\n", name, spread(right, 2).c_str());
}

void blind() {
  const Part part("blind");
  judge("no positions", zeros({8, 32}));
  judge("no positions, causal", zeros({8, 32}), true);
  judge("sinusoids", sinusoidal_table(8, 32));
}
// [blind]

// [first_tries]
Tensor integer_table(Index positions, Index channels) {
  Tensor table = zeros({positions, channels});
  for (Index t = 0; t < positions; ++t) table.mutable_data()[t * channels] = Scalar(t);
  return table;
}
Tensor unit_table(Index positions, Index channels) {  // from 0 to 1
  return integer_table(positions, channels) / Scalar(positions - 1);
}
Tensor binary_table(Index positions, Index channels) {
  Tensor table = zeros({positions, channels});
  for (Index i = 0; i < table.size(); ++i) {
    table.mutable_data()[i] = Scalar(i / channels >> i % channels & 1);  // the last digit first
  }
  return table;
}

void first_tries() {
  const Part part("first_tries");
  print_tries(integer_table(16, 4), unit_table(16, 4), binary_table(16, 4));
}
// [first_tries]

// [wishes]
using Table = std::function<Tensor(Index positions, std::uint64_t seed)>;

bool unique(const Tensor& p) {
  for (Index t = 0; t < p.size(0); ++t) {
    for (Index s = 0; s < t; ++s) {
      if (length(row(p, t) - row(p, s)) < 1e-4) return false;
    }
  }
  return true;
}

/// Whether two positions d apart have the same distance everywhere, in a short and in a long row.
bool same_distance(const Tensor& p, const Tensor& longer) {
  for (Index d = 1; d < p.size(0); ++d) {
    const double first = length(row(p, d) - row(p, 0));
    for (Index t = 0; t + d < longer.size(0); ++t) {
      if (std::abs(length(row(longer, t + d) - row(longer, t)) - first) > 1e-3) return false;
    }
  }
  return true;
}

/// Whether there are vectors for 200 positions, and the first ones stay the same.
bool goes_on(const Table& table, const Tensor& p) {
  const Tensor longer = table(200, 1);
  return longer.size(0) == 200 && largest(slice(longer, 0, 0, p.size(0)) - p) < 1e-6;
}

void test(const char* name, const Table& table) {
  const Tensor p = table(32, 1), longer = table(64, 1);
  const bool wishes[] = {unique(p), same_distance(p, longer), largest(longer) < 1.5 * largest(p),
                         goes_on(table, p), largest(p - table(32, 2)) == 0};
  std::printf("%-12s", name);
  for (const bool holds : wishes) std::printf(" %14s", holds ? "yes" : "-");
  std::printf("\n");
}
// [wishes]

// [tables]
/// A table to learn, before training. It has at most 64 rows, even if more are asked for.
Tensor learned_table(Index positions, std::uint64_t seed) {
  return slice(normal({64, 32}, {.seed = seed}, 0, Scalar(0.1)), 0, 0,
               std::min<Index>(positions, 64));
}

void wishes() {
  const Part part("wishes");
  const auto fixed = [](Tensor (*make)(Index, Index)) {
    return [=](Index positions, std::uint64_t) { return make(positions, 32); };
  };
  std::printf("%-12s %14s %14s %14s %14s %14s\n", "", "unique", "same distance", "bounded",
              "longer rows", "deterministic");
  test("integer", fixed(integer_table));
  test("0 to 1", fixed(unit_table));
  test("binary", fixed(binary_table));
  test("sinusoids", [](Index positions, std::uint64_t) { return sinusoidal_table(positions, 32); });
  test("learned", learned_table);
}
// [tables]

// [sinusoids]
void sinusoids() {
  const Part part("sinusoids");
  std::printf("pair k   positions in one turn\n");
  for (const Index k : {0, 16, 32, 63}) {
    std::printf("%6d %23.1f\n", static_cast<int>(k),
                2 * std::numbers::pi / angle(1, k, 128, 10000));
  }
  const Tensor p = sinusoidal_table(50, 128);
  Tensor halves({50, 128});  // all sines first
  for (Index i = 0; i < halves.size(); ++i) {
    const double a = angle(i / 128, i % 64, 128, 10000);
    halves.mutable_data()[i] = Scalar(i % 128 < 64 ? std::sin(a) : std::cos(a));
  }
  const Tensor apart = matmul(p, p, {.b = true}) - matmul(halves, halves, {.b = true});
  std::printf("all sines first: dot products apart by %s\n",
              largest(apart) < 1e-4 ? "less than 0.0001" : "more");
  draw_waves(p, halves);
}
// [sinusoids]

void shift() {
  const Part part("shift");
  // [deviation]
  const Tensor p = sinusoidal_table(150, 64);
  double deviation = 0;
  for (Index d = 0; d <= 50; ++d) {  // rows times M transposed are M times columns
    const Tensor moved = matmul(slice(p, 0, 0, 100), shift_matrix(d, 64), {.b = true});
    deviation = std::max(deviation, largest(moved - slice(p, 0, d, d + 100)));
  }
  std::printf("largest deviation, 100 positions, 51 distances: %s\n",
              deviation < 1e-5 ? "below 0.00001" : "larger");
  // [deviation]
}

void products() {
  const Part part("products");
  // [products]
  const Tensor p = sinusoidal_table(100, 64), products = matmul(p, p, {.b = true});  // [100, 100]
  std::printf("distance   from 0   from 30\n");
  for (const Index d : {0, 2, 5, 22, 25}) {
    std::printf("%8d %8.3f %9.3f\n", static_cast<int>(d), double{products.data()[d]},
                double{products.data()[30 * 100 + 30 + d]});
  }
  int rises = 0;
  for (Index d = 1; d < 50; ++d) rises += products.data()[d] > products.data()[d - 1];
  std::printf("steps of 49 at which it rises: %d\n", rises);
  // [products]
  draw_products(products);
}

// [misprint]
Tensor misprinted_table(Index positions, Index channels) {
  Tensor table({positions, channels});
  for (Index i = 0; i < table.size(); ++i) {
    const double t = double(i / channels), k = double(i % channels / 2);
    const double a = t / 10000 * 2 * k / double(channels);
    table.mutable_data()[i] = Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a));
  }
  return table;
}

void misprint() {
  const Part part("misprint");
  const Tensor right = sinusoidal_table(50, 64), wrong = misprinted_table(50, 64);
  std::printf("neighbours apart: formula %.4f, misprint %.4f\n",
              length(row(right, 1) - row(right, 0)), length(row(wrong, 1) - row(wrong, 0)));
  judge("the formula", sinusoidal_table(8, 32));
  judge("the misprint", misprinted_table(8, 32));
  draw_misprint(right, wrong);
}
// [misprint]

// [longer]
void longer() {
  const Part part("longer");
  std::vector<double> trained_on, beyond;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    Reader model(sinusoidal_table(8, 32), 8, false, false, keys);
    trained(model, letter_before<8>, seed, 500);
    model.table = sinusoidal_table(16, 32);
    const auto [letters, answers] = letter_before<16>(400, {.seed = 1000});
    const Tensor logits = model(letters);
    trained_on.push_back(right_between(logits, answers, 0, 8));
    beyond.push_back(right_between(logits, answers, 8, 16));
  }
  print("positions 1 to 7, seen in training", trained_on);
  print("positions 8 to 15, never seen", beyond);
}
// [longer]

// [learned]
/// Learns the letter before from five seeds. Measures which positions' vectors are then alike.
void learn(const char* name, bool causal, int steps) {
  std::vector<double> right, next, early, late, across, lead;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    const Tensor table = normal({32, 32}, keys.next(), 0, Scalar(0.1)).set_requires_grad();
    Reader model(table, 8, causal, false, keys);
    right.push_back(trained(model, letter_before<32>, seed, steps));
    const Tensor alike = cosines(table.detach());  // [32, 32]
    next.push_back(mean_of_neighbours(alike));
    early.push_back(mean_of(alike, 0, 10, 0, 10)), late.push_back(mean_of(alike, 16, 31, 16, 31));
    across.push_back(mean_of(alike, 0, 10, 16, 31));
    lead.push_back(lead_of_late(model.attention, reshape(table.detach(), {1, 32, 32})));
    if (seed == 1 && causal) draw_alike(alike, cosines(sinusoidal_table(32, 32)));
  }
  print_learned(name, steps, right, next, early, late, across, lead);
}

void learned() {
  const Part part("learned");
  learn("causal mask", true, 500);
  learn("no mask", false, 500);
}
// [learned]

void adding() {
  const Part part("adding");
  std::printf("               found       mean length        mean apart\n");
  std::printf("channels   word  position      word  position   words  neighbours\n");
  // [adding]
  for (const Index channels : {8, 32, 128}) {
    const Tensor words = normal({100, channels}, {.seed = 1}), p = sinusoidal_table(50, channels);
    const Tensor x = reshape(words, {100, 1, channels}) + p;  // all sums, [100, 50, C]
    // The nearest row r of a table: |x - r|^2 is |x|^2 - 2 (x r - |r|^2 / 2).
    const auto found = [&](const Tensor& table) {
      return argmax(matmul(x, table, {.b = true}) - sum(table * table, -1) / 2, -1);
    };
    print_found(found(words), found(p), words, p);
  }
  // [adding]
}

// [perturbation]
/// Makes the table smaller. How much does it change a word, and what is still found?
void perturbation() {
  const Part part("perturbation");
  const auto unit = [](const Tensor& x) { return x / sqrt(sum(x * x, -1, {.keepdim = true})); };
  const Tensor words = normal({100, 128}, {.seed = 1}), table = sinusoidal_table(50, 128);
  std::printf("table   position's length   cosine with the word     found\n");
  std::printf("times   beside the word's   own   best other     word  position\n");
  for (const Scalar scale : {Scalar(1), Scalar(0.5), Scalar(0.1)}) {
    const Tensor p = table * scale;
    const Tensor x = reshape(reshape(words, {100, 1, 128}) + p, {5000, 128});  // all sums
    const Tensor alike = matmul(unit(x), unit(words), {.b = true});            // [5000, 100]
    double own = 0, other = -1, word = 0, position = 0;
    const IndexTensor nearest = argmax(matmul(x, p, {.b = true}) - sum(p * p, -1) / 2, -1);
    for (Index i = 0; i < 5000; ++i) {
      const Scalar* row = alike.data() + i * 100;
      own += row[i / 50] / 5000;
      double best = -1;
      for (Index j = 0; j < 100; ++j) best = std::max(best, j == i / 50 ? -1.0 : double{row[j]});
      other = std::max(other, best);
      word += row[i / 50] > best, position += nearest.data()[i] == i % 50;
    }
    std::printf("%5.1f %19.2f %5.2f %12.2f %8.2f %9.2f\n", double{scale},
                length(row(p, 0)) / length(words) * 10, own, other, word / 5000, position / 5000);
  }
}
// [perturbation]

// [late_channels]
void late_channels() {
  const Part part("late_channels");
  std::printf("pair k   how far sine and cosine move over 50 positions\n");
  for (const Index k : {0, 32, 48, 63}) print_movement(sinusoidal_table(50, 128), k);
}
// [late_channels]

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  three_orders(), blind(), first_tries(), wishes(), sinusoids(), shift(), products();
  misprint(), longer(), learned(), adding(), perturbation(), late_channels();
}
