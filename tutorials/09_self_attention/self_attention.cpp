// Chapter 09: self-attention, from one query against four keys to a causal head.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "pocket/attention.h"
#include "tutorials/09_self_attention/figures.h"
#include "tutorials/09_self_attention/reader.h"
#include "tutorials/common/part.h"
#include "tutorials/common/show.h"

using namespace pocket;
using course::Part;

// [one_query]
void one_query() {
  const double query[] = {2, 0};                                   // what "love" looks for
  const double keys[4][2] = {{0, 1}, {1, 0}, {1.8, 0}, {0.5, 1}};  // what each word offers
  const double values[4][2] = {{1, 0}, {0, 1}, {1, 1}, {0, 2}};    // what each word passes on
  double weights[4], total = 0, context[2] = {0, 0};
  for (int j = 0; j < 4; ++j) {
    double score = 0;
    for (int i = 0; i < 2; ++i) score += query[i] * keys[j][i];  // the dot product
    weights[j] = std::exp(score / std::sqrt(2));
    total += weights[j];
  }
  for (int j = 0; j < 4; ++j) {
    weights[j] /= total;
    for (int i = 0; i < 2; ++i) context[i] += weights[j] * values[j][i];
    std::printf("%-6s weight %.3f\n", words_of(kOurs)[j].c_str(), weights[j]);
  }
  std::printf("context vector (%.3f, %.3f)\n", context[0], context[1]);
}
// [one_query]

void four_words() {
  // [four_words]
  KeySequence keys(5);
  const Embedding embedding(4, 6, keys);                               // 4 words, C = 6
  const Linear query(6, 3, keys), key(6, 3, keys), value(6, 3, keys);  // D = 3
  const Tensor x = embedding(indices({0, 1, 2, 3}));                   // [4, 6]
  const Tensor q = query(x), k = key(x), v = value(x);                 // [4, 3] each
  print_maps("four_words", kOurs, q, k, v, attention_weights(q, k));
  // [four_words]
  // [order]
  const auto contexts = [&](const IndexTensor& words) {
    const Tensor x = embedding(words);
    return scaled_dot_product_attention(query(x), key(x), value(x));
  };
  const IndexTensor order = indices({3, 2, 0, 1});
  // Looks up rows 3, 2, 0 and 1: the old vectors, in the new order.
  const Tensor before = pocket::embedding(order, contexts(indices({0, 1, 2, 3})));
  print_orders("order", "you love Hello I", contexts(order), before);
  // [order]
  const Part part("causal");
  // [causal]
  print_weights(kOurs, attention_weights(q, k, {.causal = true}));
  // [causal]
}

// [learned]
void learned() {
  const IndexTensor ours = indices({{0, 4, 8, 12}});
  int rows = 0, all_four = 0;
  double worst = 0;  // final loss
  for (const int seed : {7, 9, 1, 2, 3, 4, 5, 6, 8, 10}) {
    KeySequence keys(seed);
    Reader reader(16, keys);
    worst = std::max(worst, learn(reader, seed, 0.02));
    const Tensor weights = reader.weights(ours), y = reader.context(ours);
    const int expected = rows_as_expected(weights);
    rows += expected, all_four += expected == 4;
    if (seed != 7 && seed != 9) continue;
    print_learned(seed, weights, softmax(reader.itself(y)), softmax(reader.partner(y)));
    if (seed == 7) continue;
    const Part part("verbs");
    for (const int verb : {8, 9, 10, 11}) {
      const IndexTensor other = indices({{0, 4, Scalar(verb), 12}});
      print_verb(verb, reader.weights(other), softmax(reader.partner(reader.context(other))));
    }
  }
  const Part part("seeds");
  std::printf("two largest weights on word and partner, both 0.1 or more: %d of 40 rows\n", rows);
  std::printf("in all four rows: %d seed of 10\n", all_four);
  std::printf("the largest final loss: %.2f\n", worst);
}
// [learned]

// [gradients]
void gradients() {
  const Tensor q = normal({3, 4}, {.seed = 1}).set_requires_grad();
  const Tensor k = normal({5, 4}, {.seed = 2}).set_requires_grad();
  const Tensor v = normal({5, 2}, {.seed = 3}).set_requires_grad();
  const Tensor dy = normal({3, 2}, {.seed = 4});
  const Tensor a = attention_weights(q, k);                         // [3, 5]
  const Tensor dv = matmul(a, dy, {.a = true});                     // [5, 2]
  const Tensor da = matmul(dy, v, {.b = true});                     // [3, 5]
  const Tensor ds = a * (da - sum(a * da, -1, {.keepdim = true}));  // [3, 5]
  const Tensor dq = matmul(ds, k) / 2;                              // [3, 4]; sqrt(D) is 2
  const Tensor dk = matmul(ds, q, {.a = true}) / 2;                 // [5, 4]
  backward(scaled_dot_product_attention(q, k, v), dy);
  course::must_equal("dq by formula and by backward()", dq, q.grad());
  course::must_equal("dk", dk, k.grad());
  course::must_equal("dv", dv, v.grad());
}
// [gradients]

// [scale]
/// The largest weight in a row: the mean of 400 rows.
double largest_weight(const Reader& reader) {
  const NoGrad no_grad;
  const Tensor weights = reader.weights(Sentences(100, {1}).words);
  double sum = 0;
  for (Index i = 0; i < weights.size(); i += 4) {
    sum += *std::max_element(weights.data() + i, weights.data() + i + 4);
  }
  return sum / 400;
}

// `start` multiplies the query map before training.
void scale(const char* what, Index width, Scalar query_scale, Scalar start) {
  std::vector<double> losses;
  double before = 0, after = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    Reader reader(width, keys);
    reader.query_scale = query_scale;
    for (Tensor* map : {&reader.query.weight, &reader.query.bias}) {
      for (Index i = 0; i < map->size(); ++i) map->mutable_data()[i] *= start;
    }
    before += largest_weight(reader) / 5;
    losses.push_back(learn(reader, seed, 0.01));
    after += largest_weight(reader) / 5;
  }
  print_scale(what, width, before, after, losses);
}

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  run("one_query", one_query);
  four_words();
  learned();
  {
    const Part part("scale");
    print_losses_of_guesses();
    print_scale_title();
    for (const Index width : {16, 64}) {
      const Scalar root = std::sqrt(static_cast<Scalar>(width));
      scale("divided", width, 1, 1);
      scale("not divided", width, root, 1);  // the root cancels the division
    }
  }
  {
    const Part part("scale_start");
    print_scale_title();
    for (const Index width : {16, 64}) {
      const Scalar root = std::sqrt(static_cast<Scalar>(width));
      scale("divided, large start", width, 1, root);
      scale("not divided, small start", width, root, 1 / root);
    }
  }
  run("gradients", gradients);
}
// [scale]
