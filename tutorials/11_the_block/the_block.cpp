// Chapter 11: what stands around attention: residuals, norms, the feed-forward network.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "autograd/graph.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/random.h"
#include "nn/attention.h"
#include "nn/encoder.h"
#include "nn/feed_forward.h"
#include "nn/norm.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

/// The root of the mean square: how large the numbers are.
double size_of(const Tensor& x) { return std::sqrt(double{mean(x * x).item()}); }

// [layer_norm]
/// Each vector to mean 0 and variance 1, then times a gain, plus a shift: x [..., C].
Tensor normalise(const Tensor& x, const Tensor& gain, const Tensor& shift) {
  const Tensor centred = x - mean(x, {-1}, kKeepDim);
  const Tensor variance = mean(centred * centred, {-1}, kKeepDim);
  return centred / sqrt(variance + Scalar(1e-5)) * gain + shift;
}
// [layer_norm]

/// Parts with the library's initial values.
struct Parts {
  LayerNorm norm_1, norm_2;
  MultiHeadAttention attention;
  FeedForward feed_forward;
};

Parts make_parts(Index channels, KeySequence& keys) {
  return {LayerNorm(channels), LayerNorm(channels), MultiHeadAttention(channels, 4, keys, {}),
          FeedForward(channels, 4 * channels, keys)};
}

// [wirings]
Tensor plain(const Parts& p, const Tensor& x) {
  return p.feed_forward(p.attention(x, x));  // one after the other
}

Tensor residual_alone(const Parts& p, const Tensor& x) {
  const Tensor y = x + p.attention(x, x);  // x goes by, and what was found is added
  return y + p.feed_forward(y);
}

Tensor post_norm(const Parts& p, const Tensor& x) {
  const Tensor y = p.norm_1(x + p.attention(x, x));
  return p.norm_2(y + p.feed_forward(y));
}

Tensor pre_norm(const Parts& p, const Tensor& x) {
  const Tensor normed = p.norm_1(x);
  const Tensor y = x + p.attention(normed, normed);
  return y + p.feed_forward(p.norm_2(y));
}
// [wirings]

}  // namespace

// What layer norm does, and that it looks at one vector only.
void norm() {
  const Part part("norm");
  const Tensor x = tensor({{1, 2, 3, 6}, {100, 100, 100, 104}});
  const Tensor y = normalise(x, ones({4}), zeros({4}));
  for (Index i = 0; i < 2; ++i) {
    std::printf("%6.1f %6.1f %6.1f %6.1f   becomes  %5.2f %5.2f %5.2f %5.2f\n",
                double{x.at({i, 0})}, double{x.at({i, 1})}, double{x.at({i, 2})},
                double{x.at({i, 3})}, double{y.at({i, 0})}, double{y.at({i, 1})},
                double{y.at({i, 2})}, double{y.at({i, 3})});
  }
  must_equal("built here and the library's", y, LayerNorm(4)(x));
  Tensor leaf = normal({3, 4}, {.seed = 1}).set_requires_grad();
  backward(sum(slice(LayerNorm(4)(leaf), 0, 0, 1) * tensor({{1, 2, 3, 4}})));
  const Tensor g = leaf.grad();
  std::printf("layer norm: vector 0 depends on itself by %.3f, on the two others by %.3f\n",
              size_of(slice(g, 0, 0, 1)), size_of(slice(g, 0, 1)));
  Tensor again = leaf.detach().clone().set_requires_grad();
  const Training training(1, 0);
  backward(sum(slice(BatchNorm(4)(again), 0, 0, 1) * tensor({{1, 2, 3, 4}})));
  std::printf("batch norm: vector 0 depends on itself by %.3f, on the two others by %.3f\n",
              size_of(slice(again.grad(), 0, 0, 1)), size_of(slice(again.grad(), 0, 1)));
}

// The same position-wise network at each place.
void feed_forward() {
  const Part part("feed_forward");
  KeySequence keys(2);
  const FeedForward network(8, 32, keys);
  const Tensor x = normal({1, 5, 8}, {.seed = 3});
  // [feed_forward]
  const Tensor inner = gelu(matmul(x, network.c_fc.weight) + network.c_fc.bias);  // [1, 5, 32]
  const Tensor y = matmul(inner, network.c_proj.weight) + network.c_proj.bias;    // [1, 5, 8]
  // [feed_forward]
  must_equal("built here and the library's", y, network(x));
  must_equal("one place alone, and among the others", network(slice(x, 1, 2, 3)),
             slice(network(x), 1, 2, 3));
}

// Twelve layers, three ways to wire them.
void depth() {
  const Part part("depth");
  const Index channels = 32, layers = 12;
  struct Way {
    const char* name;
    Tensor (*layer)(const Parts&, const Tensor&);
  };
  std::vector<Series> forward, back;
  std::printf("             size of the vectors after     size of the gradient before\n");
  std::printf("             layer 1   layer 12            layer 12   layer 1\n");
  for (const Way way : {Way{"plain", plain}, Way{"residual", residual_alone},
                        Way{"post-norm", post_norm}, Way{"pre-norm", pre_norm}}) {
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

// The library's encoder layer is the same thing.
void library() {
  const Part part("library");
  KeySequence keys(7);
  const LayerOptions options{
      .d_model = 16, .num_heads = 4, .dropout = 0, .activation = Activation::kGelu};
  const EncoderLayer layer(options, Tensor(), keys);
  const Tensor x = normal({2, 5, 16}, {.seed = 8});
  const Parts same{std::get<LayerNorm>(layer.norm_1.kind), std::get<LayerNorm>(layer.norm_2.kind),
                   layer.self_attention, layer.feed_forward};
  must_equal("pre_norm() and the library's EncoderLayer", pre_norm(same, x), layer(x));
}

int main(int argc, char** argv) {
  set_figure_folder(argc, argv);
  norm();
  feed_forward();
  depth();
  library();
}
