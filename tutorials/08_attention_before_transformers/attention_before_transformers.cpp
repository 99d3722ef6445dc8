// Chapter 08: one vector for a whole source, attention, fading gradients, and the cost of a step.
#include <cstring>

#include "exercises/7_lstm/answer.cpp"
#include "figures.h"
#include "pocket/recurrent.h"

using namespace pocket;

// [reversal]
constexpr Index kSymbols = 8;

struct Reversal {
  IndexTensor source, inputs, targets;  // [B, T]; inputs are the targets, one step late
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
/// The options of one training run.
struct Setting {
  int steps = 200;
  Index length = 8, rows = 16, hidden = 32;
  double rate = 0.02;
  std::uint64_t seed = 1;
  RecurrentKind cell = RecurrentKind::kGru;
  bool average = false;  // attention with equal weights: the mean of all states, in every step
};

template <class Model>
void fit(Model& model, const Setting& setting) {
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  const Schedule schedule{.rate = setting.rate, .floor = 0, .warmup = 20, .decay = setting.steps};
  train(optimiser, {.steps = setting.steps, .schedule = schedule}, [&](int step) {
    const RandomKey key{setting.seed, std::uint32_t(step)};
    const auto [source, inputs, targets] = draw(setting.rows, setting.length, key);
    return cross_entropy(model(source, inputs).logits, targets);
  });
}

RecurrentSeq2Seq trained(std::optional<AlignmentKind> kind, const Setting& setting) {
  KeySequence keys(setting.seed);
  RecurrentSeq2Seq model({.source_vocab = kSymbols,
                          .target_vocab = kSymbols + 1,
                          .channels = 32,
                          .hidden = setting.hidden,
                          .kind = setting.cell,
                          .alignment = kind,
                          .longest = setting.length},
                         keys);
  // Cosines times 0 give equal weights; the gradient of log_beta is 0, too, so that it stays.
  if (setting.average) model.alignment.log_beta = scalar(-1e4F).set_requires_grad();
  fit(model, setting);
  return model;
}
// [trained]

// [one_vector]
/// The share of right symbols in 50 rows, when the model reads its own output.
double alone(const auto& model, Index length) {
  double right = 0;
  for (std::uint32_t row = 0; row < 50; ++row) {
    const auto [source, inputs, targets] = draw(1, length, {.seed = 2, .step = row});
    const Tokens written = greedy(model, source, kSymbols, length);
    for (Index i = 0; i < length; ++i) right += written[i] == targets.data()[i];
  }
  return right / double(50 * length);
}

/// Trains a new model for each length. Returns each model's share of right symbols, from alone().
std::vector<double> opening(std::optional<AlignmentKind> kind) {
  std::vector<double> shares;
  for (const Index length : {2, 4, 8, 16}) {
    shares.push_back(alone(trained(kind, {.length = length}), length));
  }
  return shares;
}
// [one_vector]

// [on_paper]
void on_paper() {
  const Tensor h = tensor({{{1, 0}, {0, 1}, {1, 1}}});  // three encoder states, [1, 3, 2]
  const Tensor s = tensor({{{0, 2}}});                  // one decoder state, [1, 1, 2]
  const Alignment dot;                                  // the dot product has no parameters
  const Tensor e = dot.scores(s, h);
  const auto [a, z] = dot(s, h);
  print_row("e", e), print_row("exp e", exp(e)), print_row("sum", sum(exp(e)));
  print_row("a", a), print_row("z", z);
}
// [on_paper]

// [alignments]
/// Draws the mean attention weights on 200 new rows of 8 symbols, with each of the two scores.
void alignments() {
  const auto mean_weights = [](AlignmentKind kind) -> course::Grid {
    const RecurrentSeq2Seq model = trained(kind, {});
    const NoGrad no_grad;
    const auto [source, inputs, targets] = draw(200, 8, {.seed = 1, .step = 1 << 30});
    return mean(model(source, inputs).weights, 0);
  };
  draw_weights({{"dot", mean_weights(AlignmentKind::kDot)},
                {"additive", mean_weights(AlignmentKind::kAdditive)}});
}
// [alignments]

// [lstm_layer]
/// An LSTM: a RecurrentLayer with a cell beside the state.
struct LstmLayer {
  LstmLayer(Index channels, Index hidden, KeySequence& keys)
      : ih(channels, 4 * hidden, keys), hh(hidden, 4 * hidden, keys) {}
  /// The next h and c, from x [B, 1, C] and the last ones.
  LstmState step(const Tensor& x, const LstmState& last) const {
    return lstm_step(split(ih(x) + hh(last.h), 4, -1), last.c);
  }
  /// All steps, one after another: x [B, T, C] to all h and c, [B, T, H] each.
  LstmState operator()(const Tensor& x) const {
    const Tensor nothing = zeros({x.size(0), 1, hh.weight.size(0)});
    LstmState state{nothing, nothing};
    std::vector<Tensor> all_h, all_c;
    for (const Tensor& now : split(x, x.size(1), 1)) {
      state = step(now, state);
      all_h.push_back(state.h), all_c.push_back(state.c);
    }
    return {concat(all_h, 1), concat(all_c, 1)};
  }
  void fields(auto&& f) { f("ih", ih), f("hh", hh); }
  Linear ih, hh;  // from the input, and from the state: the gates f, i and o, and the value
};
// [lstm_layer]

// [fading]
/// The norm of an output's gradient with respect to each input [B, T, C], the last input first.
std::vector<double> reach(Tensor inputs, const std::function<Tensor(const Tensor&)>& output) {
  const Tensor y = output(inputs.set_requires_grad());
  backward(sum(y * normal(y.shape(), {.seed = 1})));  // in a random direction
  std::vector<double> lengths;
  for (const Tensor& dx : split(inputs.grad(), inputs.size(1), 1)) {
    lengths.push_back(std::sqrt(sum(dx * dx).item() / double(inputs.size(0))));
  }
  return {lengths.rbegin(), lengths.rend()};
}

/// The root mean square of the slopes of tanh in these states.
double slope(const Tensor& h) {
  const Tensor slopes = Scalar(1) - h * h;
  return std::sqrt(mean(slopes * slopes).item());
}

/// The mean factor of a gradient per step, over 40 steps back with the matrix alone.
double left_by(const Tensor& w) {
  const Tensor last = normal({1, w.size(0)}, {.seed = 1});
  Tensor first = last;
  for (int step = 0; step < 40; ++step) first = matmul(first, w, {.b = true});
  return std::pow(sum(first * first).item() / sum(last * last).item(), 1 / 80.0);
}

void fading() {
  std::vector<std::vector<double>> of_rnn, of_gru, of_lstm, of_attention, causes;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    KeySequence keys(seed);
    const RecurrentLayer rnn(RecurrentKind::kRnn, 32, 32, keys);
    const RecurrentLayer gru(RecurrentKind::kGru, 32, 32, keys);
    const Alignment alignment(AlignmentKind::kScaledDot, 32, 0, keys);
    const Tensor x = normal({1, 41, 32}, keys.next());
    const LstmLayer lstm(32, 32, keys);
    of_rnn.push_back(reach(x.detach(), [&](auto& x) { return slice(rnn(x), 1, -1); }));
    of_gru.push_back(reach(x.detach(), [&](auto& x) { return slice(gru(x), 1, -1); }));
    of_lstm.push_back(reach(x.detach(), [&](auto& x) { return slice(lstm(x).h, 1, -1); }));
    of_attention.push_back(reach(x.detach(), [&](auto& x) {
      const Tensor h = gru(x);
      return alignment(slice(h, 1, -1), h).context;  // the last state attends to all
    }));
    causes.push_back({std::pow(of_rnn.back()[40] / of_rnn.back()[0], 1 / 40.0),
                      left_by(rnn.hh.weight), slope(rnn(x))});
  }
  const Curves networks{
      {"RNN", of_rnn}, {"GRU", of_gru}, {"LSTM", of_lstm}, {"attention", of_attention}};
  print_norms(networks, {0, 5, 10, 20, 40}), draw_fading(networks);
  print_causes(causes);
}
// [fading]

// [lstm]
/// RecurrentSeq2Seq without attention, with an LSTM in place of the GRU. The decoder's first state
/// is both vectors of the encoder's last one; each step and each prediction also get its h.
struct LstmSeq2Seq {
  LstmSeq2Seq(Index channels, Index hidden, KeySequence& keys)
      : source_embedding(kSymbols, channels, keys),
        target_embedding(kSymbols + 1, channels, keys),
        encoder(channels, hidden, keys),
        decoder(channels + hidden, hidden, keys),
        output(2 * hidden, kSymbols + 1, keys) {}
  RecurrentSeq2Seq::Output operator()(const IndexTensor& source, const IndexTensor& inputs) const {
    const auto [h, c] = encoder(source_embedding(source));
    const Tensor last = slice(h, 1, -1);
    LstmState state{last, slice(c, 1, -1)};
    std::vector<Tensor> features;
    for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
      state = decoder.step(concat({y, last}, -1), state);
      features.push_back(concat({state.h, last}, -1));
    }
    return {output(concat(features, 1)), {}};
  }
  void fields(auto&& f) {
    f("source_embedding", source_embedding), f("target_embedding", target_embedding);
    f("encoder", encoder), f("decoder", decoder), f("output", output);
  }
  Embedding source_embedding, target_embedding;
  LstmLayer encoder, decoder;
  Linear output;
};

LstmSeq2Seq trained_lstm(const Setting& setting) {
  KeySequence keys(setting.seed);
  LstmSeq2Seq model(32, setting.hidden, keys);
  fit(model, setting);
  return model;
}
// [lstm]

// [gates]
/// The mean of one of a layer's gates while it reads x, with these states h.
double mean_gate(const auto& layer, const Tensor& x, const Tensor& h, Index parts, Index gate) {
  const NoGrad no_grad;
  const Tensor before = concat({zeros({x.size(0), 1, 32}), slice(h, 1, 0, -1)}, 1);
  const Tensor from_x = split(layer.ih(x), parts, -1)[gate];
  return mean(sigmoid(from_x + split(layer.hh(before), parts, -1)[gate])).item();
}

/// How the gradient of an encoder's last state fades: five seeds, 50 rows of 16 symbols.
void gates() {
  const IndexTensor source = draw(50, 16, {.seed = 3}).source;
  Curves networks;
  std::vector<double> means;
  // parts: of the products; gate: the number of k or f among them. No mean if there is one part.
  const auto ask = [&](const std::string& name, const auto& trained, const auto& states,
                       Setting setting, Index parts, Index gate) {
    for (const int steps : {0, 800}) {
      networks.push_back({name + (steps == 0 ? ", untrained" : ", 800 steps"), {}});
      means.push_back(0);
      for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        setting.steps = steps, setting.seed = seed;
        const auto model = trained(setting);
        const Tensor x = model.source_embedding(source).detach();
        const auto last = [&](auto& x) { return slice(states(model.encoder, x), 1, -1); };
        networks.back().second.push_back(reach(x, last));
        if (parts == 1) continue;
        means.back() += mean_gate(model.encoder, x, states(model.encoder, x), parts, gate) / 5;
      }
    }
  };
  const auto one_vector = [](const Setting& setting) { return trained({}, setting); };
  const auto states = [](const RecurrentLayer& layer, const Tensor& x) { return layer(x); };
  const auto h_of = [](const LstmLayer& layer, const Tensor& x) { return layer(x).h; };
  const auto c_of = [](const LstmLayer& layer, const Tensor& x) { return layer(x).c; };
  ask("RNN", one_vector, states, {.length = 16, .rate = 0.005, .cell = RecurrentKind::kRnn}, 1, 0);
  ask("GRU", one_vector, states, {.length = 16}, 3, 1);
  ask("LSTM's h", trained_lstm, h_of, {.length = 16}, 4, 0);
  ask("LSTM's c", trained_lstm, c_of, {.length = 16}, 1, 0);
  print_norms(networks, {0, 5, 10, 15}, means);
}
// [gates]

// [longer]
/// 16 symbols: seven models, trained anew for each number of steps, from five seeds.
void longer() {
  using enum AlignmentKind;
  const auto ask = [](const char* name, const auto& trained, Setting setting) {
    std::vector<std::vector<double>> shares;
    Index numbers = 0;
    for (const int steps : {200, 800, 3200}) {
      shares.emplace_back();
      for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        setting.steps = steps, setting.seed = seed;
        auto model = trained(setting);
        shares.back().push_back(alone(model, 16));
        numbers = count(parameters(model));
      }
    }
    print_longer(name, numbers, setting.rate, shares);
  };
  const auto with = [](std::optional<AlignmentKind> kind) {
    return [=](const Setting& setting) { return trained(kind, setting); };
  };
  ask("plain", with({}), {.length = 16, .rate = 0.005, .cell = RecurrentKind::kRnn});
  ask("GRU", with({}), {.length = 16});
  ask("LSTM", trained_lstm, {.length = 16});
  ask("GRU, H = 128", with({}), {.length = 16, .hidden = 128, .rate = 0.005});
  ask("GRU, mean of all", with(kCosine), {.length = 16, .average = true});
  ask("GRU, by position", with(kLocation), {.length = 16});
  ask("GRU, dot product", with(kDot), {.length = 16});
}
// [longer]

// [time]
/// The number of matrix products on the longest path through the graph of y.
Index chain(const Tensor& y) {
  std::map<Index, std::shared_ptr<Node>> nodes{{y.node()->number, y.node()}};  // the newest last
  std::map<Index, Index> after;  // products on the longest path from a node to y
  Index longest = 0;
  while (!nodes.empty()) {
    const auto newest = nodes.extract(std::prev(nodes.end()));  // all nodes that use it are done
    const Index here = after[newest.key()] + (std::string(newest.mapped()->op) == "matmul");
    longest = std::max(longest, here);
    for (const auto& input : newest.mapped()->inputs) {
      if (!input) continue;
      nodes[input->number] = input;
      after[input->number] = std::max(after[input->number], here);
    }
  }
  return longest;
}

void time_per_token() {
  KeySequence keys(1);
  const RecurrentLayer layer(RecurrentKind::kGru, 64, 64, keys);
  const Alignment attention(AlignmentKind::kScaledDot, 64, 0, keys);
  for (const Index length : {16, 64, 256, 1024}) {
    const Tensor x = normal({1, length, 64}, keys.next()).set_requires_grad();  // for a graph
    const Index of_gru = chain(layer(x)), of_attention = chain(attention(x, x).context);
    const NoGrad no_grad;
    print_time(length, {of_gru, of_attention},
               {layer.ih.weight.size() + layer.hh.weight.size(), 2 * length * 64},
               {least_time([&] { layer(x); }), least_time([&] { attention(x, x); })});
  }
}
// [time]

// [race]
/// The share of right symbols in 200 rows of this length that no training step has used.
double accuracy(const RecurrentSeq2Seq& model, Index length) {
  const NoGrad no_grad;
  const auto [source, inputs, targets] = draw(200, length, {.seed = 1, .step = 1 << 30});
  return course::accuracy(model(source, inputs).logits, targets);
}

/// Trains a model with each score, and one with none, at each seed.
void race() {
  print_race_title();
  for (int k = 0; k < 7; ++k) {
    std::vector<double> at_8, at_6;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      const auto kind = k < 6 ? std::optional(AlignmentKind(k)) : std::nullopt;
      const auto model = trained(kind, {.steps = 800, .rows = 32, .seed = seed});
      at_8.push_back(accuracy(model, 8)), at_6.push_back(accuracy(model, 6));
    }
    print_race(k, at_8, at_6);
  }
}
// [race]

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    run("gates", gates), run("longer", longer), run("five_seeds", race);
    return 0;
  }
  Columns columns{{"one vector", opening({})}};
  run("one_vector", [&] { print_opening(columns); });
  run("on_paper", on_paper);
  columns.push_back({"dot product", opening(AlignmentKind::kDot)});
  columns.push_back({"additive", opening(AlignmentKind::kAdditive)});
  run("again", [&] { print_opening(columns); });
  alignments();
  run("fading", fading), run("time", time_per_token);
}
