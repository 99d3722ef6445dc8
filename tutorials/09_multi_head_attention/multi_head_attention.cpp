// Chapter 09: several attentions side by side, masks, and attention to another text.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/select.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/random.h"
#include "nn/attention.h"
#include "nn/layers.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

const std::vector<std::string> kWords = {"Hello", "I", "love", "you"};

/// Prints a shape as it is at this point of the program.
void trace(const char* what, const Tensor& x) {
  std::string shape = "[";
  for (int axis = 0; axis < x.rank(); ++axis) {
    shape += (axis > 0 ? ", " : "") + std::to_string(x.size(axis));
  }
  std::printf("%-34s %s]\n", what, shape.c_str());
}

// [heads]
/// [B, T, H D] to [B, H, T, D]: channels h D to (h + 1) D become head h.
Tensor split_heads(const Tensor& x, Index heads) {
  const Tensor apart = reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads});
  return permute(apart, {0, 2, 1, 3});  // [B, T, H, D] to [B, H, T, D]
}

/// [B, H, T, D] to [B, T, H D]: the way back.
Tensor join_heads(const Tensor& x) {
  return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}
// [heads]

/// Matrix [T, S] number (b, h) of x [B, H, T, S].
Tensor matrix(const Tensor& x, Index b, Index h) {
  return reshape(slice(slice(x, 0, b, b + 1), 1, h, h + 1), {x.size(2), x.size(3)});
}

}  // namespace

// From one product to several heads and back, with every shape.
void shapes() {
  const Part part("shapes");
  // [shapes]
  const Index batch = 2, time = 5, channels = 12, heads = 3;
  KeySequence keys(1);
  const Linear to_query(channels, channels, keys), to_key(channels, channels, keys),
      to_value(channels, channels, keys), output(channels, channels, keys);
  const Tensor x = normal({batch, time, channels}, {.seed = 2});

  const Tensor q = to_query(x), k = to_key(x), v = to_value(x);
  const Tensor qh = split_heads(q, heads), kh = split_heads(k, heads), vh = split_heads(v, heads);
  const Tensor mixed = scaled_dot_product_attention(qh, kh, vh);  // each head by itself
  const Tensor joined = join_heads(mixed);
  const Tensor y = output(joined);
  // [shapes]
  trace("x", x);
  trace("q = to_query(x)", q);
  trace("qh = split_heads(q, 3)", qh);
  trace("weights, if they were kept", attention_weights(qh, kh));
  trace("mixed", mixed);
  trace("joined", joined);
  trace("y = output(joined)", y);
  MultiHeadAttention library(channels, 3, keys, {});
  library.query = to_query, library.key = to_key, library.value = to_value, library.output = output;
  must_equal("built here and the library's", y, library(x, x));
}

// A head sees all channels of its input, through its own part of the maps.
void what_a_head_sees() {
  const Part part("head_sees");
  KeySequence keys(3);
  const MultiHeadAttention attention(12, 3, keys, {});
  // [head_sees]
  Tensor x = normal({1, 4, 12}, {.seed = 4}).set_requires_grad();
  const Tensor mixed = scaled_dot_product_attention(split_heads(attention.query(x), 3),
                                                    split_heads(attention.key(x), 3),
                                                    split_heads(attention.value(x), 3));
  backward(sum(slice(mixed, 1, 0, 1)));  // head 0 alone
  Index reached = 0;
  for (const Scalar g : x.grad()) reached += g != 0;
  // [head_sees]
  std::printf("numbers of the input that head 0 depends on: %d of %d\n", static_cast<int>(reached),
              static_cast<int>(x.size()));
  Tensor sum_of_heads = attention.output.bias;
  for (Index h = 0; h < 3; ++h) {
    const auto rows = slice(attention.output.weight, 0, 4 * h, 4 * h + 4);
    const Tensor head = reshape(slice(mixed, 1, h, h + 1), {1, 4, 4});
    sum_of_heads = sum_of_heads + matmul(head, rows);
  }
  must_equal("the output map, head by head, and at once", sum_of_heads, attention(x, x));
}

// Parameters, against one head of the full width.
void parameters_table() {
  const Part part("parameters");
  std::printf("heads   width of a head   parameters   multiplications for the scores\n");
  for (const int heads : {1, 2, 4, 8}) {
    KeySequence keys(1);
    MultiHeadAttention attention(64, heads, keys, {});
    const Index width = 64 / heads, time = 16;
    std::printf("%5d %17d %12d %33d\n", heads, static_cast<int>(width),
                static_cast<int>(count(parameters(attention))),
                static_cast<int>(heads * time * time * width));
  }
}

// The two masks.
void masks() {
  const Part part("masks");
  // [masks]
  const IndexTensor tokens = indices({{1, 2, 3, 4}, {5, 6, 0, 0}});  // 0 is padding
  const IndexTensor padding = padding_mask(tokens, 0);               // [2, 1, 1, 4]
  const Tensor q = normal({2, 1, 4, 3}, {.seed = 5}), k = normal({2, 1, 4, 3}, {.seed = 6});
  const Tensor no_padding = attention_weights(q, k, {.mask = padding});
  const Tensor no_future = attention_weights(q, k, {.causal = true});
  const Tensor neither = attention_weights(q, k, {.mask = padding, .causal = true});
  // [masks]
  const std::vector<std::string> short_text = {"Good", "night", "-", "-"};
  std::printf("second text, padding hidden\n");
  print_table(matrix(no_padding, 1, 0), short_text);
  std::printf("first text, future hidden\n");
  print_table(matrix(no_future, 0, 0), kWords);
  std::printf("second text, both hidden\n");
  print_table(matrix(neither, 1, 0), short_text);
}

// Which inputs does each output depend on? Ask the gradient.
void causality() {
  const Part part("causality");
  KeySequence keys(7);
  const MultiHeadAttention attention(12, 3, keys, {});
  const auto depends = [&](bool causal) {
    // [causality]
    Tensor strength(Shape{4, 4});  // row i, column j: |d y_i / d x_j|
    for (Index i = 0; i < 4; ++i) {
      Tensor x = normal({1, 4, 12}, {.seed = 8}).set_requires_grad();
      backward(sum(slice(attention(x, x, {.causal = causal}), 1, i, i + 1)));
      const Tensor g = x.grad();
      for (Index j = 0; j < 4; ++j) {
        double squares = 0;
        for (Index c = 0; c < 12; ++c) squares += double{g.at({0, j, c})} * g.at({0, j, c});
        strength.data()[i * 4 + j] = static_cast<Scalar>(std::sqrt(squares));
      }
    }
    // [causality]
    return strength;
  };
  const Tensor open = depends(false), closed = depends(true);
  std::printf("without a mask\n");
  print_table(open, kWords);
  std::printf("with the causal mask\n");
  print_table(closed, kWords);
  bool exact = true;
  for (Index i = 0; i < 4; ++i) {
    for (Index j = i + 1; j < 4; ++j) exact = exact && closed.at({i, j}) == 0;
  }
  std::printf("above the diagonal: %s\n", exact ? "exactly 0" : "not 0");
  plot_heatmap("open", "How much each output (rows) depends on each input", open, kWords, kWords);
  plot_heatmap("causal", "The same under the causal mask", closed, kWords, kWords);
}

// Queries from one text, keys and values from another.
void cross() {
  const Part part("cross");
  // [cross]
  KeySequence keys(9);
  const MultiHeadAttention attention(12, 3, keys, {.source = 8});
  const Tensor target = normal({2, 5, 12}, {.seed = 10});  // asks
  const Tensor source = normal({2, 7, 8}, {.seed = 11});   // answers
  const AttentionRecord record;
  const Tensor y = attention(target, source);
  // [cross]
  trace("target", target);
  trace("source", source);
  trace("y", y);
  trace("weights", record.weights()[0]);
}

int main(int argc, char** argv) {
  set_figure_folder(argc, argv);
  shapes();
  what_a_head_sees();
  parameters_table();
  masks();
  causality();
  cross();
}
