// Chapter 14: how twelve layers of attention can learn. Each run changes one thing.
#include <iostream>

#include "figures.h"
#include "pocket/block.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using course::Part;

// [layer]
enum class Wiring { kPlain, kResidual, kPreNorm, kPostNorm, kDoubled };

struct Layer {
  Layer(Wiring wiring, KeySequence& keys)
      : wiring(wiring), attention(32, 4, keys, {}), network(32, 128, keys) {}
  Tensor wire(const Tensor& x, const LayerNorm& norm, const auto& f) const {
    if (wiring == Wiring::kPlain) return f(x);
    if (wiring == Wiring::kResidual) return x + f(x);
    if (wiring == Wiring::kPreNorm) return x + f(norm(x));
    if (wiring == Wiring::kPostNorm) return norm(x + f(x));
    return norm(x * 2 + f(x));  // kDoubled, for an experiment at the end
  }
  Tensor operator()(const Tensor& x, const AttentionOptions& options = {}) const {
    const auto attend = [&](const Tensor& x) { return attention(x, x, options); };
    return wire(wire(x, norm_1, attend), norm_2, network);
  }
  void fields(auto&& f) {
    f("attention", attention), f("network", network), f("norm_1", norm_1), f("norm_2", norm_2);
  }
  Wiring wiring;
  MultiHeadAttention attention;
  FeedForward network;
  LayerNorm norm_1{32}, norm_2{32};
};
// [layer]

// [run]
/// The root of the mean square.
double size_of(const Tensor& x) { return std::sqrt(mean(x * x).item()); }

/// The share of the vectors [B, T, C] that is left without the mean over their sentence.
double share_that_differs(const Tensor& x) {
  return size_of(x - mean(x, 1, {.keepdim = true})) / size_of(x);
}

/// Multiplies all initial matrices of a layer by `all`, and the network's second also by `second`.
void rescale(Layer& layer, Scalar all, Scalar second) {
  for (NamedTensor& p : parameters(layer)) {
    if (p.tensor.rank() < 2) continue;
    const Scalar factor = all * (p.name == "network.c_proj.weight" ? second : 1);
    for (Index i = 0; i < p.tensor.size(); ++i) p.tensor.mutable_data()[i] *= factor;
  }
}

/// Twelve layers, forward and back, from five seeds. Returns the mean of log10 of the size of the
/// gradient before each layer.
std::vector<double> run(const char* part, Wiring wiring, Scalar all, Scalar second,
                        const AttentionOptions& options = {}) {
  std::vector<double> sizes, own, gradients, by_layer(12);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    std::vector<Tensor> x = {normal({2, 8, 32}, {.seed = seed})}, y;  // before and after each layer
    for (std::size_t i = 0; i < 12; ++i) {
      Layer layer(wiring, keys);
      rescale(layer, all, second);
      x[i].set_requires_grad();
      y.push_back(layer(x[i], options));
      x.push_back(y[i].detach());  // a leaf, to read its gradient
    }
    Tensor dy = normal({2, 8, 32}, {.seed = 100 + seed});
    for (std::size_t i = 12; i-- > 0;) {
      backward(y[i], dy);
      dy = x[i].grad();
      by_layer[i] += std::log10(size_of(dy)) / 5;
    }
    sizes.push_back(size_of(x.back()));
    own.push_back(share_that_differs(x.back()));
    gradients.push_back(size_of(dy));
  }
  print_run(part, sizes, own, gradients);
  return by_layer;
}
// [run]

// [shrink]
/// Forward only: the size of the vectors after layers 3 and 12, and the share that GELU leaves.
void shrink(Scalar gain) {
  std::vector<double> third, own, left, last;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    Tensor x = normal({2, 8, 32}, {.seed = seed});
    for (int i = 1; i <= 12; ++i) {
      Layer layer(Wiring::kPlain, keys);
      rescale(layer, 1, gain);
      const Tensor before = layer.network.c_fc(layer.attention(x, x, {}));
      if (i > 3) left.push_back(size_of(gelu(before)) / size_of(before));
      x = layer(x);
      if (i == 3) third.push_back(size_of(x)), own.push_back(share_that_differs(x));
    }
    last.push_back(size_of(x));
  }
  print_shrinking(gain, third, own, left, last);
}
// [shrink]

// [stacks]
void stacks() {
  const Scalar small = Scalar(1 / std::sqrt(3.0));                      // as PyTorch's nn.Linear
  const Scalar gain = Scalar(1 / size_of(gelu(normal({100000}, {}))));  // makes up for GELU
  std::vector<std::vector<double>> gradients;
  gradients.push_back(run("small", Wiring::kPlain, small, 1));
  gradients.push_back(run("scaled", Wiring::kPlain, 1, gain));
  {
    const Part part("shrinking");
    shrink(gain);
    shrink(2);
  }
  const auto itself = [](Index distance) { return Index(distance == 0); };
  run("itself", Wiring::kPlain, 1, gain, {.mask = by_distance(8, 8, itself)});
  gradients.push_back(run("residual", Wiring::kResidual, 1, gain));
  gradients.push_back(run("pre_norm", Wiring::kPreNorm, 1, gain));
  run("post_norm", Wiring::kPostNorm, 1, gain);
  draw_gradients(gradients);
}
// [stacks]

// [norms]
void norms() {
  const Part part("norms");
  const auto layer = [](const Tensor& x) { return layer_norm(x, ones({4}), zeros({4})); };
  const auto batch = [](const Tensor& x) {  // the same along the other axis
    return permute(layer_norm(permute(x, {1, 0}), ones({2}), zeros({2})), {1, 0});
  };
  const Tensor x = tensor({{1, 2, 3, 6}, {100, 100, 100, 104}});
  const Tensor other = tensor({{1, 2, 3, 6}, {0, 7, 7, 0}});  // another second row
  print_moments({{"x", x}, {"layer norm", layer(x)}, {"batch norm", batch(x)}});
  print_first_rows("layer norm", layer(x), layer(other));
  print_first_rows("batch norm", batch(x), batch(other));
}
// [norms]

// [model]
struct Model {
  Model(Wiring wiring, int depth, Index vocab_size, KeySequence keys)
      : embedding(vocab_size, 32, keys), norm(32), output(32, vocab_size, keys) {
    for (int i = 0; i < depth; ++i) layers.emplace_back(wiring, keys);
  }
  Tensor stack(const IndexTensor& tokens) const {
    Tensor x = embedding(tokens);
    for (const Layer& layer : layers) x = layer(x, {.causal = true});
    return x;
  }
  Tensor operator()(const IndexTensor& tokens) const {
    const Tensor x = stack(tokens);
    return output(layers[0].wiring == Wiring::kPreNorm ? norm(x) : x);
  }
  void fields(auto&& f) {
    f("embedding", embedding), f("layers", layers), f("norm", norm), f("output", output);
  }
  Embedding embedding;
  std::vector<Layer> layers;
  LayerNorm norm;  // after the last block: in pre-norm, the stream has none
  Linear output;
};

/// Trains on the tales. Returns the losses.
std::vector<double> learn(Model& model, const ladder::Tales& tales, std::uint64_t seed, double rate,
                          int warmup, int steps = 300) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = rate, .floor = rate, .warmup = warmup};
  const auto losses = train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const RandomKey key{seed, static_cast<std::uint32_t>(step)};
    const auto [inputs, targets] = random_batch(tales.train, 4, 16, key);
    return cross_entropy(model(inputs), targets);
  });
  return {losses.begin(), losses.end()};
}

/// A new model. With `frequencies`, the bias of its output begins with the logarithms of the
/// characters' frequencies, so the layers need not learn them.
Model new_model(const ladder::Tales& tales, Wiring wiring, int depth, std::uint64_t seed,
                bool frequencies = false) {
  Model model(wiring, depth, tales.characters.vocab_size(), KeySequence(seed));
  if (!frequencies) return model;
  Tensor& bias = model.output.bias;
  std::vector<double> counts(std::size_t(bias.size()), 1);
  for (const auto token : tales.train) ++counts[std::size_t(token)];
  for (std::size_t i = 0; i < counts.size(); ++i) {
    bias.mutable_data()[i] = Scalar(std::log(counts[i] / double(tales.train.size())));
  }
  return model;
}

/// Five seeds at each of four rates.
void race(const char* name, Wiring wiring, int depth, int warmup, bool frequencies = false) {
  const ladder::Tales tales;
  std::vector<std::vector<double>> ends;  // the means of the last 50 losses
  for (const double rate : {0.0003, 0.001, 0.003, 0.01}) {
    ends.emplace_back();
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Model model = new_model(tales, wiring, depth, seed, frequencies);
      const auto losses = learn(model, tales, seed, rate, warmup);
      ends.back().push_back(std::accumulate(losses.end() - 50, losses.end(), 0.0) / 50);
    }
  }
  print_race(name, depth, warmup, ends);
}

/// Measures a model after some steps: the gradient of the parameters of layers 1, 6 and 12, and the
/// share of the last layer's vectors that differs within a sentence.
void look_inside(const char* name, Wiring wiring, int steps, bool frequencies = false) {
  const ladder::Tales tales;
  const auto [inputs, targets] = random_batch(tales.train, 16, 16, {.seed = 99});
  std::vector<Seeds> found(4);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Model model = new_model(tales, wiring, 12, seed, frequencies);
    learn(model, tales, seed, 0.001, 10, steps);
    for (NamedTensor& p : parameters(model)) p.tensor.zero_grad();
    backward(cross_entropy(model(inputs), targets));
    for (const std::size_t i : {0, 1, 2}) {
      found[i].push_back(Sgd(parameters(model.layers[std::vector{0, 5, 11}[i]])).gradient_norm());
    }
    found[3].push_back(share_that_differs(model.stack(inputs)));
  }
  print_inside(name, steps, found);
}

/// `./run chapter 14 --long`
void races() {
  {
    const Part part("race");
    print_race_header();
    race("plain", Wiring::kPlain, 12, 10);
    race("residual", Wiring::kResidual, 12, 10);
    race("pre-norm", Wiring::kPreNorm, 12, 10);
    race("post-norm", Wiring::kPostNorm, 12, 10);
    race("pre-norm", Wiring::kPreNorm, 12, 100);
    race("post-norm", Wiring::kPostNorm, 12, 100);
    race("pre-norm", Wiring::kPreNorm, 6, 10);
    race("post-norm", Wiring::kPostNorm, 6, 10);
  }
  {
    const Part part("inside");
    print_inside_header();
    for (const int steps : {0, 100}) look_inside("pre-norm", Wiring::kPreNorm, steps);
    for (const int steps : {0, 100}) look_inside("post-norm", Wiring::kPostNorm, steps);
  }
  {
    const Part part("doubled");
    print_race_header();
    race("doubled", Wiring::kDoubled, 12, 10);
    print_inside_header();
    look_inside("doubled", Wiring::kDoubled, 100);
  }
  const Part part("frequencies");
  print_race_header();
  race("post-norm", Wiring::kPostNorm, 12, 10, true);
  print_inside_header();
  for (const int steps : {0, 100}) look_inside("post-norm", Wiring::kPostNorm, steps, true);
}

/// One seed, for the figure.
void training() {
  const ladder::Tales tales;
  std::vector<std::vector<double>> curves;
  for (const Wiring wiring : {Wiring::kPlain, Wiring::kPostNorm, Wiring::kPreNorm}) {
    Model model = new_model(tales, wiring, 12, 1);
    curves.push_back(learn(model, tales, 1, 0.001, 10));
  }
  draw_training(curves);
}
// [model]

// [block]
void block() {
  const Part part("block");
  KeySequence keys(1);
  Block block({.d_model = 64, .num_heads = 4}, keys);
  const Tensor x = normal({2, 8, 64}, {.seed = 2});
  std::cout << x.shape() << " to " << block(x, {.causal = true}).shape() << "\n";
  std::cout << "attention " << count(parameters(block.attn)) << ", feed-forward "
            << count(parameters(block.mlp)) << ", all " << count(parameters(block)) << "\n";
}
// [block]

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  if (argc > 2 && std::string(argv[2]) == "--long") {
    races();
    return 0;
  }
  stacks();
  norms();
  training();
  block();
  draw_activations();
}
