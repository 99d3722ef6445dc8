// Chapter 10: several attentions side by side, masks, and attention to another text.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "autograd/graph.h"
#include "autograd/more/packed_attention.h"
#include "autograd/more/random.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/layers/attention.h"
#include "nn/layers/layers.h"
#include "nn/optim/adamw.h"
#include "tutorials/common/explorer.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

const std::vector<std::string> kWords = {"Hello", "I", "love", "you"};

/// Prints a shape as it is at this point of the program.
void trace(const char* what, const Tensor& x) {
  std::printf("%-36s %s\n", what, words(x.shape()).c_str());
}

// [heads]
// [B, T, H D] to [B, H, T, D]: channels h D to (h + 1) D become head h.
Tensor split_heads(const Tensor& x, Index heads) {
  const Index width = x.size(2) / heads;  // D
  const Tensor apart = reshape(x, {x.size(0), x.size(1), heads, width});
  return permute(apart, {0, 2, 1, 3});  // [B, T, H, D] to [B, H, T, D]
}

// [B, H, T, D] to [B, T, H D]: the way back.
Tensor join_heads(const Tensor& x) {
  const Tensor together = permute(x, {0, 2, 1, 3});  // to [B, T, H, D]
  return reshape(together, {x.size(0), x.size(2), x.size(1) * x.size(3)});
}
// [heads]

/// Matrix [T, S] number (b, h) of x [B, H, T, S].
Tensor matrix(const Tensor& x, Index b, Index h) {
  return reshape(slice(slice(x, 0, b, b + 1), 1, h, h + 1), {x.size(2), x.size(3)});
}

/// 0, 1, 2 ...: the numbers of the places.
IndexTensor places(Index count) {
  IndexTensor numbers({count});
  for (Index t = 0; t < count; ++t) numbers.mutable_data()[t] = static_cast<std::int32_t>(t);
  return numbers;
}

/// Trains on what `batch(step)` gives, a pair of inputs and targets.
template <class Model, class Batch, class Loss>
void train(Model& model, int steps, Batch batch, Loss loss) {
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  for (int step = 0; step < steps; ++step) {
    const auto [inputs, targets] = batch(static_cast<std::uint64_t>(step));
    backward(loss(model, inputs, targets));
    optimiser.step(Scalar(0.005) * std::min(Scalar(1), Scalar(2) * (steps - step) / steps));
    optimiser.zero_grad();
  }
}

}  // namespace

/// "Anna sees Bob": what stands in the middle is to name who sees, and whom.
struct Verb {
  static constexpr Index kNames = 24;
  Embedding word, place;
  MultiHeadAttention attention;
  Linear who, whom;

  explicit Verb(int heads) {
    KeySequence keys(2);
    word = Embedding(kNames + 2, 16, keys), place = Embedding(3, 16, keys);
    attention = MultiHeadAttention(16, heads, keys, {});
    who = Linear(16, kNames, keys), whom = Linear(16, kNames, keys);
  }
  // [verb]
  // Texts [B, 3], name verb name, to logits of both answers, [B, 2, 24].
  Tensor operator()(const IndexTensor& texts) const {
    const Tensor x = word(texts) + place(places(3));  // [B, 3, 16]
    const Tensor verb = slice(x, 1, 1, 2);            // [B, 1, 16]
    const Tensor found = attention(verb, x);          // [B, 1, 16]
    return concat({who(found), whom(found)}, 1);
  }
  // [verb]
  void fields(auto&& f) {
    f("word", word), f("place", place), f("attention", attention), f("who", who), f("whom", whom);
  }
};

// Two questions, and one head or several to ask them.
void questions() {
  const Part part("questions");
  const auto batch = [](std::uint64_t seed, Index size = 32) {
    std::pair<IndexTensor, IndexTensor> made(IndexTensor({size, 3}), IndexTensor({size, 2}));
    for (Index i = 0; i < size; ++i) {
      const RandomKey key{.seed = seed, .place = static_cast<std::uint32_t>(i)};
      const std::vector<Index> names = permutation(Verb::kNames, key);
      const auto a = static_cast<std::int32_t>(names[0]), b = static_cast<std::int32_t>(names[1]);
      std::copy_n(std::array{a, static_cast<std::int32_t>(Verb::kNames + i % 2), b}.begin(), 3,
                  made.first.mutable_data() + i * 3);
      std::copy_n(std::array{a, b}.begin(), 2, made.second.mutable_data() + i * 2);
    }
    return made;
  };
  std::printf("heads   parameters   loss    who    whom\n");
  for (const int heads : {1, 2, 4}) {
    Verb model(heads);
    train(model, 400, batch, [](const Verb& verb, const auto& texts, const auto& answers) {
      return cross_entropy(verb(texts), answers);
    });
    const NoGrad no_grad;
    const auto [texts, answers] = batch(1000000, 500);
    const Tensor logits = model(texts);
    IndexTensor who({500, 1}), whom({500, 1});
    for (Index i = 0; i < 500; ++i) {
      who.mutable_data()[i] = answers.mutable_data()[2 * i],
      whom.mutable_data()[i] = answers.data()[2 * i + 1];
    }
    std::printf("%5d %12d %6.2f %6.2f %7.2f\n", heads,
                static_cast<int>(count(parameters(model.attention))),
                double{cross_entropy(logits, answers).item()},
                accuracy(slice(logits, 1, 0, 1), who), accuracy(slice(logits, 1, 1, 2), whom));
  }
}

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
  const Tensor qh = split_heads(q, heads), kh = split_heads(k, heads);
  const Tensor vh = split_heads(v, heads);
  // Each head by itself.
  const Tensor mixed = scaled_dot_product_attention(qh, kh, vh);
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
  must_equal("built here, and in the library", y, library(x, x));
}

// Queries, keys and values of all heads out of one product.
void packed() {
  const Part part("packed");
  KeySequence keys(1);
  const Linear to_query(12, 12, keys), to_key(12, 12, keys), to_value(12, 12, keys);
  const Tensor x = normal({2, 5, 12}, {.seed = 2});
  // [packed]
  Linear to_all;
  // [C, 3 C] and [3 C]
  to_all.weight = concat({to_query.weight, to_key.weight, to_value.weight}, 1);
  to_all.bias = concat({to_query.bias, to_key.bias, to_value.bias}, 0);
  const Tensor qkv = to_all(x);                         // [B, T, 3 C]
  const std::vector<Tensor> parts = split(qkv, 3, -1);  // three of [B, T, C]
  const Tensor q = split_heads(parts[0], 3), k = split_heads(parts[1], 3);
  const Tensor v = split_heads(parts[2], 3);
  const Tensor apart = join_heads(scaled_dot_product_attention(q, k, v));
  // [packed]
  trace("qkv = to_all(x)", qkv);
  trace("each of three parts", parts[0]);
  must_equal("a part of the one product, and the product of one map", parts[1], to_key(x));
  must_equal("all heads from where they lie in qkv", packed_self_attention(qkv, 3), apart);
}

// A head sees all channels of its input, through its own part of the maps.
void what_a_head_sees() {
  const Part part("head_sees");
  KeySequence keys(3);
  const MultiHeadAttention attention(12, 3, keys, {});
  // [head_sees]
  Tensor x = normal({1, 4, 12}, {.seed = 4}).set_requires_grad();
  const Tensor q = attention.query(x), k = attention.key(x), v = attention.value(x);
  const Tensor mixed =
      scaled_dot_product_attention(split_heads(q, 3), split_heads(k, 3), split_heads(v, 3));
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

// The sizes that Keras has names for.
void sizes() {
  const Part part("sizes");
  // [sizes]
  KeySequence keys(1);
  const MultiHeadAttention::Sizes wanted{
      .key_dim = 4, .value_dim = 6, .output_shape = 5, .source = 8};
  MultiHeadAttention attention(10, 3, keys, wanted);
  const Tensor x = normal({2, 5, 10}, {.seed = 1});
  const Tensor source = normal({2, 7, 8}, {.seed = 2});
  const Tensor y = attention(x, source);
  // [sizes]
  trace("query.weight  [C, H key_dim]", attention.query.weight);
  trace("key.weight    [source, H key_dim]", attention.key.weight);
  trace("value.weight  [source, H value_dim]", attention.value.weight);
  trace("output.weight [H value_dim, output]", attention.output.weight);
  trace("y", y);
}

// A mask as something that is added.
void additive() {
  const Part part("additive");
  // [additive]
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  const Tensor scores = tensor({{2, 1, 0, 3}});
  const Tensor hidden = tensor({{0, 0, 0, -infinity}});  // not the last key
  const Tensor before = softmax(scores + hidden);
  const Tensor after = softmax(scores) * tensor({{1, 1, 1, 0}});
  // [additive]
  const auto show = [&](const char* what, const Tensor& x) {
    std::printf("%-38s", what);
    for (const Scalar value : x) {
      std::isnan(value) ? std::printf("   nan") : std::printf(" %5.2f", double{value});
    }
    const double total = sum(x).item();
    std::isnan(total) ? std::printf("   sum nan\n") : std::printf("   sum %.2f\n", total);
  };
  show("no mask", softmax(scores));
  show("minus infinity before the softmax", before);
  show("zero after the softmax", after);
  // [nothing]
  const Tensor all_hidden = tensor({{-infinity, -infinity, -infinity, -infinity}});
  const Tensor alone = scores + all_hidden;
  const Tensor e = exp(alone - max(alone));  // minus infinity minus minus infinity
  const Tensor by_hand = e / sum(e);
  const Tensor large = softmax(scores + tensor({{-1e9, -1e9, -1e9, -1e9}}));
  const Tensor library = softmax(alone);
  // [nothing]
  show("all hidden, minus infinity, by hand", by_hand);
  show("all hidden, minus a billion", large);
  show("all hidden, minus infinity, library", library);
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
        strength.mutable_data()[i * 4 + j] = static_cast<Scalar>(std::sqrt(squares));
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
  plot_heatmap("open", "How much an output (row) depends on an input (column)", open, kWords,
               kWords);
  plot_heatmap("causal", "The same (row, column) under the causal mask", closed, kWords, kWords);
}

/// Layers of attention that guess the next word. Each adds what it found to what it was given.
struct Copier {
  Embedding word, place;
  std::vector<MultiHeadAttention> layers;
  Linear to_word;

  Copier(int count, int heads) {
    KeySequence keys(3);
    word = Embedding(12, 32, keys), place = Embedding(12, 32, keys);
    for (int i = 0; i < count; ++i)
      layers.emplace_back(32, heads, keys, MultiHeadAttention::Sizes{});
    to_word = Linear(32, 12, keys);
  }
  // [copier]
  // Texts [B, T] to logits of the next word, [B, T, 12].
  Tensor operator()(const IndexTensor& texts) const {
    Tensor x = word(texts) + place(places(texts.size(1)));  // [B, T, 32]
    for (const MultiHeadAttention& layer : layers) {
      x = x + layer(x, x, {.causal = true});
    }
    return to_word(x);
  }
  // [copier]
  void fields(auto&& f) {
    f("word", word), f("place", place), f("layers", layers), f("to_word", to_word);
  }
};

/// Texts of twelve words that begin anew after three to six, and the next word wherever it can be
/// known: where the present word has been here before.
std::pair<IndexTensor, IndexTensor> rounds(Index count, std::uint64_t seed) {
  std::pair<IndexTensor, IndexTensor> made(IndexTensor({count, 12}), IndexTensor({count, 12}));
  for (Index i = 0; i < count; ++i) {
    const RandomKey key{.seed = seed, .place = static_cast<std::uint32_t>(i)};
    const std::vector<Index> words = permutation(12, key);
    const Index round = 3 + uniform_index(key, 1000, 4);
    for (Index t = 0; t < 12; ++t) {
      const auto at = [&](Index place) {
        return static_cast<std::int32_t>(words[static_cast<std::size_t>(place % round)]);
      };
      made.first.mutable_data()[i * 12 + t] = at(t);
      made.second.mutable_data()[i * 12 + t] = t < round ? -1 : at(t + 1);
    }
  }
  return made;
}

/// Sets the rows of the output map that belong to a head to 0: what it found is not added.
void take_out(MultiHeadAttention& attention, Index head) {
  // [take_out]
  const Tensor& weight = attention.output.weight;            // [H D, C]
  const Index width = weight.size(0) / attention.num_heads;  // D
  Scalar* rows = weight.mutable_data() + head * width * weight.size(1);
  std::fill_n(rows, width * weight.size(1), Scalar(0));
  // [take_out]
}

// Two layers, the heads that they learnt, and what happens when one is taken out.
void copying(const std::string& folder) {
  constexpr int kHeads = 4;
  const auto trained = [](int layers, int heads) {
    Copier model(layers, heads);
    const CrossEntropyOptions known{.ignore_index = -1};
    train(
        model, 500, [](std::uint64_t seed) { return rounds(32, seed); },
        [&](const Copier& copier, const auto& texts, const auto& next) {
          return cross_entropy(copier(texts), next, known);
        });
    return model;
  };
  const Copier one_layer = trained(1, 8);
  Copier model = trained(2, kHeads);
  const NoGrad no_grad;
  const std::vector<std::string> vocabulary = {"Hello", "I",    "love", "you", "we",   "miss",
                                               "them",  "they", "see",  "us",  "dogs", "cats"};
  const IndexTensor ours = indices({{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}});
  Attentions shown;
  std::vector<Tensor> heads;  // of each layer, [4, 12, 12]
  {
    const Part part("copying");
    const auto [texts, next] = rounds(200, 1000000);
    std::printf("right answers, one layer of 8 heads:  %.2f\n", accuracy(one_layer(texts), next));
    std::printf("right answers, two layers of 4 heads: %.2f\n\n", accuracy(model(texts), next));
    // [record]
    const AttentionRecord record;
    const Tensor logits = model(ours);  // [1, 12, 12]
    // Of each layer, [1, 4, 12, 12].
    const std::vector<Tensor>& layers = record.weights();
    // [record]
    std::printf("text       next word       certain\n");
    const Tensor sure = softmax(logits);
    for (Index t = 0; t < 12; ++t) {
      const Scalar* row = sure.data() + t * 12;
      const auto best = static_cast<std::size_t>(std::max_element(row, row + 12) - row);
      const std::string said = vocabulary[static_cast<std::size_t>(ours.data()[t])];
      shown.queries.push_back(said), shown.keys.push_back(said);
      if (t < 4) {  // in the first round nothing can be known
        std::printf("%s\n", said.c_str());
        shown.notes.push_back("What comes next cannot be known yet.");
        continue;
      }
      std::printf("%-10s %-15s %.2f\n", said.c_str(), vocabulary[best].c_str(), double{row[best]});
      char note[80];
      std::snprintf(note, sizeof note, "The model expects %s next (%.2f).",
                    vocabulary[best].c_str(), double{row[best]});
      shown.notes.push_back(note);
    }
    for (const Tensor& layer : layers) heads.push_back(reshape(layer, {4, 12, 12}));
    for (const Tensor& layer : heads) shown.layers.emplace_back(layer);
  }
  shown.caption = "Who looks at whom in two layers of four heads, on a text that repeats itself.";
  std::ofstream(folder + "/explorer.html") << attention_explorer("explorer_09", shown);
  plot_heatmap("first_layer", "Layer 1, head 4: who looks (rows) at whom (columns)",
               reshape(slice(heads[0], 0, 3, 4), {12, 12}), shown.queries, shown.keys);
  plot_heatmap("second_layer", "Layer 2, head 2: who looks (rows) at whom (columns)",
               reshape(slice(heads[1], 0, 1, 2), {12, 12}), shown.queries, shown.keys);

  const Part part("pruning");
  const std::pair<IndexTensor, IndexTensor> test = rounds(200, 1000000);
  const auto right = [&] { return accuracy(model(test.first), test.second); };
  std::printf("right answers with all heads: %.2f\n", right());
  std::printf("taken out   layer 1   layer 2\n");
  Series layer_1{"layer 1", {}, {}}, layer_2{"layer 2", {}, {}};
  std::vector<std::string> names;
  const auto without = [&](MultiHeadAttention& layer, Index from, Index to) {
    const Tensor kept = layer.output.weight.clone();
    for (Index h = from; h < to; ++h) take_out(layer, h);
    const double share = right();
    std::copy(kept.begin(), kept.end(), layer.output.weight.mutable_data());
    return share;
  };
  for (Index h = 0; h <= kHeads; ++h) {
    const bool all = h == kHeads;
    names.push_back(all ? "all four" : "head " + std::to_string(h + 1));
    const Index from = all ? 0 : h, to = all ? h : h + 1;
    layer_1.y.push_back(without(model.layers[0], from, to));
    layer_2.y.push_back(without(model.layers[1], from, to));
    std::printf("%-9s %9.2f %9.2f\n", names.back().c_str(), layer_1.y.back(), layer_2.y.back());
  }
  plot_bars("pruning",
            {.title = "Right answers when a head is taken out", .x = "taken out", .y = "share"},
            names, {layer_1, layer_2});
}

/// Writes a text of six words backwards, as far as four words: the places of the target ask.
struct Backwards {
  Embedding word, source_place, target_place;
  MultiHeadAttention attention;
  Linear to_word;

  Backwards() {
    KeySequence keys(1);
    word = Embedding(12, 32, keys);
    source_place = Embedding(6, 32, keys), target_place = Embedding(4, 32, keys);
    attention = MultiHeadAttention(32, 2, keys, {});
    to_word = Linear(32, 12, keys);
  }
  // [backwards]
  // Sources [B, 6] to logits of four words, [B, 4, 12].
  Tensor operator()(const IndexTensor& sources) const {
    const Tensor answers = word(sources) + source_place(places(6));  // [B, 6, 32]
    const Tensor asks = target_place(places_of(sources.size(0)));    // [B, 4, 32]
    return to_word(attention(asks, answers));
  }
  // [backwards]
  static IndexTensor places_of(Index batch) {  // [B, 4]: 0 to 3 in each row
    IndexTensor numbers({batch, 4});
    for (Index i = 0; i < numbers.size(); ++i)
      numbers.mutable_data()[i] = static_cast<std::int32_t>(i % 4);
    return numbers;
  }
  void fields(auto&& f) {
    f("word", word), f("source_place", source_place), f("target_place", target_place);
    f("attention", attention), f("to_word", to_word);
  }
};

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

// Cross-attention that has learnt something, as a picture.
void backwards() {
  Backwards model;
  const auto batch = [](std::uint64_t seed) {
    std::pair<IndexTensor, IndexTensor> made(IndexTensor({32, 6}), IndexTensor({32, 4}));
    for (Index i = 0; i < 32; ++i) {
      for (Index s = 0; s < 6; ++s) {
        made.first.mutable_data()[i * 6 + s] =
            static_cast<std::int32_t>(uniform_index({.seed = seed}, i * 6 + s, 12));
      }
      for (Index t = 0; t < 4; ++t) {
        made.second.mutable_data()[i * 4 + t] = made.first.data()[i * 6 + 5 - t];
      }
    }
    return made;
  };
  train(model, 300, batch, [](const Backwards& writer, const auto& sources, const auto& targets) {
    return cross_entropy(writer(sources), targets);
  });
  const Part part("backwards");
  const NoGrad no_grad;
  const auto [sources, targets] = batch(1000000);
  std::printf("right words: %.3f\n", accuracy(model(sources), targets));
  const AttentionRecord record;
  model(indices({{0, 1, 2, 3, 4, 5}}));
  const Tensor weights = matrix(record.weights()[0], 0, 0);  // [4, 6]
  print_table(weights, {"1st", "2nd", "3rd", "4th"});
  plot_heatmap("backwards", "Written words (rows) look at the source (columns)", weights,
               {"1st", "2nd", "3rd", "4th"}, {"Hello", "I", "love", "you", "and", "them"});
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  questions();
  shapes();
  packed();
  what_a_head_sees();
  parameters_table();
  sizes();
  additive();
  masks();
  causality();
  copying(argc > 1 ? argv[1] : ".");
  cross();
  backwards();
}
