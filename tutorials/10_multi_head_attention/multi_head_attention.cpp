// Chapter 10: many heads, and their tasks.
#include <cstring>

#include "pocket/attention.h"
#include "tutorials/10_multi_head_attention/copier.h"
#include "tutorials/10_multi_head_attention/figures.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using namespace pocket;

// [verb]
struct Verb {
  Verb(int heads, KeySequence& keys)
      : words(25, 16, keys), positions(3, 16, keys), attention(16, heads, keys, {}) {
    who = Linear(16, 24, keys), whom = Linear(16, 24, keys);
  }
  Tensor operator()(const IndexTensor& sentences) const {
    const Tensor x = words(sentences) + positions.weight;  // [B, 3, 16]
    const Tensor verb = slice(x, 1, 1, 2);                 // [B, 1, 16]
    const Tensor y = attention(verb, x);  // queries from the verb, keys and values from all words
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

// [questions]
Answers questions(int heads, int steps) {
  Answers found{heads, steps};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    KeySequence keys(seed);
    Verb model(heads, keys);
    found.parameters = count(parameters(model.attention));
    learn(model, steps, [&](int step) {
      const Names some(32, {seed, static_cast<std::uint32_t>(step)});
      return cross_entropy(model(some.sentences), some.answers);
    });
    const NoGrad no_grad;
    const Names test(500, {.seed = 1000});
    const IndexTensor said = argmax(model(test.sentences), -1);
    double right[2] = {0, 0};
    for (Index i = 0; i < 1000; ++i) right[i % 2] += said.data()[i] == test.answers.data()[i];
    found.who.push_back(right[0] / 500), found.whom.push_back(right[1] / 500);
    if (seed == 1) found.verb = verb_weights(model, test);
  }
  return found;
}
// [questions]

// [shapes]
void shapes() {
  const course::Part part("shapes");
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

// [copying]
void one_layer(int steps) {
  std::vector<std::vector<double>> rows;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Copier one = trained(1, 8, seed, steps);
    const NoGrad no_grad;
    rows.push_back(rules(one, Broken(300, {.seed = 1000})));
    rows.back().push_back(right(one, Rounds(200, {.seed = 1000})));
  }
  print_one_layer(steps, rows);
}

void copying() {
  const Rounds test(200, {.seed = 1000});
  const Broken broken(300, {.seed = 1000});
  std::vector<std::vector<double>> rows, continued, kinds;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Copier one = trained(1, 8, seed);
    Copier two = trained(2, 4, seed);
    const NoGrad no_grad;
    const auto share = [&] { return right(two, test); };
    const auto best = [&] { return best_successor(two, test); };
    std::vector<Tensor> weights;
    two(test.tokens, &weights);
    HeadTable table;                   // of each head, four in each layer
    std::vector<Index> with_habit[2];  // heads of layer 1 and 2 with more than half of their weight
    for (const int layer : {0, 1}) {
      for (Index h = 0; h < 4; ++h) {
        const auto [previous, successor] = habits(weights[layer], h, test);
        table.push_back({previous, successor, without(two, layer, {h}, share)});
        if ((layer == 0 ? previous : successor) > 0.5) with_habit[layer].push_back(h);
      }
    }
    rows.push_back(summary(table, right(one, test), share()));
    continued.push_back(rules(one, broken)), continued.push_back(rules(two, broken));
    kinds.push_back({without(two, 0, with_habit[0], share), without(two, 0, with_habit[0], best),
                     without(two, 1, with_habit[1], share)});
    if (seed > 1) continue;
    print_heads(table);
    std::vector<Tensor> hello;  // the weights for "Hello I love you", three times
    two(indices({{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}}), &hello);
    draw_heads({hello[0], hello[1]});
  }
  print_seeds(rows);
  print_rules(continued);
  print_kinds(rows, kinds);
}

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    print_questions("long", {questions(1, 800), questions(1, 1600), questions(1, 4000)});
    one_layer(3000);
    return 0;
  }
  print_questions("questions", {questions(1, 400), questions(2, 400)});
  shapes();
  copying();
}
// [copying]
