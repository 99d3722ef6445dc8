#include "tutorials/common/check.h"

#include <map>

#include "tutorials/16_writing/exercises.h"

using gradus::green, gradus::red;

std::int32_t choose(const Shares& shares, double draw) {
  double rest = draw * std::accumulate(shares.begin(), shares.end(), 0.0);
  std::size_t last = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= 0) continue;
    last = i;
    if (rest < shares[i]) break;
    rest -= shares[i];
  }
  return static_cast<std::int32_t>(last);
}

namespace {

/// A model whose shares depend on the last three tokens that it has read.
struct Table : Reader {
  Table(std::uint64_t seed, Index vocab, double sharpness) : vocab(vocab) {
    for (Index at = 0; at < (vocab + 1) * (vocab + 1) * (vocab + 1); ++at) {
      Shares shares;
      double total = 0;
      for (Index v = 0; v < vocab; ++v) {
        const Index drawn = uniform_index({seed}, at * vocab + v, 1000);
        shares.push_back(std::exp(sharpness * double(drawn) / 1000)), total += shares.back();
      }
      for (double& share : shares) share /= total;
      rows.push_back(shares);
    }
  }
  const Shares& after(const Tokens& text) const {
    Index at = 0;
    for (Index i = 1; i <= 3; ++i) {
      at = at * (vocab + 1) + (i <= std::ssize(text) ? text[text.size() - std::size_t(i)] + 1 : 0);
    }
    return rows[std::size_t(at)];
  }
  std::vector<Shares> step(const Tokens& tokens) override {
    if (tokens.empty()) red("a model was asked to read nothing");
    ++steps;
    std::vector<Shares> all;
    for (const std::int32_t token : tokens) {
      if (token < 0 || token >= vocab) red("a model was given a token that is none");
      read.push_back(token), all.push_back(after(read));
    }
    return all;
  }
  void cut(Index length) override {
    if (length < 0 || length > std::ssize(read)) {
      red("cut(", length, ") of a model that has read ", read.size(), " tokens");
    }
    read.resize(static_cast<std::size_t>(length));
  }
  Index vocab;
  std::vector<Shares> rows = {};
  Tokens read = {};
  int steps = 0;
};

struct Draws {
  std::uint64_t seed;
  Index at = 0;
  Tensor drawn = {};
  double operator()() {  // a few thousand at a time
    if (at % 4096 == 0) drawn = uniform({4096}, {seed, std::uint32_t(at / 4096)});
    return double{drawn.data()[at++ % 4096]};
  }
};

/// The first three tokens of many texts, compared with the tokens that the large model alone would
/// write.
void hold(const std::string& what, Table large, Table small, Index ahead) {
  const Tokens prompt{1, 0, 2};
  const Index vocab = large.vocab;
  const int texts = 8000;
  std::map<Tokens, double> got;
  double steps = 0, tokens = 0, kept = 0;
  Draws draws{9};
  for (int i = 0; i < texts; ++i) {
    large.read = small.read = {}, large.steps = small.steps = 0;
    const Tokens text = speculate(large, small, prompt, 4, ahead, [&] { return draws(); });
    if (std::ssize(text) < 4 || std::ssize(text) > 4 + ahead) {
      red(what, ": got ", text.size(), " tokens, expected 4 or what a last round can add");
    }
    Tokens whole = prompt;
    whole.insert(whole.end(), text.begin(), text.end());
    for (const Table* each : {&large, &small}) {
      const char* name = each == &large ? "the large" : "the small";
      if (!std::equal(each->read.begin(), each->read.end(), whole.begin(),
                      whole.begin() + std::min(each->read.size(), whole.size()))) {
        red(what, ": ", name, " model has read what is not in the text");
      }
    }
    steps += large.steps, tokens += double(text.size());
    got[Tokens(text.begin(), text.begin() + 3)] += 1.0 / texts;
  }
  double worst = 0;
  std::string table;
  for (Index i = 0; i < vocab * vocab * vocab; ++i) {
    Tokens text = prompt, three;
    double share = 1;
    for (const Index next : {i / vocab / vocab, i / vocab % vocab, i % vocab}) {
      share *= large.after(text)[std::size_t(next)];
      text.push_back(std::int32_t(next)), three.push_back(std::int32_t(next));
    }
    if (std::abs(got[three] - share) < worst) continue;
    worst = std::abs(got[three] - share);
    table = gradus::detail::text("\n  tokens ", three[0], " ", three[1], " ", three[2], ": share ",
                                 got[three], ", expected ", share);
  }
  if (worst > 0.02) {
    red(what, ": the texts are not those of the large model alone", table,
        "\nlikely cause: the rule for a draft, the row that judges it, or a cache that is wrong");
  }
  // A round keeps the first draft with the probability that both share, and so on.
  kept = tokens / steps;
  Draws own{5};
  double expected = 0;
  for (int i = 0; i < 1000; ++i) {
    Tokens text = prompt;
    double share = 1;
    expected += 1.0 / 1000;
    for (Index k = 0; k < ahead; ++k) {
      const Shares p = large.after(text), q = small.after(text);
      double both = 0;
      Shares shared;
      for (std::size_t v = 0; v < p.size(); ++v) {
        shared.push_back(std::min(p[v], q[v])), both += shared.back();
      }
      share *= both, expected += share / 1000;
      text.push_back(choose(shared, own()));
    }
  }
  if (kept < 0.85 * expected) {
    red(what, ": ", kept, " tokens for each step of the large model, expected ", expected);
  }
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  hold("the same model drafts", {1, 3, 2}, {1, 3, 2}, 3);
  hold("a model that differs, one draft", {1, 3, 2}, {2, 3, 2}, 1);
  hold("a model that differs, three drafts", {1, 3, 2}, {2, 3, 2}, 3);
  hold("models that differ much", {3, 4, 6}, {4, 4, 6}, 2);
  hold("a draft by chance alone", {5, 3, 4}, {6, 3, 0}, 4);
}
