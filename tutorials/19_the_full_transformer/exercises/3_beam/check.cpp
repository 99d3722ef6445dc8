#include "tutorials/common/check.h"

#include "pocket/transformer.h"

using namespace pocket;
using gradus::green, gradus::red;

namespace {

using Table = std::vector<std::vector<double>>;

/// Logits by the last token, [V, V], and by its position, [12, V].
struct Chain {
  Table by_token, by_position;
};

/// A Transformer with the sums of these logits. Its layers add nothing; a norm of two ones among
/// zeros, one for the token and one for the position, is undone by `out`.
Transformer model_of(const Chain& chain) {
  const Index vocab = std::ssize(chain.by_token), width = vocab + 12;
  Transformer model({.src_vocab = 3,
                     .trg_vocab = vocab,
                     .n_layer = 1,
                     .layer = {.d_model = width,
                               .num_heads = 1,
                               .d_ff = 1,
                               .dropout = 0,
                               .position = Position::kLearned,
                               .max_length = 12}});
  const double mean = 2000.0 / double(width), sd = std::sqrt(2e6 / double(width) - mean * mean);
  const double a = 1000 / sd, b = -mean / sd;
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    const bool ours = name == "trg_embed.weight" || name == "positions.weight" ||
                      name == "out.weight" || name == "out.bias";
    if (ours || name.ends_with("output.weight") || name.ends_with("c_proj.weight")) {
      x = zeros(x.shape());
    }
    Scalar* to = x.mutable_data();
    for (Index i = 0; i < width; ++i) {
      const auto& row = i < vocab ? chain.by_token[i] : chain.by_position[i - vocab];
      if (name == "trg_embed.weight" && i < vocab) to[i * width + i] = 1000;
      if (name == "positions.weight" && i >= vocab) to[(i - vocab) * width + i] = 1000;
      for (Index j = 0; j < vocab; ++j) {
        if (name == "out.weight") to[i * vocab + j] = Scalar(row[j] / a);
        if (name == "out.bias") to[j] -= Scalar(b * row[j] / a);
      }
    }
  });
  return model;
}

std::vector<Hypothesis> right(const Chain& chain, const WriteLimits& limits, int width,
                              double alpha) {
  const auto best_first = [](std::vector<Hypothesis>& list) {
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& x, const auto& y) { return x.score > y.score; });
  };
  const auto score_of = [&](const Hypothesis& h) {
    return h.log_probability / std::pow((4.0 + double(h.tokens.size())) / 6, alpha);
  };
  std::vector<Hypothesis> beam{{.tokens = {limits.begin}}}, found;
  for (Index length = 1; length <= limits.max_tokens && !beam.empty(); ++length) {
    std::vector<Hypothesis> next;
    for (const Hypothesis& before : beam) {
      std::vector<double> row = chain.by_token[before.tokens.back()];
      for (std::size_t j = 0; j < row.size(); ++j) row[j] += chain.by_position[length - 1][j];
      const double largest = *std::max_element(row.begin(), row.end());
      double total = 0;
      for (const double logit : row) total += std::exp(logit - largest);
      for (std::size_t j = 0; j < row.size(); ++j) {
        Hypothesis& h = next.emplace_back(before);
        h.tokens.push_back(std::int32_t(j));
        h.log_probability += row[j] - largest - std::log(total);
        h.score = score_of(h);
      }
    }
    best_first(next);
    next.resize(std::min(next.size(), std::size_t(width) - found.size()));
    beam.clear();
    for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
  }
  found.insert(found.end(), beam.begin(), beam.end());
  for (Hypothesis& h : found) h.score = score_of(h);
  best_first(found);
  return found;
}

bool same(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.tokens == y.tokens &&
           std::abs(x.log_probability - y.log_probability) < 1e-3 - 1e-4 * y.log_probability;
  });
}

std::string shown(const std::vector<Hypothesis>& list) {
  std::ostringstream text;
  for (std::size_t i = 0; i < list.size() && i < 6; ++i) {
    text << "\n ";
    for (const std::int32_t token : list[i].tokens) text << " " << token;
    text << "   ln P " << list[i].log_probability;
  }
  return text.str() + (list.size() > 6 ? "\n  ..." : "");
}

void ask(const std::string& what, const Chain& chain, const WriteLimits& limits, int width,
         double alpha) {
  const Transformer model = model_of(chain);
  const auto got = beam_search(model, indices({{0, 1, 2}}), limits, width, alpha);
  const auto expected = right(chain, limits, width, alpha);
  if (same(got, expected)) return;
  red(what, ", width ", width, ": got ", got.size(), " hypotheses, expected ", expected.size(),
      "\ngot", shown(got), "\nexpected", shown(expected),
      "\nlikely cause: look at `limits.end`, and at what goes into beam and found");
}

Chain random_chain(Index vocab, std::uint64_t seed, double spread) {
  const Tensor draws = normal({vocab + 12, vocab}, {.seed = seed});
  Chain chain{Table(vocab, std::vector<double>(vocab)), Table(12, std::vector<double>(vocab))};
  for (Index i = 0; i < (vocab + 12) * vocab; ++i) {
    auto& row =
        i < vocab * vocab ? chain.by_token[i / vocab] : chain.by_position[i / vocab - vocab];
    row[i % vocab] = spread * draws.data()[i];
  }
  return chain;
}

double ln(double p) { return std::log(p); }

}  // namespace

CHECK_ANSWER() {
  // Tokens: 0 begins, 1 ends, 2 is Eles, 3 Elas, 4 Estao, 5 and 6 what may come after it.
  double tiny = -20;
  const auto no = [&] { return tiny -= 0.37; };  // no two are equal
  const Table table = {{no(), no(), ln(.29), ln(.28), ln(.43), no(), no()},
                       {ln(.2), ln(.1), ln(.11), ln(.3), ln(.12), ln(.08), ln(.09)},
                       {no(), ln(.999), no(), no(), no(), no(), no()},
                       {no(), ln(.999), no(), no(), no(), no(), no()},
                       {no(), no(), no(), no(), no(), ln(.52), ln(.48)},
                       {no(), ln(.999), no(), no(), no(), no(), no()},
                       {no(), ln(.999), no(), no(), no(), no(), no()}};
  const Chain they{table, Table(12, std::vector<double>(7))};
  const WriteLimits limits{.begin = 0, .end = 1, .max_tokens = 10};
  for (const int width : {2, 4, 1, 3}) ask("They are tired", they, limits, width, 0.6);
  green("They are tired");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index vocab = 4 + Index(seed % 5);
    const WriteLimits any{.begin = std::int32_t(seed % 4),
                          .end = std::int32_t((seed + 1) % 4),
                          .max_tokens = 3 + Index(seed % 6)};
    for (const int width : {3, 1, 2, 12}) {
      ask("random logits", random_chain(vocab, seed, 1), any, width, 0.1 * double(seed % 11));
    }
  }
  green("twenty random chains, cut off at 3 to 8 tokens");
  ask("a hundred tokens to choose from", random_chain(100, 5, 3), limits, 30, 1);
  ask("a beam wider than the vocabulary", random_chain(4, 6, 1), limits, 9, 0);
  green("wide beams");
  for (const int width : {1, 3})
    ask("logits of about 300", random_chain(6, 7, 300), limits, width, 1);
  green("large numbers");
  ask("no token at all", they, {.begin = 0, .end = 1, .max_tokens = 0}, 2, 1);
  green("a limit of 0 tokens");
}
