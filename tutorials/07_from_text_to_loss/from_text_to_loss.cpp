// Chapter 07: from characters to a loss, and a bigram learnt twice: by counting and by gradients.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "autograd/graph.h"
#include "autograd/more/random.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/data/corpus.h"
#include "nn/text/char_tokenizer.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

// [characters]
using Tokens = std::vector<std::int32_t>;

// The different characters of a text, numbered in the order of their codes.
struct Characters {
  std::string all;  // character number i is all[i]

  explicit Characters(std::string_view text) {
    const std::set<char> different(text.begin(), text.end());
    all.assign(different.begin(), different.end());
  }
  Index count() const { return std::ssize(all); }  // V
  std::int32_t number_of(char c) const { return static_cast<std::int32_t>(all.find(c)); }
  char operator[](std::int32_t token) const { return all[static_cast<std::size_t>(token)]; }

  Tokens encode(std::string_view text) const {
    Tokens tokens;
    for (const char c : text) tokens.push_back(number_of(c));
    return tokens;
  }
  std::string decode(const Tokens& tokens) const {
    std::string text;
    for (const std::int32_t token : tokens) text += (*this)[token];
    return text;
  }
};
// [characters]

/// The text, its tokens and their split: what all parts of the program work on.
struct Book {
  std::string_view text = bundled_fables();
  Characters characters{text};
  Tokens train, held_out;  // the first nine tenths, and the rest

  Book() {
    const Tokens all = characters.encode(text);
    const auto cut = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 9 / 10);
    train.assign(all.begin(), cut);
    held_out.assign(cut, all.end());
  }
};

// [count]
// How often each character (column) follows each (row).
Tensor count_pairs(const Tokens& tokens, Index v) {
  Tensor counts = zeros({v, v});
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    counts.mutable_data()[tokens[i - 1] * v + tokens[i]] += 1;
  }
  return counts;
}

// Each row divided by its sum: [V, V] to [V, V], and now each row sums to 1.
Tensor shares(const Tensor& counts) { return counts / sum(counts, {1}, {.keepdim = true}); }
// [count]

// [babble]
// Writes `length` characters: each is drawn from the row of the one before it.
std::string babble(const Tensor& p, const Characters& characters, Index length, RandomKey key) {
  std::string text;
  std::int32_t last = characters.number_of('\n');
  for (Index i = 0; i < length; ++i) {
    Scalar left = uniform_at(key, static_cast<std::uint64_t>(i));  // in [0, 1)
    std::int32_t next = 0;
    while (next + 1 < characters.count() && left >= p.at({last, next})) {
      left -= p.at({last, next++});
    }
    text += characters[next];
    last = next;
  }
  return text;
}
// [babble]

// [loss_of]
// The mean surprise, in nats, of a table [V, V] at a text.
double loss_of(const Tensor& p, const Tokens& tokens) {
  double total = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    total += -std::log(double{p.at({tokens[i - 1], tokens[i]})});
  }
  return total / static_cast<double>(tokens.size() - 1);
}
// [loss_of]

// [naive]
Tensor naive_softmax(const Tensor& x) { return exp(x) / sum(exp(x), {-1}, {.keepdim = true}); }
// [naive]

// [stable]
// x [..., V]: the largest number of each row is taken off first, so that no exponential is
// above 1.
Tensor stable_softmax(const Tensor& x) {
  const Tensor below = x - max(x, {-1}, {.keepdim = true});  // [..., V], 0 at the largest
  return exp(below) / sum(exp(below), {-1}, {.keepdim = true});
}

// Its logarithm, without ever having the share itself: x [..., V].
Tensor stable_log_softmax(const Tensor& x) {
  const Tensor below = x - max(x, {-1}, {.keepdim = true});
  return below - log(sum(exp(below), {-1}, {.keepdim = true}));
}
// [stable]

/// "space" for ' ', "line" for the end of a line, and all others as they are.
std::string name_of_character(char c) {
  return c == ' ' ? "space" : c == '\n' ? "line" : std::string(1, c);
}

/// Whole numbers as the page has them: 304,988.
std::string with_comma(Index n) {
  char text[32];
  std::snprintf(text, sizeof text, "%d,%03d", static_cast<int>(n / 1000),
                static_cast<int>(n % 1000));
  return n < 1000 ? std::to_string(n) : text;
}

}  // namespace

// Text to numbers and back.
void tokens(const Book& book) {
  const Part part("tokens");
  const Characters& characters = book.characters;
  std::printf("%s characters, V = %d different ones\n", with_comma(std::ssize(book.text)).c_str(),
              static_cast<int>(characters.count()));
  std::printf("\"The fox\" is");
  for (const std::int32_t token : characters.encode("The fox")) std::printf(" %d", token);
  std::printf("\nand back: \"%s\"\n", characters.decode(characters.encode("The fox")).c_str());
  const Tokens all = characters.encode(book.text);
  std::printf("the whole book there and back: %s\n",
              characters.decode(all) == book.text ? "equal" : "NOT EQUAL");
  const bool same = CharTokenizer::learn(book.text).encode(book.text) == all;
  std::printf("built here and the library's: %s\n", same ? "equal" : "NOT EQUAL");
  if (!same) std::exit(1);
  std::printf("to learn from %s, kept back %s\n", with_comma(std::ssize(book.train)).c_str(),
              with_comma(std::ssize(book.held_out)).c_str());
}

// How often each character follows each.
Tensor counts(const Book& book) {
  const Part part("counts");
  const Characters& characters = book.characters;
  // [pairs]
  const Tensor counts = count_pairs(book.train, characters.count());  // [61, 61]
  const Tensor p = shares(counts);                                    // [61, 61]
  // [pairs]
  for (const char c : {'q', 't', '.', 'z'}) {
    const Scalar* row = counts.data() + characters.number_of(c) * characters.count();
    Tokens order;
    for (std::int32_t i = 0; i < characters.count(); ++i) order.push_back(i);
    std::ranges::sort(order, [&](auto a, auto b) { return row[a] > row[b]; });
    std::printf("after '%c': ", c);
    for (std::size_t i = 0; i < 4 && row[order[i]] > 0; ++i) {
      std::printf("  %s %d (%.2f)", name_of_character(characters[order[i]]).c_str(),
                  static_cast<int>(row[order[i]]),
                  double{p.at({characters.number_of(c), order[i]})});
    }
    std::printf("\n");
  }
  Index seen = 0;
  for (const Scalar n : counts) seen += n > 0;
  std::printf("of %s pairs that there could be, %d occur\n", with_comma(counts.size()).c_str(),
              static_cast<int>(seen));
  const std::string shown = " .abcdefghijklmnopqrstuvwxyz";
  std::vector<std::string> names, above;
  Tensor square({std::ssize(shown), std::ssize(shown)});
  Scalar* to = square.mutable_data();
  for (const char row : shown) {
    names.push_back(name_of_character(row));
    above.push_back(row == ' ' ? "sp" : names.back());
    for (const char column : shown) {
      *to++ = p.at({characters.number_of(row), characters.number_of(column)});
    }
  }
  plot_heatmap("bigram", "What (column) comes after what (row)", square, names, above);
  return counts;
}

// What the table writes, beside what no table writes.
void first_words(const Book& book, const Tensor& p) {
  const Part part("first_words");
  const Index v = book.characters.count();
  const Tensor uniform = full({v, v}, 1 / static_cast<Scalar>(v));
  std::printf("all characters alike:\n%s\n\n",
              wrapped(babble(uniform, book.characters, 60, {.seed = 1})).c_str());
  std::printf("by the table:\n%s\n", wrapped(babble(p, book.characters, 240, {.seed = 1})).c_str());
}

// The probability of a text, and why one adds logarithms.
void likelihood(const Book& book, const Tensor& p) {
  const Part part("likelihood");
  // [likelihood]
  const Tokens tokens = book.characters.encode("\nThe fox said");
  Scalar product = 1;
  double surprise = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const Scalar probability = p.at({tokens[i - 1], tokens[i]});
    product *= probability;
    surprise += -std::log(double{probability});
  }
  // [likelihood]
  Series each{"surprise in nats, each character after the one before it", {}, {}};
  std::vector<std::string> names;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const double probability = p.at({tokens[i - 1], tokens[i]});
    each.y.push_back(-std::log(probability));
    names.push_back(name_of_character(book.characters[tokens[i]]));
    std::printf("%-5s  probability %.4f  surprise %.2f\n", names.back().c_str(), probability,
                each.y.back());
  }
  std::printf("product %.3g, and e to the power of minus the sum of surprises %.3g\n",
              double{product}, std::exp(-surprise));
  std::printf("mean surprise %.3f\n", surprise / static_cast<double>(tokens.size() - 1));
  Scalar whole = 1;
  std::size_t length = 1;
  while (whole > 0) {
    whole *= p.at({book.train[length - 1], book.train[length]});
    ++length;
  }
  std::printf("the product over the book is 0 as a float after %d characters\n",
              static_cast<int>(length));
  plot_bars("surprise",
            {.title = "How surprised the table is at \"The fox said\"", .x = "", .y = "-ln p"},
            names, {each});
}

// What the loss is before anything is learnt.
void at_the_start(const Book& book) {
  const Part part("start");
  std::printf("      V     ln V   untrained\n");
  for (const Index v : {Index{2}, book.characters.count(), Index{65}, Index{50257}}) {
    // [start]
    const Index examples = 400;
    IndexTensor targets({examples});
    for (Index i = 0; i < examples; ++i) {
      targets.mutable_data()[i] = static_cast<std::int32_t>(uniform_index({.seed = 1}, i, v));
    }
    const Tensor logits = normal({examples, v}, {.seed = 2}, 0, Scalar(0.02));
    const double loss = cross_entropy(logits, targets).item();
    // [start]
    std::printf("%7d %8.3f %11.3f\n", static_cast<int>(v), std::log(static_cast<double>(v)), loss);
  }
}

// What too much certainty costs at the start.
void too_sure(const Book& book) {
  const Part part("too_sure");
  const Index v = book.characters.count(), examples = 2000;
  IndexTensor targets({examples}, std::span(book.train).first(static_cast<std::size_t>(examples)));
  std::printf("spread of the logits   loss at the start\n");
  for (const double spread : {0.0, 0.02, 0.5, 1.0, 3.0, 10.0}) {
    const Tensor logits = normal({examples, v}, {.seed = 3}, 0, static_cast<Scalar>(spread));
    std::printf("%20.2f %19.3f\n", spread, double{cross_entropy(logits, targets).item()});
  }
}

// Softmax of large numbers.
void large_logits() {
  const Part part("stable");
  // [large]
  const Tensor x = tensor({{1e4, 0, -1e4}});
  const Tensor naive = naive_softmax(x);
  const Tensor stable = stable_softmax(x);
  const Tensor log_of_stable = log(stable);
  const Tensor logarithm = stable_log_softmax(x);
  // [large]
  const auto show = [](const char* name, const Tensor& row) {
    std::printf("%-24s", name);
    for (const Scalar number : row) {
      if (std::isnan(number)) {  // whose sign differs between machines
        std::printf("%10s", "nan");
      } else {
        std::printf("%10.1f", double{number});
      }
    }
    std::printf("\n");
  };
  show("logits", x);
  show("naive softmax", naive);
  show("stable softmax", stable);
  show("logarithm of the stable", log_of_stable);
  show("stable log-softmax", logarithm);
  const Tensor usual = normal({4, 7}, {.seed = 4}, 0, 3);
  must_equal("naive and stable softmax of small numbers", naive_softmax(usual),
             stable_softmax(usual));
  must_equal("stable softmax and the library's", stable_softmax(usual), softmax(usual));
  must_equal("stable log-softmax and the library's, at 10000", logarithm, log_softmax(x));
}

// The gradient of the loss by the logits.
void gradient(const Book& book) {
  const Part part("gradient");
  // [one_gradient]
  Tensor logits = tensor({{2, 0, -1}}).set_requires_grad();  // [1, 3]
  const Tensor p = softmax(logits.detach());                 // what the model says
  const Tensor y = tensor({{0, 0, 1}});                      // what came: the third
  backward(cross_entropy(logits, indices({2})));
  // [one_gradient]
  print_table(concat({p, y, p - y, logits.grad()}, 0),
              {"p       ", "y       ", "p - y   ", "engine  "});

  const Index n = 50, v = book.characters.count();
  const IndexTensor targets({n}, std::span(book.train).first(static_cast<std::size_t>(n)));
  Tensor many = normal({n, v}, {.seed = 5}).set_requires_grad();
  // [many_gradients]
  const Tensor mean_loss = -mean(gather(log_softmax(many), 1, targets.reshape({n, 1})));
  backward(mean_loss);
  Tensor by_formula = softmax(many.detach());  // [N, V]
  for (Index i = 0; i < n; ++i) {
    by_formula.mutable_data()[i * v + targets.data()[i]] -= 1;  // minus y
  }
  by_formula = by_formula / static_cast<Scalar>(n);
  // [many_gradients]
  must_equal("(p - y) / N and the engine's", by_formula, many.grad());
  must_equal("the loss and the library's", mean_loss.detach(),
             cross_entropy(many.detach(), targets));
  double largest = 0;
  for (const Scalar s : sum(by_formula, {1})) largest = std::max(largest, std::abs(double{s}));
  std::printf("largest sum of a row of the gradient: %s\n",
              largest < 1e-6 ? "0 (below 0.000001)" : "not 0");
}

// The same table by gradient descent.
void learn(const Book& book, const Tensor& counts) {
  const Part part("learn");
  const double best = loss_of(shares(counts), book.train);
  std::printf("by counting: %.4f\n", best);
  const Index v = book.characters.count();
  Series above{"loss of the learnt table, less the loss of the counted one", {}, {}};
  // [learn]
  const Tensor share = counts / sum(counts);         // of all pairs, [61, 61]: sums to 1
  Tensor table = zeros({v, v}).set_requires_grad();  // logits, a row for each character
  for (int step = 0; step <= 3000; ++step) {
    const Tensor loss = -sum(share * log_softmax(table));
    backward(loss);
    // [learn]
    if (step == 0 || step == 10 || step == 100 || step == 1000 || step == 3000) {
      std::string text = babble(softmax(table.detach()), book.characters, 44, {.seed = 2});
      std::ranges::replace(text, '\n', '/');
      std::printf("step %4d  loss %.4f  %s\n", step, double{loss.item()}, text.c_str());
    }
    if (step == 1 || step == 3000 || (step > 0 && (step & (step - 1)) == 0)) {
      above.x.push_back(step), above.y.push_back(double{loss.item()} - best);
    }
    if (step == 3000) break;
    // [descend]
    table = (table - 15 * table.grad()).detach().set_requires_grad();
  }
  // [descend]
  const Tensor p = softmax(table.detach()), counted = shares(counts);
  double largest = 0;
  for (Index i = 0; i < v; ++i) {
    if (sum(slice(counts, 0, i, i + 1)).item() < 1000) continue;
    for (Index j = 0; j < v; ++j) {
      largest = std::max(largest, std::abs(double{p.at({i, j})} - counted.at({i, j})));
    }
  }
  std::printf("after frequent characters, probabilities differ by at most %.3f\n", largest);
  const Index n = std::ssize(book.train) - 1;
  const IndexTensor inputs({n}, std::span(book.train).first(static_cast<std::size_t>(n)));
  const IndexTensor next({n}, std::span(book.train).last(static_cast<std::size_t>(n)));
  // [all_pairs]
  const Tensor logits = embedding(inputs, table.detach());  // [N, 61]
  const Tensor loss = cross_entropy(logits, next);          // over all N pairs
  // [all_pairs]
  must_equal("the loss by shares, and pair by pair", -sum(share * log_softmax(table.detach())),
             loss, 1e-4);
  plot_lines("learning",
             {.title = "How far the learnt table is from the counted one",
              .x = "step",
              .y = "nats",
              .log_x = true,
              .log_y = true},
             {above});
}

namespace {

// [after]
// How often each character follows each `length` others: [V^length, V].
Tensor count_after(const Tokens& tokens, Index v, std::size_t length) {
  Index rows = 1;
  for (std::size_t k = 0; k < length; ++k) rows *= v;
  Tensor counts = zeros({rows, v});
  for (std::size_t i = length; i < tokens.size(); ++i) {
    Index row = 0;
    for (std::size_t k = length; k > 0; --k) row = row * v + tokens[i - k];
    counts.mutable_data()[row * v + tokens[i]] += 1;
  }
  return counts;
}
// [after]

/// The mean surprise, each token counting as often as `seen` says it follows its context.
double loss_where(const Tensor& seen, const Tensor& p) {
  double total = 0, n = 0;
  for (Index i = 0; i < seen.size(); ++i) {
    if (seen.data()[i] > 0) {
      const double probability = p.data()[i];  // 0 / 0 where the context itself was never seen
      total += seen.data()[i] * (probability > 0 ? -std::log(probability) : HUGE_VAL);
      n += seen.data()[i];
    }
  }
  return total / n;
}

}  // namespace

// The loss said in other words, and on text that was not counted.
void perplexity(const Book& book, const Tensor& counts) {
  const Part part("perplexity");
  const Index v = book.characters.count();
  must_equal("count_after() of one character and count_pairs()", count_after(book.train, v, 1),
             counts);
  std::printf("characters known      loss  perplexity  bits   held out  held out, 1 added\n");
  const char* names[] = {"none", "the last one", "the last two"};
  for (std::size_t length = 0; length < 3; ++length) {
    const Tensor seen = count_after(book.train, v, length);
    const Tensor unseen = count_after(book.held_out, v, length);
    // [added]
    const Tensor p = shares(seen);
    const Tensor with_one_added = shares(seen + 1);
    // [added]
    const double loss = loss_where(seen, p);
    std::printf("%-16s %9.3f %11.2f %5.2f %10.3f %18.3f\n", names[length], loss, std::exp(loss),
                loss / std::log(2.0), loss_where(unseen, p), loss_where(unseen, with_one_added));
  }
  const Tensor p = shares(counts);
  std::printf("kept back, and never seen in what was counted:");
  std::set<std::string> never;
  for (std::size_t i = 1; i < book.held_out.size(); ++i) {
    if (p.at({book.held_out[i - 1], book.held_out[i]}) == 0) {
      never.insert({book.characters[book.held_out[i - 1]], book.characters[book.held_out[i]]});
    }
  }
  for (const std::string& pair : never) std::printf(" %s", pair.c_str());
  std::printf("\n");
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  const Book book;
  tokens(book);
  const Tensor table = counts(book);
  first_words(book, shares(table));
  likelihood(book, shares(table));
  at_the_start(book);
  too_sure(book);
  large_logits();
  gradient(book);
  learn(book, table);
  perplexity(book, table);
}
