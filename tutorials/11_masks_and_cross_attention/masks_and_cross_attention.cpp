// Chapter 11: masks, and attention from one sequence to another.
#include "pocket/attention.h"
#include "rows.h"

// [padded]
void padded() {
  KeySequence keys(1);
  const Embedding embed(7, 12, keys);
  const MultiHeadAttention attention(12, 3, keys, {});
  const IndexTensor alone = indices({{5, 6}});                      // Good night
  const IndexTensor batch = indices({{1, 2, 3, 4}, {5, 6, 0, 0}});  // and in a batch, padded
  const Tensor x = embed(alone), xs = embed(batch);                 // [1, 2, 12], [2, 4, 12]
  const Tensor hidden = attention(xs, xs, {.mask = padding_mask(batch, kPadding)});
  print_four("Good, alone", attention(x, x));
  print_four("Good, with two paddings", slice(attention(xs, xs), 0, 1));
  print_four("Good, with paddings hidden", slice(hidden, 0, 1));
}
// [padded]

// [before_or_after]
void before_or_after() {
  const auto after = [](const Tensor& scores) {  // wrong
    return softmax(scores) * tensor({{1, 1, 1, 0}});
  };
  const auto before = [](const Tensor& scores) {
    return softmax(scores + hide(indices({{1, 1, 1, 0}})));
  };
  print_row("no mask", softmax(tensor({{2, 1, 0, 3}})));
  print_row("0 after the softmax", after(tensor({{2, 1, 0, 3}})));
  print_row("the same, hidden score 5", after(tensor({{2, 1, 0, 5}})));
  print_row("-inf before the softmax", before(tensor({{2, 1, 0, 3}})));
  print_row("the same, hidden score 5", before(tensor({{2, 1, 0, 5}})));
  const Tensor rest = after(tensor({{2, 1, 0, 200}}));
  print_row("0 after, divided by the sum, 200", rest / sum(rest, -1));
  print_row("-inf before the softmax, 200", before(tensor({{2, 1, 0, 200}})));
}
// [before_or_after]

// [masks]
void masks() {
  const IndexTensor tokens = indices({{1, 2, 3, 4}, {5, 6, 0, 0}});
  const IndexTensor padding = padding_mask(tokens, kPadding);  // [2, 1, 1, 4]
  const Tensor q = normal({2, 1, 4, 3}, {.seed = 5}), k = normal({2, 1, 4, 3}, {.seed = 6});
  const Tensor causal = attention_weights(q, k, {.causal = true});
  const Tensor both = attention_weights(q, k, {.mask = padding, .causal = true});
  print_matrix("first row, causal mask", matrix(causal, 0), kGreeting, kGreeting);
  print_matrix("second row, both masks", matrix(both, 1), kNight, kNight);
}
// [masks]

// [no_key]
void no_key() {
  const Tensor scores = tensor({{2, 1, 0, 3}}), hidden = hide(indices({{0, 0, 0, 0}}));
  const auto by_the_formula = [](const Tensor& x) {
    const Tensor e = exp(x - largest(x));
    return e / sum(e, -1);
  };
  print_row("-inf, by the formula", by_the_formula(scores + hidden));
  print_row("-1e9 in place of -inf", by_the_formula(scores + full({1, 4}, Scalar(-1e9))));
  print_row("-inf, pocket's softmax", softmax(scores + hidden));
}
// [no_key]

// [next_layer]
void next_layer() {
  const Tensor weights = tensor({{0, 1}}), values = tensor({{NAN}, {5}});
  print_row("0 times nan plus 1 times 5", matmul(weights, values));
}
// [next_layer]

// [cross]
void cross() {
  KeySequence keys(9);
  const MultiHeadAttention attention(12, 3, keys, {});
  const Tensor target = normal({2, 5, 12}, {.seed = 10});
  const Tensor source = normal({2, 7, 12}, {.seed = 11});
  const Tensor q = split_heads(attention.query(target), 3);
  const auto [k, v] = attention.key_values(source);
  print_shape("q", q), print_shape("k", k), print_shape("v", v);
  print_shape("weights", attention_weights(q, k));
  print_shape("y", attention(target, source));
}
// [cross]

// [bit_for_bit]
void bit_for_bit() {
  KeySequence keys(2);
  const Embedding embed(7, 12, keys);
  const MultiHeadAttention attention(12, 3, keys, {});
  const Tensor x = embed(indices({{1, 2, 3, 4}}));  // Hello I love you
  const Tensor z = embed(indices({{1, 2, 3, 6}}));  // Hello I love night
  print_words(kGreeting);
  print_same("no mask", attention(x, x), attention(z, z));
  print_same("causal", attention(x, x, {.causal = true}), attention(z, z, {.causal = true}));
}
// [bit_for_bit]

// [dependence]
using Model = std::function<Tensor(const Tensor& x)>;  // [1, T, C] to [1, T, C]

/// Row i, column j: the length of the gradient of r . y_i with respect to x_j.
Tensor dependence(const Model& model, const Tensor& x, const Tensor& r) {
  std::vector<Tensor> rows;
  for (Index i = 0; i < x.size(1); ++i) {
    Tensor leaf = x.detach();
    leaf.set_requires_grad();
    backward(sum(slice(model(leaf), 1, i, i + 1) * r));
    rows.push_back(sqrt(sum(leaf.grad() * leaf.grad(), -1)));  // [1, T]
  }
  return concat(rows, 0);
}
// [dependence]

void causality() {
  // [causality]
  KeySequence keys(7);
  const MultiHeadAttention attention(12, 3, keys, {});
  const Tensor x = normal({1, 4, 12}, {.seed = 8}), r = normal({12}, {.seed = 9});
  const Model causal = [&](const Tensor& x) { return attention(x, x, {.causal = true}); };
  print_dependence("causality", dependence(causal, x, r));
  // [causality]
  // [blind_sum]
  const Model leaking = [&](const Tensor& x) { return softmax(attention(x, x)); };  // no mask
  const Tensor plain = dependence(leaking, x, ones({12})), random = dependence(leaking, x, r);
  print_blind("blind_sum", largest(plain), largest(random));
  // [blind_sum]
}

// [Reverser]
/// Reads letters, and writes them backwards. Each switch turns one of the masks on.
struct Reverser : ReverserParts {
  Reverser(bool causal, bool hide_padding, KeySequence& keys)
      : ReverserParts{causal, hide_padding} {
    letter = Embedding(14, 32, keys), position = Embedding(14, 32, keys);
    for (auto* attention : {&encoder, &decoder, &cross}) *attention = {32, 1, keys, {}};
    output = Linear(32, 14, keys);
  }
  Tensor embed(const IndexTensor& tokens) const {  // [B, T] to [B, T, C]
    return letter(tokens) + position(numbers(tokens.size(1)));
  }
  Tensor encode(const IndexTensor& source) const {
    const Tensor x = embed(source);
    return x + encoder(x, x, {.mask = mask(source)});
  }
  Tensor ask(const IndexTensor& target) const {  // the queries of cross-attention
    const Tensor y = embed(target);
    return y + decoder(y, y, {.causal = causal});
  }
  /// The logits of each next letter, [B, T, V]; h is encode(source).
  Tensor decode(const IndexTensor& target, const Tensor& h, const IndexTensor& source) const {
    const Tensor y = ask(target);
    return output(y + cross(y, h, {.mask = mask(source)}));
  }
};
// [Reverser]

// [train]
Reverser train_reverser(bool causal, bool hide_padding, std::uint64_t seed, double& last_loss) {
  KeySequence keys(seed);
  Reverser model(causal, hide_padding, keys);
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 20, .decay = 300};
  const auto losses = train(optimiser, {.steps = 300, .schedule = schedule}, [&](int step) {
    const Rows rows = draw_rows(16, {seed, static_cast<std::uint32_t>(step)});
    const Tensor h = model.encode(rows.source);
    return cross_entropy(model.decode(rows.target, h, rows.source), rows.next);
  });
  last_loss = std::accumulate(losses.end() - 50, losses.end(), 0.0) / 50;  // of the last 50
  return model;
}
// [train]

// [judge]
void reverse() {
  const auto judge = [](const char* name, bool causal, bool hide_padding) {
    Judged runs{name};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      double loss = 0;
      const Reverser model = train_reverser(causal, hide_padding, seed, loss);
      const Rows rows = draw_rows(100, {.seed = 1000}), more = draw_rows(100, {.seed = 1000}, 14);
      runs.losses.push_back(loss);
      runs.right.push_back(rows_right(model, rows));
      runs.with_more.push_back(rows_right(model, more));
      runs.on_the_letter.push_back(weight_on_the_letter(model, rows));
      runs.on_the_next.push_back(weight_on_the_next(model, rows));
      if (seed == 1 && causal && hide_padding) runs.full_stop = draw(model);
    }
    return runs;
  };
  print_judged(judge("all masks", true, true), judge("no causal mask", false, true),
               judge("no padding mask", true, false));
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  run("padded", padded), run("before_or_after", before_or_after), run("masks", masks);
  run("no_key", no_key), run("next_layer", next_layer), run("cross", cross);
  run("reverse", reverse);
  run("bit_for_bit", bit_for_bit), causality();
}
// [judge]
