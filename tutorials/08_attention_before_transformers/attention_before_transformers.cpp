// Chapter 08: what one vector holds, how gradients fade, what a step costs, six ways to align.
#include <cstring>
#include <ctime>

#include "figures.h"
#include "pocket/recurrent.h"

using namespace pocket;

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

// [trained]
/// How long a model is trained, and with what.
struct Setting {
  int steps = 200;
  Index length = 8, rows = 16;
  std::uint64_t seed = 1;
};

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

// [one_vector]
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

/// Trains for each length anew. Returns the share that each model gets right alone.
std::vector<double> opening(std::optional<AlignmentKind> kind) {
  std::vector<double> shares;
  for (const Index length : {2, 4, 8, 16}) {
    shares.push_back(alone(trained(kind, {.length = length}), length));
  }
  return shares;
}
// [one_vector]

// [fading]
void fading() {
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
  print_fading(of_rnn, of_gru, of_attention);
}
// [fading]

// [time]
void time_per_token() {
  KeySequence keys(1);
  const RecurrentLayer layer(RecurrentKind::kGru, 64, 64, keys);
  const Alignment attention(AlignmentKind::kScaledDot, 64, 0, keys);
  const NoGrad no_grad;
  for (const Index length : {16, 64, 256, 1024}) {
    const Tensor x = normal({1, length, 64}, keys.next());
    print_time(length, least_time([&] { layer(x); }), least_time([&] { attention(x, x); }));
  }
}
// [time]

// [on_paper]
void on_paper() {
  const Tensor h = tensor({{{1, 0}, {0, 1}, {1, 1}}});  // three encoder states, [1, 3, 2]
  const Tensor s = tensor({{{2, 0}}});                  // one decoder state, [1, 1, 2]
  KeySequence keys(1);
  const Alignment dot(AlignmentKind::kDot, 2, 3, keys);
  const auto [a, z] = dot(s, h);
  const auto row = [](const Tensor& x, Index n) { return reshape(x, {1, n}); };
  course::print_table(row(dot.scores(s, h), 3), {"e"}, 3);
  course::print_table(row(a, 3), {"a"}, 3);
  course::print_table(row(z, 2), {"z"}, 3);
}
// [on_paper]

// [race]
/// Trains all six, and none, from each seed. Returns the first seed's models.
std::vector<RecurrentSeq2Seq> race(const std::vector<std::uint64_t>& seeds, Setting setting) {
  std::vector<RecurrentSeq2Seq> first;
  print_race_title(seeds.size() > 1);
  for (int k = 0; k < 7; ++k) {
    const std::clock_t start = std::clock();
    std::vector<double> at_8, at_6;
    for (const std::uint64_t seed : seeds) {
      setting.seed = seed;
      const auto kind = k < 6 ? std::optional(AlignmentKind(k)) : std::nullopt;
      const RecurrentSeq2Seq model = trained(kind, setting);
      at_8.push_back(accuracy(model, 8)), at_6.push_back(accuracy(model, 6));
      if (seed == seeds[0]) first.push_back(model);
    }
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    print_race(k, at_8, at_6, 1e3 * seconds / double(seeds.size() * setting.steps));
  }
  return first;
}

void six_scores() {
  const std::vector<RecurrentSeq2Seq> models = race({1}, {.steps = 200});
  const NoGrad no_grad;
  std::vector<course::Grid> weights;
  for (int k = 0; k < 6; ++k) {
    const auto [source, inputs, targets] = draw(200, 8, {.seed = 1, .step = 1 << 30});
    weights.push_back(mean(models[k](source, inputs).weights, 0));
  }
  draw_weights(weights);
}
// [race]

// [longer]
/// The opening, trained four times as long, from five seeds.
void longer() {
  for (const Index length : {8, 16}) {
    for (const auto kind : {std::optional<AlignmentKind>(), std::optional(AlignmentKind::kDot)}) {
      std::vector<double> shares;
      for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const RecurrentSeq2Seq model =
            trained(kind, {.steps = 800, .length = length, .seed = seed});
        shares.push_back(alone(model, length));
      }
      print_longer(int(length), kind.has_value(), shares);
    }
  }
}
// [longer]

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    run("longer", longer);
    run("five_seeds", [] { race({1, 2, 3, 4, 5}, {.steps = 800, .rows = 32}); });
    return 0;
  }
  std::vector<double> one_vector;
  run("one_vector", [&] { print_opening(one_vector = opening({})); });
  run("fading", fading), run("time", time_per_token), run("on_paper", on_paper);
  run("again", [&] { print_opening(one_vector, opening(AlignmentKind::kDot)); });
  run("six_scores", six_scores);
}
