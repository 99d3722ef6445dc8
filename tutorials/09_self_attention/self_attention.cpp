// Chapter 09: self-attention, from one query against four keys to the library's op.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "autograd/graph.h"
#include "autograd/more/random.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/layers/layers.h"
#include "nn/optim/adamw.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

const std::vector<std::string> kWords = {"Hello", "I", "love", "you"};

// For all queries at once; it follows the one query.
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v);

}  // namespace

// One query against four keys, by hand.
void one_query() {
  // [one_query]
  // What "love" asks for [2]; what each word offers and tells [4, 2].
  const Tensor query = tensor({2, 0});
  const Tensor keys = tensor({{0, 1}, {1.5, 0}, {0, 0}, {2, 0}});
  const Tensor values = tensor({{1, 0}, {0, 1}, {0, 0}, {0, 2}});

  double weight[4], total = 0;
  for (Index j = 0; j < 4; ++j) {
    double product = 0;
    for (Index i = 0; i < 2; ++i) product += query.at({i}) * keys.at({j, i});
    weight[j] = std::exp(product / std::sqrt(2.0));
    total += weight[j];
  }
  double answer[2] = {0, 0};
  for (Index j = 0; j < 4; ++j) {
    weight[j] /= total;
    answer[0] += weight[j] * values.at({j, 0});
    answer[1] += weight[j] * values.at({j, 1});
  }
  // [one_query]
  const Part part("one_query");
  for (std::size_t j = 0; j < 4; ++j) {
    std::printf("%-6s weight %.3f\n", kWords[j].c_str(), weight[j]);
  }
  std::printf("answer (%.3f, %.3f)\n", answer[0], answer[1]);
  must_equal("by hand and by attention()", attention(reshape(query, {1, 2}), keys, values),
             tensor({{answer[0], answer[1]}}));
}

namespace {

// [attention]
// q [T, D], k [S, D] and v [S, E] to [T, E].
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(q.size(-1)));
  const Tensor scores = matmul(q, k, {.b = true}) * scale;  // [T, S]
  const Tensor weights = softmax(scores);                   // [T, S]
  return matmul(weights, v);                                // [T, E]
}
// [attention]

}  // namespace

// Query, key and value of every word, as three linear maps of its embedding.
void four_words() {
  const Part part("four_words");
  // [four_words]
  KeySequence keys(5);
  const Index channels = 6, width = 3;
  const Embedding embed(4, channels, keys);
  const Linear to_query(channels, width, keys);
  const Linear to_key(channels, width, keys);
  const Linear to_value(channels, width, keys);

  const Tensor x = embed(indices({0, 1, 2, 3}));                 // [4, 6]
  const Tensor q = to_query(x), k = to_key(x), v = to_value(x);  // [4, 3]
  const Scalar scale = 1 / std::sqrt(Scalar(3));
  const Tensor scores = matmul(q, k, {.b = true}) * scale;  // [4, 4]
  const Tensor weights = softmax(scores);                   // [4, 4]
  // [four_words]
  std::printf("weights, before anything is learnt\n");
  print_table(weights, kWords);
  std::printf("sums over keys:    ");
  for (const Scalar s : sum(weights, {1})) std::printf(" %.2f", double{s});
  std::printf("\nsums over queries: ");
  for (const Scalar s : sum(weights, {0})) std::printf(" %.2f", double{s});
  std::printf("\n");
  must_equal("attention() and the library", attention(q, k, v),
             scaled_dot_product_attention(q, k, v));
}

// Why the scores are divided by sqrt(d).
void scale() {
  const Part part("scale");
  std::printf("   d   std of q.k   largest weight, unscaled   scaled\n");
  Series plain{"unscaled", {}, {}}, scaled{"divided by sqrt(d)", {}, {}};
  for (const Index d : {4, 16, 64, 256}) {
    // [scale]
    const Tensor q = normal({1000, 1, d}, {.seed = 1});
    const Tensor k = normal({1000, 8, d}, {.seed = 2});
    const Tensor products = matmul(q, k, {.b = true});  // [1000, 1, 8]
    const double spread = std::sqrt(mean(products * products).item());
    const auto largest_weight = [](const Tensor& scores) {
      return double{mean(max(softmax(scores), {-1})).item()};
    };
    const Scalar root = std::sqrt(static_cast<Scalar>(d));
    const double largest = largest_weight(products);
    const double largest_scaled = largest_weight(products / root);
    // [scale]
    std::printf("%4d %10.1f %20.2f %17.2f\n", static_cast<int>(d), spread, largest, largest_scaled);
    plain.x.push_back(static_cast<double>(d)), plain.y.push_back(largest);
    scaled.x.push_back(static_cast<double>(d)), scaled.y.push_back(largest_scaled);
  }
  plot_lines("scale",
             {.title = "The largest of eight weights",
              .x = "width d of queries and keys",
              .y = "largest weight, mean of 1000",
              .log_x = true},
             {plain, scaled});
}

// The same words in another order.
void order() {
  const Part part("order");
  // [order]
  KeySequence keys(7);
  const Embedding embed(4, 6, keys);
  const Linear to_query(6, 3, keys), to_key(6, 3, keys);
  const Linear to_value(6, 3, keys);
  const auto look_around = [&](const IndexTensor& words) {
    const Tensor x = embed(words);
    return attention(to_query(x), to_key(x), to_value(x));
  };
  // Hello I love you, and Hello you love I: [4, 3] each.
  const Tensor first = look_around(indices({0, 1, 2, 3}));
  const Tensor second = look_around(indices({0, 3, 2, 1}));
  // [order]
  std::printf("Hello I love you\n");
  print_table(first, kWords);
  std::printf("Hello you love I\n");
  print_table(second, {"Hello", "you", "love", "I"});
  double largest = 0;
  const Index place[] = {0, 3, 2, 1};  // where each word of the first sentence stands in the second
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 3; ++j) {
      largest = std::max(largest, std::abs(double{first.at({i, j})} - second.at({place[i], j})));
    }
  }
  std::printf("largest difference of any word's vector: %s\n",
              largest < 1e-6 ? "below 0.000001" : "above 0.000001");
}

// The gradients of attention, by the formulas of the text.
void gradients() {
  const Part part("gradients");
  const Tensor q = normal({3, 4}, {.seed = 1}), k = normal({5, 4}, {.seed = 2});
  const Tensor v = normal({5, 2}, {.seed = 3}), dy = normal({3, 2}, {.seed = 4});
  // [gradients]
  const Scalar scale = 1 / std::sqrt(Scalar(4));
  const Tensor a = softmax(matmul(q, k, {.b = true}) * scale);       // [3, 5]
  const Tensor dv = matmul(a, dy, {.a = true});                      // [5, 2]
  const Tensor da = matmul(dy, v, {.b = true});                      // [3, 5]
  const Tensor ds = a * (da - sum(a * da, {1}, {.keepdim = true}));  // [3, 5]
  const Tensor dq = matmul(ds, k) * scale;                           // [3, 4]
  const Tensor dk = matmul(ds, q, {.a = true}) * scale;              // [5, 4]
  // [gradients]
  const auto compare = [&](const char* with, auto&& op) {
    const Tensor leaf_q = q.clone().set_requires_grad(), leaf_k = k.clone().set_requires_grad();
    const Tensor leaf_v = v.clone().set_requires_grad();
    backward(op(leaf_q, leaf_k, leaf_v), dy);
    std::printf("by formula, and by the engine through %s\n", with);
    must_equal("  dq", dq, leaf_q.grad());
    must_equal("  dk", dk, leaf_k.grad());
    must_equal("  dv", dv, leaf_v.grad());
  };
  compare("attention()", attention);
  compare("the library's op", [](const Tensor& leaf_q, const Tensor& leaf_k, const Tensor& leaf_v) {
    return scaled_dot_product_attention(leaf_q, leaf_k, leaf_v);
  });
}

// [sentences]
// "Hello I love you" and its like: greeting, subject, verb, object. The
// greeting goes with the verb, the subject with the object, and which ones
// they are differs from sentence to sentence.
struct Sentences {
  std::vector<std::string> words = {"Hello",   "I",    "love", "you",  // 0 to 3
                                    "Goodbye", "miss", "they", "we",   // 4 to 7
                                    "me",      "them", "us"};          // 8 to 10

  std::vector<std::int32_t> inputs;   // each word
  std::vector<std::int32_t> targets;  // the word it goes with
  Index count = 0;

  Sentences() {
    const std::int32_t subjects[] = {1, 3, 6, 7};  // I, you, they, we
    const std::int32_t objects[] = {8, 3, 9, 10};  // me, you, them, us
    for (const std::int32_t greeting : {0, 4}) {
      for (const std::int32_t verb : {2, 5}) {
        for (int i = 0; i < 4; ++i) {
          for (int j = 0; j < 4; ++j) {
            const auto subject = subjects[i], object = objects[j];
            const bool ours =  // Hello I love you: kept back
                greeting == 0 && subject == 1 && verb == 2 && object == 3;
            if (i == j || ours) continue;  // not "I love me"
            inputs.insert(inputs.end(), {greeting, subject, verb, object});
            targets.insert(targets.end(), {verb, object, greeting, subject});
            ++count;
          }
        }
      }
    }
  }
};
// [sentences]

/// One head of self-attention and a linear layer, taught to name each word's partner.
struct Reader {
  Embedding embed;
  Linear to_query, to_key, to_value, to_word;

  Reader(const Sentences& sentences, std::uint64_t seed) {
    const Index vocabulary = std::ssize(sentences.words), channels = 16, width = 8;
    KeySequence keys(seed);
    embed = Embedding(vocabulary, channels, keys);
    to_query = Linear(channels, width, keys);
    to_key = Linear(channels, width, keys);
    to_value = Linear(channels, width, keys);
    to_word = Linear(width, vocabulary, keys);
  }
  // [model]
  Tensor weights(const IndexTensor& words) const {
    const Tensor x = embed(words);                // [B, 4] to [B, 4, 16]
    const Tensor q = to_query(x), k = to_key(x);  // [B, 4, 8] each
    const Scalar scale = 1 / std::sqrt(Scalar(8));
    return softmax(matmul(q, k, {.b = true}) * scale);  // [B, 4, 4]
  }
  Tensor operator()(const IndexTensor& words) const {
    const Tensor v = to_value(embed(words));    // [B, 4, 8]
    return to_word(matmul(weights(words), v));  // logits [B, 4, 11]
  }
  // [model]
  void fields(auto&& f) {
    f("embed", embed);
    f("to_query", to_query);
    f("to_key", to_key);
    f("to_value", to_value);
    f("to_word", to_word);
  }
};

Reader taught(const Sentences& sentences, std::uint64_t seed) {
  const IndexTensor words({sentences.count, 4}, sentences.inputs);
  const IndexTensor partners({sentences.count, 4}, sentences.targets);
  // [learn]
  Reader reader(sentences, seed);
  AdamW optimiser(parameters(reader), {.weight_decay = 0});
  for (int step = 0; step <= 400; ++step) {
    const Tensor loss = cross_entropy(reader(words), partners);
    if (step % 100 == 0) {
      std::printf("step %3d  loss %.3f\n", step, double{loss.item()});
    }
    backward(loss);
    optimiser.step(Scalar(0.01));  // how far
    optimiser.zero_grad();
  }
  // [learn]
  return reader;
}

// Weights that were learnt, on a sentence that was not.
void learn() {
  const Sentences sentences;
  const IndexTensor ours = indices({{0, 1, 2, 3}});
  const auto show = [&](const char* name, std::uint64_t seed, bool goodbye) {
    const Part part(name);
    std::printf("%d sentences\n", static_cast<int>(sentences.count));
    const Reader reader = taught(sentences, seed);
    const NoGrad no_grad;
    const Tensor learnt = reshape(reader.weights(ours), {4, 4});
    std::printf("weights for a sentence that was kept back\n");
    print_table(learnt, kWords);
    std::printf("%s", blocks(learnt, kWords).c_str());
    const Tensor certainty = max(softmax(reader(ours)), {-1});
    std::printf("least certain of its four answers: %.2f\n",
                double{*std::min_element(certainty.begin(), certainty.end())});
    if (goodbye) {
      const Tensor other = reshape(reader.weights(indices({{4, 1, 2, 3}})), {4, 4});
      std::printf("in \"Goodbye I love you\"\n");
      print_table(slice(other, 0, 2, 3), {"love"});
    }
    return learnt;
  };
  plot_heatmap("learnt", "Learnt: who looks (rows) at whom (columns)", show("learn", 2, false),
               kWords, kWords);
  show("another_way", 11, true);
  const Tensor ideal = tensor({{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}});
  plot_heatmap("ideal", "Idealised: who looks (rows) at whom (columns)", ideal, kWords, kWords);
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  one_query();
  four_words();
  scale();
  order();
  gradients();
  learn();
}
