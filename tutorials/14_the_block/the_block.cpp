// Chapter 14: what stands around attention: residuals, norms, the feed-forward network.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "autograd/graph.h"
#include "autograd/more/activation.h"
#include "autograd/more/random.h"
#include "autograd/more/views.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "nn/data/corpus.h"
#include "nn/layers/attention.h"
#include "nn/layers/encoder.h"
#include "nn/layers/feed_forward.h"
#include "nn/layers/layers.h"
#include "nn/layers/norm.h"
#include "nn/optim/adamw.h"
#include "nn/text/char_tokenizer.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

/// The root of the mean square: how large the numbers are.
double size_of(const Tensor& x) { return std::sqrt(double{mean(x * x).item()}); }

// [layer_norm]
// Each vector to mean 0 and variance 1, times a gain, plus a shift: x [..., C].
Tensor normalise(const Tensor& x, const Tensor& gain, const Tensor& shift) {
  const Tensor centred = x - mean(x, {-1}, {.keepdim = true});
  const Tensor variance = mean(centred * centred, {-1}, {.keepdim = true});
  return centred / sqrt(variance + Scalar(1e-5)) * gain + shift;
}
// [layer_norm]

// [parts]
// What a layer is made of, however it is wired.
struct Parts {
  LayerNorm norm_1, norm_2;
  MultiHeadAttention attention;
  FeedForward network;
  bool causal = false;

  Tensor attend(const Tensor& x) const { return attention(x, x, {.causal = causal}); }
  // [parts]
  void fields(auto&& f) {
    f("norm_1", norm_1);
    f("norm_2", norm_2);
    f("attention", attention);
    f("network", network);
  }
};

Parts make_parts(Index channels, KeySequence& keys, bool causal = false) {
  return {LayerNorm(channels), LayerNorm(channels), MultiHeadAttention(channels, 4, keys, {}),
          FeedForward(channels, 4 * channels, keys), causal};
}

// [wirings]
Tensor plain(const Parts& p, const Tensor& x) {
  return p.network(p.attend(x));  // one after the other
}

Tensor residual_alone(const Parts& p, const Tensor& x) {
  const Tensor y = x + p.attend(x);  // x goes by, and what was found is added
  return y + p.network(y);
}

Tensor post_norm(const Parts& p, const Tensor& x) {
  const Tensor y = p.norm_1(x + p.attend(x));
  return p.norm_2(y + p.network(y));
}

Tensor pre_norm(const Parts& p, const Tensor& x) {
  const Tensor y = x + p.attend(p.norm_1(x));
  return y + p.network(p.norm_2(y));
}
// [wirings]

struct Way {
  const char* name;
  Tensor (*layer)(const Parts&, const Tensor&);
};
constexpr Way kWays[] = {{"plain", plain},
                         {"residual", residual_alone},
                         {"post-norm", post_norm},
                         {"pre-norm", pre_norm}};

}  // namespace

// What layer norm does.
void norm() {
  const Part part("norm");
  const Tensor x = tensor({{1, 2, 3, 6}, {100, 100, 100, 104}});
  const Tensor y = normalise(x, ones({4}), zeros({4}));
  for (Index i = 0; i < 2; ++i) {
    std::printf("%4.0f %4.0f %4.0f %4.0f   becomes  %5.2f %5.2f %5.2f %5.2f\n",
                double{x.at({i, 0})}, double{x.at({i, 1})}, double{x.at({i, 2})},
                double{x.at({i, 3})}, double{y.at({i, 0})}, double{y.at({i, 1})},
                double{y.at({i, 2})}, double{y.at({i, 3})});
  }
  must_equal("built here and the library's", y, LayerNorm(4)(x));
}

// Which vectors does each result depend on?
void mixing() {
  const Part part("mixing");
  const Index vectors = 5;
  const auto depends = [&](auto norm) {
    Tensor strength({vectors, vectors});
    // [mixing]
    for (Index i = 0; i < vectors; ++i) {
      Tensor x = normal({vectors, 8}, {.seed = 1}).set_requires_grad();
      const Tensor one = slice(norm(x), 0, i, i + 1);  // [1, 8]
      backward(sum(one * normal({1, 8}, {.seed = 2})));
      for (Index j = 0; j < vectors; ++j) {
        const Tensor by_j = slice(x.grad(), 0, j, j + 1);
        strength.mutable_data()[i * vectors + j] = static_cast<Scalar>(size_of(by_j));
      }
    }
    // [mixing]
    return strength;
  };
  const std::vector<std::string> names = {"0", "1", "2", "3", "4"};
  const Tensor layer = depends([](const Tensor& x) { return LayerNorm(8)(x); });
  std::printf("layer norm\n");
  print_table(layer, names);
  const Training training(1, 0);  // batch norm takes the batch's means in training
  const Tensor batch = depends([](const Tensor& x) { return BatchNorm(8)(x); });
  std::printf("batch norm\n");
  print_table(batch, names);
  plot_heatmap("layer", "Layer norm: result (row) by vector (column)", layer, names, names);
  plot_heatmap("batch", "Batch norm: result (row) by vector (column)", batch, names, names);
}

// The gradient of layer norm by the formula of the text.
void norm_gradient() {
  const Part part("norm_gradient");
  Tensor x = normal({3, 8}, {.seed = 9}, 2, 3).set_requires_grad();
  Tensor gain = normal({8}, {.seed = 10}).set_requires_grad();
  Tensor shift = zeros({8}).set_requires_grad();
  const Tensor dy = normal({3, 8}, {.seed = 11});
  backward(normalise(x, gain, shift), dy);
  const Tensor values = x.detach(), centred = values - mean(values, {-1}, {.keepdim = true});
  const Tensor r = 1 / sqrt(mean(centred * centred, {-1}, {.keepdim = true}) + Scalar(1e-5));
  const Tensor n = centred * r, dn = dy * gain.detach();
  const Tensor dx =
      r * (dn - mean(dn, {-1}, {.keepdim = true}) - n * mean(dn * n, {-1}, {.keepdim = true}));
  must_equal("dx by formula and by the engine", dx, x.grad(), 1e-4);
  must_equal("the gain's and the engine's", sum(dy * n, {0}), gain.grad(), 1e-4);
  must_equal("the shift's and the engine's", sum(dy, {0}), shift.grad(), 1e-4);
  const auto along = [](const Tensor& g, const Tensor& direction) {
    return std::sqrt(double{mean(pow(sum(g * direction, {-1}), 2)).item()});
  };
  const Tensor constant = ones({3, 8}), naive = r * dn;
  std::printf("                          along (1, ..., 1)   along n\n");
  std::printf("mean, variance constant %19.3f %9.3f\n", along(naive, constant), along(naive, n));
  std::printf("dx                      %19.3f %9.3f\n", along(dx, constant), along(dx, n));
}

// The same position-wise network at each place.
void feed_forward() {
  const Part part("feed_forward");
  KeySequence keys(2);
  const FeedForward network(8, 32, keys);
  const Tensor x = normal({1, 5, 8}, {.seed = 3});
  // [feed_forward]
  const Linear& first = network.c_fc;                          // [8, 32] and [32]
  const Linear& second = network.c_proj;                       // [32, 8] and [8]
  const Tensor wide = matmul(x, first.weight) + first.bias;    // [1, 5, 32]
  const Tensor bent = gelu(wide);                              // [1, 5, 32]
  const Tensor y = matmul(bent, second.weight) + second.bias;  // [1, 5, 8]
  // [feed_forward]
  must_equal("built here and the library's", y, network(x));
  must_equal("one place alone, and among the others", network(slice(x, 1, 2, 3)),
             slice(network(x), 1, 2, 3));
  MultiHeadAttention attention(8, 2, keys, {});
  const Tensor one = normal({1, 1, 8}, {.seed = 4});
  must_equal("attention to one place alone, and two linear maps", attention(one, one),
             attention.output(attention.value(one)));
}

// What bends, and what does not.
void bends() {
  const auto gauss = [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); };
  Series relu_curve{"ReLU", {}, {}}, gelu_curve{"GELU", {}, {}}, silu_curve{"SiLU", {}, {}};
  for (double x = -4; x <= 3; x += 0.25) {
    for (Series* s : {&relu_curve, &gelu_curve, &silu_curve}) s->x.push_back(x);
    relu_curve.y.push_back(std::max(x, 0.0));
    gelu_curve.y.push_back(gauss(x));
    silu_curve.y.push_back(x / (1 + std::exp(-x)));
  }
  plot_lines("bends", {.title = "Three bends", .x = "x", .y = "f(x)"},
             {relu_curve, gelu_curve, silu_curve});
}

/// How badly a network of this width and bend multiplies neighbouring channels, after training; 1
/// is as badly as always saying 0.
double products_loss(Index width, Activation activation, bool linear) {
  KeySequence keys(12);
  FeedForward network(8, width, keys, true, 0, activation);
  const auto run = [&](const Tensor& x) {
    return linear ? network.c_proj(network.c_fc(x)) : network(x);
  };
  const auto truth = [](const Tensor& x) {  // channel c is x_c x_(c + 1)
    return x * concat({slice(x, 1, 1), slice(x, 1, 0, 1)}, 1);
  };
  AdamW optimiser(parameters(network), {.weight_decay = 0});
  for (std::uint32_t step = 0; step < 500; ++step) {
    const Tensor x = normal({64, 8}, {.seed = 13, .step = step});
    backward(mean(pow(run(x) - truth(x), 2)));
    optimiser.step(Scalar(step < 400 ? 0.01 : 0.001));
    optimiser.zero_grad();
  }
  const NoGrad no_grad;
  const Tensor x = normal({1000, 8}, {.seed = 14});
  return mean(pow(run(x) - truth(x), 2)).item();
}

// What the network is for, and how wide it should be.
void products() {
  const Part part("products");
  std::printf("inner width   no bend   ReLU   GELU\n");
  Series with_relu{"ReLU", {}, {}}, with_gelu{"GELU", {}, {}}, without{"no bend", {}, {}};
  for (const Index width : {8, 16, 32, 64}) {
    const double flat = products_loss(width, Activation::kRelu, true);
    const double relu = products_loss(width, Activation::kRelu, false);
    const double gelu = products_loss(width, Activation::kGelu, false);
    std::printf("%11d %9.2f %6.2f %6.2f\n", static_cast<int>(width), flat, relu, gelu);
    for (Series* s : {&with_relu, &with_gelu, &without}) s->x.push_back(double(width) / 8);
    without.y.push_back(flat), with_relu.y.push_back(relu), with_gelu.y.push_back(gelu);
  }
  plot_lines("bend_and_width",
             {.title = "Learning to multiply neighbouring channels",
              .x = "inner width, in times C",
              .y = "mean square error",
              .log_x = true},
             {without, with_relu, with_gelu});
}

// RMS norm and the gated network, as newer models have them.
void newer() {
  const Part part("newer");
  KeySequence keys(15);
  const Tensor x = normal({2, 6}, {.seed = 16}, 1, 2);
  const FeedForward gated(6, 16, keys, false, 0, Activation::kSwiGlu);
  // [newer]
  const Tensor root = sqrt(mean(x * x, {-1}, {.keepdim = true}) + Scalar(1e-5));
  const Tensor rms_normed = x / root;  // no mean, no shift

  const std::vector<Tensor> halves = split(matmul(x, gated.c_fc.weight), 2, -1);
  const Tensor swiglu = matmul(silu(halves[0]) * halves[1], gated.c_proj.weight);
  // [newer]
  must_equal("RMS norm built here and the library's", rms_normed, RmsNorm(6)(x));
  must_equal("SwiGLU built here and the library's", swiglu, gated(x));
  FeedForward usual(6, 24, keys, false), as_large(6, 16, keys, false, 0, Activation::kSwiGlu);
  std::printf("weights of the usual network of 4 C: %d, of a gated one of 8/3 C: %d\n",
              static_cast<int>(count(parameters(usual))),
              static_cast<int>(count(parameters(as_large))));
}

// Twelve layers, four ways to wire them.
void depth() {
  const Part part("depth");
  const Index channels = 32, layers = 12;
  std::vector<Series> forward, back;
  std::printf("             size of the vectors after     size of the gradient before\n");
  std::printf("             layer 1   layer 12            layer 12   layer 1\n");
  for (const Way& way : kWays) {
    // [depth]
    KeySequence keys(4);
    Tensor x = normal({2, 8, channels}, {.seed = 5}).set_requires_grad();
    std::vector<Tensor> after = {x};
    for (Index i = 0; i < layers; ++i) {
      after.push_back(way.layer(make_parts(channels, keys), after.back()));
    }
    const Tensor loss = sum(after.back() * normal(x.shape(), {.seed = 6}));
    const std::vector<Tensor> gradients = grad({loss}, after);
    // [depth]
    Series vectors{way.name, {}, {}}, slopes{way.name, {}, {}};
    for (std::size_t i = 0; i < after.size(); ++i) {
      vectors.x.push_back(static_cast<double>(i)), vectors.y.push_back(size_of(after[i]));
      slopes.x.push_back(static_cast<double>(i)), slopes.y.push_back(size_of(gradients[i]));
    }
    std::printf("%-10s %9.2g %10.2g %19.2g %9.2g\n", way.name, vectors.y[1], vectors.y[12],
                slopes.y[11], slopes.y[0]);
    forward.push_back(vectors);
    back.push_back(slopes);
  }
  plot_lines("vectors",
             {.title = "Size of the vectors",
              .x = "layers passed",
              .y = "root of the mean square",
              .log_y = true},
             forward);
  plot_lines("gradients",
             {.title = "Size of the gradient",
              .x = "layers passed (the loss is at the right)",
              .y = "root of the mean square",
              .log_y = true},
             back);
}

// The stream is a sum, and can do without any one of its terms.
void stream() {
  const Part part("stream");
  const Index channels = 32, layers = 12;
  const auto stack = [&](const Way& way, Index left_out) {
    KeySequence keys(4);
    Tensor x = normal({2, 8, channels}, {.seed = 5});
    for (Index i = 0; i < layers; ++i) {
      const Parts parts = make_parts(channels, keys);
      if (i != left_out) x = way.layer(parts, x);
    }
    return x;
  };
  KeySequence keys(4);
  // [stream]
  const Tensor start = normal({2, 8, channels}, {.seed = 5});
  Tensor x = start, written = zeros(start.shape());
  for (Index i = 0; i < layers; ++i) {
    const Parts p = make_parts(channels, keys);
    const Tensor from_attention = p.attend(p.norm_1(x));
    x = x + from_attention;
    const Tensor from_network = p.network(p.norm_2(x));
    x = x + from_network;
    written = written + from_attention + from_network;
  }
  // [stream]
  must_equal("the end of the stream, and its start plus all that was written", x, start + written);
  must_equal("the same by pre_norm()", x, stack(kWays[3], -1));
  std::printf("            how far the      change of the result without\n");
  std::printf("            vectors differ   layer 1   layer 6   layer 12\n");
  for (const Way& way : kWays) {
    const Tensor whole = stack(way, -1);
    const double spread = size_of(whole - mean(whole, {0, 1}, {.keepdim = true})) / size_of(whole);
    std::printf("%-11s %14.1g", way.name, spread);
    for (const Index left_out : {0, 5, 11}) {
      std::printf(" %*.2f", left_out == 11 ? 10 : 9,
                  size_of(stack(way, left_out) - whole) / size_of(whole));
    }
    std::printf("\n");
  }
}

namespace {

/// A language model of twelve layers, as little as it takes.
struct Deep {
  Embedding tokens, places;
  std::vector<Parts> layers;
  LayerNorm last;
  Linear to_logits;
  Tensor (*layer)(const Parts&, const Tensor&);

  Deep(Index vocabulary, Index time, const Way& way) : layer(way.layer) {
    const Index channels = 32;
    KeySequence keys(17);
    tokens = Embedding(vocabulary, channels, keys), places = Embedding(time, channels, keys);
    for (int i = 0; i < 12; ++i) layers.push_back(make_parts(channels, keys, true));
    last = LayerNorm(channels);
    to_logits = Linear(channels, vocabulary, keys);
  }
  Tensor operator()(const IndexTensor& x) const {
    IndexTensor numbers({x.size(1)});
    for (Index t = 0; t < x.size(1); ++t) numbers.mutable_data()[t] = static_cast<std::int32_t>(t);
    Tensor stream = tokens(x) + places(numbers);
    for (const Parts& p : layers) stream = layer(p, stream);
    return to_logits(layer == pre_norm ? last(stream) : stream);
  }
  void fields(auto&& f) {
    f("tokens", tokens);
    f("places", places);
    f("layers", layers);
    if (layer == pre_norm) f("last", last);
    f("to_logits", to_logits);
  }
};

}  // namespace

// Twelve layers, trained without norms, with norms before and behind, and with a warm-up.
void warm_up() {
  const Part part("warm_up");
  const CharTokenizer tokenizer = CharTokenizer::learn(bundled_fables());
  const std::vector<std::int32_t> text = tokenizer.encode(bundled_fables());
  const Index batch = 4, time = 16;
  std::printf("gradient at the start      layer 1   layer 12\n");
  for (const std::size_t way : {3, 2}) {
    Deep model(tokenizer.vocab_size(), time, kWays[way]);
    const IndexTensor inputs({8, time}, std::span(text).subspan(0, 128));
    const IndexTensor targets({8, time}, std::span(text).subspan(1, 128));
    backward(cross_entropy(model(inputs), targets));
    const auto size = [&](std::size_t layer) {
      return size_of(model.layers[layer].network.c_proj.weight.grad());
    };
    std::printf("%-9s %24.5f %10.5f\n", kWays[way].name, size(0), size(11));
  }
  std::printf("rate      no norm   pre-norm   post-norm   post-norm with warm-up\n");
  struct Column {
    Way way;
    bool warm;
    const char* name;
    int width;
  };
  const Column columns[] = {{kWays[1], false, "no norm", 12},
                            {kWays[3], false, "pre-norm", 10},
                            {kWays[2], false, "post-norm", 11},
                            {kWays[2], true, "post-norm, warmed up", 24}};
  std::vector<Series> curves;
  for (const double rate : {0.001, 0.003, 0.03}) {
    std::printf("%.3f", rate);
    for (const auto& [way, warm, name, width] : columns) {
      Series curve{name, {}, {}};
      double smooth = 0;
      // [warm_up]
      Deep model(tokenizer.vocab_size(), time, way);
      AdamW optimiser(parameters(model), {.weight_decay = 0});
      for (int step = 0; step < 200; ++step) {
        IndexTensor inputs({batch, time}), targets({batch, time});
        for (Index b = 0; b < batch; ++b) {
          const Index at =
              uniform_index({18, static_cast<std::uint32_t>(step)}, b, std::ssize(text) - time);
          std::copy_n(text.begin() + at, time, inputs.mutable_data() + b * time);
          std::copy_n(text.begin() + at + 1, time, targets.mutable_data() + b * time);
        }
        const Tensor loss = cross_entropy(model(inputs), targets);
        backward(loss);
        const double share = warm ? std::min(1.0, (step + 1) / 60.0) : 1;
        optimiser.step(static_cast<Scalar>(rate * share));
        optimiser.zero_grad();
        // [warm_up]
        smooth = step == 0 ? loss.item() : 0.95 * smooth + 0.05 * loss.item();
        if (step % 5 == 0) curve.x.push_back(step), curve.y.push_back(smooth);
      }
      if (smooth < 100) {
        std::printf(" %*.2f", width - 1, smooth);
      } else {  // NaN too
        std::printf(" %*s", width - 1, "diverges");
      }
      if (rate == 0.003 && way.layer != residual_alone) curves.push_back(curve);
    }
    std::printf("\n");
  }
  plot_lines("warm_up",
             {.title = "Twelve layers at a rate of 0.003", .x = "step", .y = "loss in nats"},
             curves);
}

// The library's encoder layer is the same thing.
void library() {
  const Part part("library");
  KeySequence keys(7);
  const LayerOptions options{
      .d_model = 16, .num_heads = 4, .dropout = 0, .activation = Activation::kGelu};
  const EncoderLayer layer(options, Tensor(), keys);
  const Tensor x = normal({2, 5, 16}, {.seed = 8});
  const Parts same{std::get<LayerNorm>(layer.norm_1.kind), std::get<LayerNorm>(layer.norm_2.kind),
                   layer.self_attention, layer.feed_forward, false};
  must_equal("pre_norm() and the library's EncoderLayer", pre_norm(same, x), layer(x));
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  depth();
  stream();
  norm();
  norm_gradient();
  mixing();
  warm_up();
  feed_forward();
  bends();
  products();
  newer();
  library();
}
