// Chapter 07: from characters to a loss; a model of one character, counted and learned.
#include <cmath>

#include "figures.h"
#include "pocket/text.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using namespace ladder;

// [first_words]
void first_words(const Tales& tales, const Tensor& p) {
  const auto by_table = [&](const IndexTensor& x) { return embedding(x, log(p)); };
  const auto by_dice = [&](const IndexTensor& x) { return zeros({1, x.size(1), p.size(1)}); };
  std::printf("all alike:%s\n", babble(by_dice, tales, 60, 1).c_str());
  std::printf("by counts:%s\n", babble(by_table, tales, 60, 1).c_str());
}
// [first_words]

// [tokens]
void tokens(const Tales& tales) {
  const CharTokenizer& characters = tales.characters;
  const Tokens fox = characters.encode("The fox");
  for (const std::int32_t token : fox) std::printf("%d ", token);
  std::printf("is \"%s\"; V = %d\n", characters.decode(fox).c_str(), int(characters.vocab_size()));
}
// [tokens]

// [count_pairs]
/// Counts how often each token (column) follows each token (row), plus `added`: [V, V].
Tensor count_pairs(const Tokens& tokens, Index vocab, Scalar added = 0) {
  Tensor counts = full({vocab, vocab}, added);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    counts.mutable_data()[tokens[i - 1] * vocab + tokens[i]] += 1;
  }
  return counts;
}

/// Divides each row by its sum: the probability of the column's token after the row's token.
Tensor shares(const Tensor& counts) { return counts / sum(counts, -1, {.keepdim = true}); }
// [count_pairs]

// [loss_of]
void likelihood(const Tales& tales, const Tensor& p) {
  float product = 1;
  int length = 0;
  for (; product > 0; ++length) {
    product *= p.data()[tales.train[length] * p.size(1) + tales.train[length + 1]];
  }
  std::printf("the product is 0 after %d characters\n", length);
}

/// The mean of -ln p over a text, for a table p [V, V].
double loss_of(const Tensor& p, const Tokens& tokens) {
  double total = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    total -= std::log(p.data()[tokens[i - 1] * p.size(1) + tokens[i]]);
  }
  return total / double(tokens.size() - 1);
}

void held_out(const Tales& tales, Index vocab) {
  for (const Scalar added : {0, 1}) {
    const Tensor p = shares(count_pairs(tales.train, vocab, added));
    std::printf("%g added: training text %.3f, held-out text %.3f\n", added,
                loss_of(p, tales.train), loss_of(p, tales.held_out));
  }
  const Tensor counts = sum(count_pairs(tales.train, vocab, 1), 0, {.keepdim = true});  // [1, V]
  const Tensor same = shares(counts) + zeros({vocab, vocab});  // the same row for each context
  std::printf("no context: held-out text %.3f\n", loss_of(same, tales.held_out));
}
// [loss_of]

// [large]
void large() {
  const Tensor x = tensor({{100, 0, -100}});
  const Tensor naive = exp(x) / sum(exp(x), -1, {.keepdim = true});
  print_row("logits", x), print_row("naive softmax", naive), print_row("softmax", softmax(x));
  print_row("log of the softmax", log(softmax(x))), print_row("log_softmax", log_softmax(x));
}
// [large]

// [gradient]
void gradient() {
  Tensor x = tensor({{2, 0, -1}}).set_requires_grad();
  const Tensor p = softmax(x.detach());  // the prediction
  const Tensor y = tensor({{0, 0, 1}});  // the target: token 2
  const Tensor loss = cross_entropy(x, indices({2}));
  backward(loss);
  std::printf("loss %.3f\n", loss.item());
  course::print_table(p, {"p"}), course::print_table(y, {"y"});
  course::print_table(p - y, {"p - y"}), course::print_table(x.grad(), {"grad"});
}
// [gradient]

// [Table]
struct Table {
  explicit Table(Index vocab) : logits(zeros({vocab, vocab}).set_requires_grad()) {}
  Tensor operator()(const IndexTensor& tokens) const { return embedding(tokens, logits); }
  void fields(auto&& f) { f("logits", logits); }
  Tensor logits;
};
// [Table]

// [learn]
/// Trains a model from five seeds, with 800 batches each.
void learn(const Tales& tales, const char* name, double rate, const auto& make) {
  std::vector<double> untrained, after;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    KeySequence keys(seed);
    untrained.push_back(mean_loss(tales.held_out, kLength, make(keys)));
    after.push_back(trained(tales, make, seed, 800, rate).first);
  }
  print_losses(name, untrained, after);
}

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  const Tales tales;
  const Index vocab = tales.characters.vocab_size();
  const Tensor p = shares(count_pairs(tales.train, vocab));
  run("first_words", [&] { first_words(tales, p); });
  run("tokens", [&] { tokens(tales); });
  course::draw(p, tales.characters.vocabulary);
  run("likelihood", [&] { likelihood(tales, p); });
  run("held_out", [&] { held_out(tales, vocab); });
  run("large", large);
  run("gradient", gradient);
  run("table", [&] {
    std::printf("ln V = %.3f; %d rows of %d a step\n", std::log(vocab), int(kBatch), int(kLength));
    learn(tales, "the table", 5e-2, [&](KeySequence&) { return Table(vocab); });
  });
  run("learn", [&] {
    std::printf("%d channels\n", int(kChannels));
    learn(tales, "TokenAlone", 5e-3, [&](KeySequence& keys) { return TokenAlone(vocab, keys); });
  });
}
// [learn]
