// Chapter 08: what one vector holds, how gradients fade, what a step costs, and six ways to align.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <numeric>

#include "figures.h"
#include "pocket/recurrent.h"
#include "tutorials/common/part.h"
#include "tutorials/common/show.h"

using namespace pocket;
using course::Part;

// [reversal]
constexpr Index kSymbols = 8;

struct Reversal {
  IndexTensor source, inputs, targets;  // [B, T]; inputs are the targets, one late
};

/// Rows of random symbols, and the same rows in reverse.
Reversal draw(Index rows, Index length, const RandomKey& key) {
  Tokens source, inputs, targets;
  for (Index i = 0; i < rows * length; ++i) source.push_back(int(uniform_index(key, i, kSymbols)));
  for (Index i = 0; i < rows * length; ++i) {
    const Index t = i % length;
    targets.push_back(source[i + length - 1 - 2 * t]);
    inputs.push_back(t == 0 ? int(kSymbols) : targets[i - 1]);  // one more symbol: begin
  }
  const Shape shape{rows, length};
  return {{shape, source}, {shape, inputs}, {shape, targets}};
}
// [reversal]

const std::vector<std::string> kNames = {"cosine", "additive", "location", "general",
                                         "dot",    "scaled",   "none"};

/// How long a model is trained, and with what.
struct Setting {
  int steps = 200;
  Index length = 8, rows = 16;
  std::uint64_t seed = 1;
};

// [trained]
RecurrentSeq2Seq trained(std::optional<AlignmentKind> kind, const Setting& setting) {
  KeySequence keys(setting.seed);
  RecurrentSeq2Seq model({.source_vocab = kSymbols,
                          .target_vocab = kSymbols + 1,
                          .channels = 32,
                          .hidden = 32,
                          .alignment = kind,
                          .longest = setting.length},
                         keys);
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  const Schedule schedule{.rate = 0.02, .floor = 0, .warmup = 20, .decay = setting.steps};
  train(optimiser, {.steps = setting.steps, .schedule = schedule}, [&](int step) {
    const RandomKey key{setting.seed, std::uint32_t(step)};
    const auto [source, inputs, targets] = draw(setting.rows, setting.length, key);
    return cross_entropy(model(source, inputs).logits, targets);
  });
  return model;
}

/// The share of symbols that are right in 200 rows of this length that no step has seen.
double accuracy(const RecurrentSeq2Seq& model, Index length) {
  const NoGrad no_grad;
  const auto [source, inputs, targets] = draw(200, length, {.seed = 1, .step = 1 << 30});
  return course::accuracy(model(source, inputs).logits, targets);
}
// [trained]

/// The share of symbols that are right in 50 rows, where the model reads what it wrote itself.
double alone(const RecurrentSeq2Seq& model, Index length) {
  double right = 0;
  for (std::uint32_t row = 0; row < 50; ++row) {
    const auto [source, inputs, targets] = draw(1, length, {.seed = 2, .step = row});
    const Tokens written = model.greedy(source, kSymbols, length);
    for (Index i = 0; i < length; ++i) right += written[i] == targets.data()[i];
  }
  return right / double(50 * length);
}

void one_vector() {
  const Part part("one_vector");
  // [one_vector]
  for (const Index length : {2, 4, 8, 16}) {
    const RecurrentSeq2Seq model = trained({}, {.length = length});
    std::printf("%2d symbols: %.2f right, by chance %.3f\n", int(length), alone(model, length),
                1.0 / kSymbols);
  }
  // [one_vector]
}

void fading() {
  const Part part("fading");
  // [fading]
  std::vector<double> of_rnn(41), of_gru(41), of_attention(41);  // means of five seeds
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    KeySequence keys(seed);
    const RecurrentLayer rnn(RecurrentKind::kRnn, 32, 32, keys);
    const RecurrentLayer gru(RecurrentKind::kGru, 32, 32, keys);
    const Alignment alignment(AlignmentKind::kScaledDot, 32, 0, keys);
    const Tensor inputs = normal({1, 41, 32}, keys.next()), s = normal({1, 1, 32}, keys.next());
    const Tensor weights = normal({1, 1, 32}, keys.next());
    const auto add = [&](std::vector<double>& norms, auto last_output) {
      Tensor x = inputs.detach();
      backward(sum(last_output(x.set_requires_grad()) * weights));
      for (Index back = 0; back <= 40; ++back) {
        const Tensor row = slice(x.grad(), 1, 40 - back, 41 - back);
        norms[back] += std::sqrt(sum(row * row).item()) / 5;
      }
    };
    add(of_rnn, [&](const Tensor& x) { return slice(rnn(x), 1, -1); });
    add(of_gru, [&](const Tensor& x) { return slice(gru(x), 1, -1); });
    add(of_attention, [&](const Tensor& x) { return alignment(s, x).context; });
  }
  std::printf("steps back      RNN       GRU   attention\n");
  for (const int back : {0, 5, 10, 20, 40}) {
    std::printf("%6d    %9.1e %9.1e %9.1e\n", back, of_rnn[back], of_gru[back], of_attention[back]);
  }
  // [fading]
  std::vector<double> back(41);
  std::iota(back.begin(), back.end(), 0);
  course::draw_fading(
      {{"RNN", back, of_rnn}, {"GRU", back, of_gru}, {"attention", back, of_attention}});
}

void time_per_token() {
  const Part part("time");
  std::printf("    T   GRU, us a token   attention\n");
  // [time]
  KeySequence keys(1);
  const RecurrentLayer layer(RecurrentKind::kGru, 64, 64, keys);
  const Alignment attention(AlignmentKind::kScaledDot, 64, 0, keys);
  const NoGrad no_grad;
  for (const Index length : {16, 64, 256, 1024}) {
    const Tensor x = normal({1, length, 64}, keys.next());
    const auto microseconds = [&](auto forward) {  // of CPU time, the best of five
      std::clock_t least = std::numeric_limits<std::clock_t>::max();
      for (int i = 0; i < 5; ++i) {
        const std::clock_t start = std::clock();
        forward();
        least = std::min(least, std::clock() - start);
      }
      return 1e6 * double(least) / CLOCKS_PER_SEC / double(length);
    };
    std::printf("%5d %17.1f %11.1f\n", int(length), microseconds([&] { layer(x); }),
                microseconds([&] { attention(x, x); }));
  }
  // [time]
}

void on_paper() {
  const Part part("on_paper");
  // [on_paper]
  const Tensor h = tensor({{{1, 0}, {0, 1}, {1, 1}}});  // three encoder states, [1, 3, 2]
  const Tensor s = tensor({{{2, 0}}});                  // one decoder state, [1, 1, 2]
  KeySequence keys(1);
  const Alignment dot(AlignmentKind::kDot, 2, 3, keys);
  const auto [a, z] = dot(s, h);
  const auto row = [](const Tensor& x, Index n) { return reshape(x, {1, n}); };
  course::print_table(row(dot.scores(s, h), 3), {"e"}, 3);
  course::print_table(row(a, 3), {"a"}, 3);
  course::print_table(row(z, 2), {"z"}, 3);
  // [on_paper]
}

// [race]
/// Trains all six, and none, from each seed; prints accuracies at length 8 and at 6.
std::vector<RecurrentSeq2Seq> race(const std::vector<std::uint64_t>& seeds, Setting setting) {
  std::vector<RecurrentSeq2Seq> first;
  const bool many = seeds.size() > 1;
  std::printf("score       at 8   at 6%s\n", many ? "  least to most at 8  ms a step" : "");
  for (int k = 0; k < 7; ++k) {
    const std::clock_t start = std::clock();
    double total = 0, shorter = 0, least = 1, most = 0;
    for (const std::uint64_t seed : seeds) {
      setting.seed = seed;
      const auto kind = k < 6 ? std::optional(AlignmentKind(k)) : std::nullopt;
      const RecurrentSeq2Seq model = trained(kind, setting);
      const double right = accuracy(model, 8);
      total += right / double(seeds.size()), shorter += accuracy(model, 6) / double(seeds.size());
      least = std::min(least, right), most = std::max(most, right);
      if (seed == seeds[0]) first.push_back(model);
    }
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%-9s  %5.2f  %5.2f", kNames[k].c_str(), total, shorter);
    if (many) {
      std::printf("      %.2f to %.2f     %10.1f", least, most,
                  seconds * 1e3 / double(seeds.size() * setting.steps));
    }
    std::printf("\n");
  }
  return first;
}
// [race]

void six_scores() {
  const Part part("six_scores");
  const std::vector<RecurrentSeq2Seq> models = race({1}, {.steps = 200});
  const NoGrad no_grad;
  std::vector<course::Grid> weights;
  for (int k = 0; k < 6; ++k) {
    const auto [source, inputs, targets] = draw(200, 8, {.seed = 1, .step = 1 << 30});
    weights.push_back(mean(models[k](source, inputs).weights, 0));
  }
  course::draw_weights(kNames, weights);
}

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    const Part part("five_seeds");
    race({1, 2, 3, 4, 5}, {.steps = 800, .rows = 32});
    return 0;
  }
  one_vector();
  fading();
  time_per_token();
  on_paper();
  six_scores();
}
