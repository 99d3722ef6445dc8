// Chapter 10: many heads, and what they learn.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "pocket/attention.h"
#include "tutorials/10_multi_head_attention/figures.h"
#include "tutorials/10_multi_head_attention/tasks.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using course::Part;

// [verb]
struct Verb {
  Verb(int heads, KeySequence& keys)
      : words(25, 16, keys), positions(3, 16, keys), attention(16, heads, keys, {}) {
    who = Linear(16, 24, keys), whom = Linear(16, 24, keys);
  }
  Tensor operator()(const IndexTensor& sentences) const {
    const Tensor x = words(sentences) + positions.weight;  // [B, 3, 16]
    const Tensor y =
        attention(slice(x, 1, 1, 2), x);  // (queries from, keys and values from): [B, 1, 16]
    return concat({who(y), whom(y)}, 1);  // [B, 2, 24]
  }
  void fields(auto&& f) {
    f("words", words), f("positions", positions), f("attention", attention);
    f("who", who), f("whom", whom);
  }
  Embedding words, positions;
  MultiHeadAttention attention;
  Linear who, whom;
};
// [verb]

// [learn]
template <class Model, class Loss>
void learn(Model& model, int steps, const Loss& loss) {
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  train(optimiser, {.steps = steps, .schedule = {0.01, 0.0005, 20, steps}}, loss);
}
// [learn]

/// The verb's mean weights, [H, 1, 3].
Tensor verb_weights(const Verb& model, const Names& test) {
  const Tensor x = model.words(test.sentences) + model.positions.weight;
  const Tensor q = split_heads(model.attention.query(slice(x, 1, 1, 2)), model.attention.num_heads);
  return mean(attention_weights(q, model.attention.key_values(x).keys), 0);
}

/// Returns the verb's mean weights at seed 1.
Tensor questions(int heads, int steps) {
  // [questions]
  Index size = 0;
  Tensor weights;
  std::vector<double> who, whom;  // the shares of right answers
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    KeySequence keys(seed);
    Verb model(heads, keys);
    size = count(parameters(model.attention));
    learn(model, steps, [&](int step) {
      const Names some(32, {seed, static_cast<std::uint32_t>(step)});
      return cross_entropy(model(some.sentences), some.answers);
    });
    const NoGrad no_grad;
    const Names test(500, {.seed = 1000});
    const IndexTensor said = argmax(model(test.sentences));
    double right[2] = {0, 0};
    for (Index i = 0; i < 1000; ++i) right[i % 2] += said.data()[i] == test.answers.data()[i];
    who.push_back(right[0] / 500), whom.push_back(right[1] / 500);
    if (seed == 1) weights = verb_weights(model, test);
  }
  print_questions(heads, steps, size, who, whom);
  // [questions]
  return weights;
}

void shapes() {
  const Part part("shapes");
  // [shapes]
  KeySequence keys(1);
  const MultiHeadAttention attention(12, 3, keys, {});  // C = 12, H = 3, so D = 4
  const Tensor x = normal({2, 5, 12}, {.seed = 1});     // B = 2, T = 5
  const Tensor q = split_heads(attention.query(x), 3);
  const auto [k, v] = attention.key_values(x);
  const Tensor heads = scaled_dot_product_attention(q, k, v);
  print_shape("attention.query(x)", attention.query(x));
  print_shape("q, split into heads", q);
  print_shape("weights", attention_weights(q, k));
  print_shape("heads, before they are joined", heads);
  print_shape("joined", join_heads(heads));
  print_shape("attention(x, x)", attention(x, x));
  // [shapes]
  // [sum]
  Tensor y = attention.output.bias;
  const auto rows = split(attention.output.weight, 3, 0);  // each head's rows of W_o, [D, C]
  for (int h = 0; h < 3; ++h) {
    y = y + matmul(reshape(slice(heads, 1, h, h + 1), {2, 5, 4}), rows[h]);
  }
  course::must_equal("a sum over heads, and attention(x, x)", y, attention(x, x));
  // [sum]
}

// [copier]
struct Copier {
  Copier(int count, int heads, KeySequence& keys)
      : words(12, 32, keys), positions(12, 32, keys), output(32, 12, keys) {
    for (int i = 0; i < count; ++i) layers.push_back({32, heads, keys, {}});
  }
  Tensor operator()(const IndexTensor& tokens, std::vector<Tensor>* weights = nullptr) const {
    Tensor x = words(tokens) + positions.weight;  // [B, 12, 32]
    for (const MultiHeadAttention& layer : layers) {
      const Tensor q = split_heads(layer.query(x), layer.num_heads);
      const Tensor k = layer.key_values(x).keys;
      if (weights) weights->push_back(attention_weights(q, k, {.causal = true}));
      x = x + layer(x, x, {.causal = true});
    }
    return output(x);  // logits of the next word
  }
  void fields(auto&& f) {
    f("words", words), f("positions", positions), f("layers", layers), f("output", output);
  }
  Embedding words, positions;
  Linear output;
  std::vector<MultiHeadAttention> layers;
};
// [copier]

// [trained]
Copier trained(int layers, int heads, std::uint64_t seed) {
  KeySequence keys(seed);
  Copier model(layers, heads, keys);
  learn(model, 300, [&](int step) {
    const Rounds some(32, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(some.tokens), some.targets);
  });
  return model;
}
// [trained]

double right(const Copier& model, const Rounds& test) {
  return course::accuracy(model(test.tokens), test.targets);
}

// [without]
/// What `measure` says without some heads: their rows of W_o are 0 for as long as that takes.
double without(Copier& model, int layer, const std::vector<Index>& heads, const auto& measure) {
  Tensor& w = model.layers[layer].output.weight;  // [H D, C], 8 rows for each head
  const std::vector<Scalar> kept(w.begin(), w.end());
  for (const Index head : heads) std::fill_n(w.mutable_data() + head * 8 * 32, 8 * 32, Scalar(0));
  const double result = measure();
  std::copy(kept.begin(), kept.end(), w.mutable_data());
  return result;
}
// [without]

/// The largest mean weight that a head of layer 2 puts on repeated words.
double repeated(const Copier& model, const Rounds& test) {
  std::vector<Tensor> weights;
  model(test.tokens, &weights);
  double best = 0;
  for (Index h = 0; h < 4; ++h) best = std::max(best, habits(weights[1], h, test).second);
  return best;
}

void copying() {
  const Rounds test(200, {.seed = 1000});
  std::vector<std::vector<double>> rows, kinds;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Copier one = trained(1, 8, seed);
    Copier two = trained(2, 4, seed);
    const NoGrad no_grad;
    std::vector<Tensor> weights;
    two(test.tokens, &weights);
    const auto share = [&] { return right(two, test); };
    const auto best_repeat = [&] { return repeated(two, test); };
    // [copying]
    HeadTable table;                   // of each head, four in each layer
    std::vector<Index> with_habit[2];  // heads of layer 1 and 2 with more than half of their weight
    for (const int layer : {0, 1}) {
      for (Index h = 0; h < 4; ++h) {
        const auto [previous, repeat] = habits(weights[layer], h, test);
        table.push_back({previous, repeat, without(two, layer, {h}, share)});
        if ((layer == 0 ? previous : repeat) > 0.5) with_habit[layer].push_back(h);
      }
    }
    rows.push_back(summary(table, right(one, test), right(two, test)));
    kinds.push_back({without(two, 0, with_habit[0], share),
                     without(two, 0, with_habit[0], best_repeat),
                     without(two, 1, with_habit[1], share)});
    // [copying]
    if (seed > 1) continue;
    print_heads(table);
    std::vector<Tensor> ours;
    two(indices({{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}}), &ours);
    draw_heads({ours[0], ours[1]});
  }
  print_seeds(rows);
  print_kinds(rows, kinds);
}

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    const Part part("long");
    print_title();
    questions(1, 4000);
    return 0;
  }
  Tensor one, two;
  {
    const Part part("questions");
    print_title();
    one = questions(1, 400), two = questions(2, 400);
  }
  print_verb(one, two);
  shapes();
  copying();
}
