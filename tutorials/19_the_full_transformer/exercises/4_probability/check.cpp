#include "tutorials/common/check.h"

#include <numeric>

#include "tutorials/19_the_full_transformer/exercises.h"
#include "tutorials/19_the_full_transformer/pairs.h"

using gradus::green, gradus::red;

namespace {

int passes = 0;  // calls of the first decoder layer's self-attention

Transformer new_model(Scalar scale) {
  Transformer model({.src_vocab = 13,
                     .trg_vocab = 9,
                     .n_layer = 2,
                     .layer = {.d_model = 12, .num_heads = 3, .dropout = 0, .max_length = 64}},
                    3);
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    if (name == "out.weight") x = x * scale;
  });
  model.layers[0].self_attention.rotate = [](const Tensor& x, Index) { return ++passes, x; };
  return model;
}

/// ln P of each token that is asked for in one row, and of the end, step by step, without padding.
std::vector<double> by_steps(const Transformer& model, const Tokens& source, const Tokens& target,
                             const WriteLimits& limits) {
  const NoGrad no_grad;
  const Tensor h = model.encode(IndexTensor({1, std::ssize(source)}, source));
  Tokens so_far{limits.begin}, asked = target;
  asked.push_back(limits.end);
  std::vector<double> log_p;
  for (const std::int32_t token : asked) {
    const Tensor logits = model.decode(h, IndexTensor({1, std::ssize(so_far)}, so_far));
    log_p.push_back(log_softmax(slice(logits, 1, -1)).data()[token]);
    so_far.push_back(token);
  }
  return log_p;
}

void ask(const std::string& what, const std::vector<Tokens>& sources,
         const std::vector<Tokens>& targets, const WriteLimits& limits, std::int32_t padding,
         Scalar scale = 3) {
  const Transformer model = new_model(scale);
  passes = 0;
  const auto got = my_log_probabilities(model, padded(sources, padding), padded(targets, padding),
                                        limits, padding);
  const int calls = passes;
  if (got.size() != targets.size()) {
    red(what, ": got ", got.size(), " numbers for ", targets.size(), " rows");
  }
  for (std::size_t b = 0; b < targets.size(); ++b) {
    const std::vector<double> log_p = by_steps(model, sources[b], targets[b], limits);
    gradus::expect_number(what + ", row " + std::to_string(b), got[b],
                          std::accumulate(log_p.begin(), log_p.end(), 0.0), 1e-3);
  }
  if (calls != 2) {  // it asks once for the queries, once for the keys
    red(what, ": the decoder ran ", calls / 2, " times");
  }
  green(what);
}

/// The result of the function for a model that was trained for a few steps.
void show_trained() {
  const Sentences sentences;
  const LayerOptions layer{.d_model = 32, .num_heads = 4, .dropout = 0, .max_length = 16};
  Transformer model({sentences.english.size(), sentences.portuguese.size(), 2, layer}, 1);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 5e-3, .floor = 0, .warmup = 50, .decay = 120};
  train(optimiser, {.steps = 120, .schedule = schedule}, [&](int step) {
    const Rows rows = rows_of(draw(sentences, 8, {1, static_cast<std::uint32_t>(step)}));
    return cross_entropy(model(rows.src, rows.trg, rows.src_mask), rows.next);
  });
  const std::vector<std::string> written = {"Eles estão cansados.", "Elas estão cansadas.",
                                            "Estão cansados.",      "Estão cansadas.",
                                            "Eles estão cansadas.", "Ana está cansada."};
  std::vector<Tokens> sources, targets;
  for (const std::string& target : written) {
    sources.push_back(sentences.english.encode(kTired));
    targets.push_back(sentences.portuguese.encode(target));
  }
  const auto log_p = my_log_probabilities(model, padded(sources, kPadding),
                                          padded(targets, kPadding), kLimits, kPadding);
  std::printf("%s after 120 short steps of training:\n", kTired.c_str());
  for (std::size_t i = 0; i < written.size(); ++i) {
    std::printf("  ln P %6.2f  %s\n", log_p[i], written[i].c_str());
  }
}

}  // namespace

CHECK_ANSWER() {
  const WriteLimits limits{.begin = 1, .end = 2};
  ask("one row", {{3, 5, 4, 8}}, {{4, 6, 3}}, limits, 0);
  ask("an empty translation", {{3, 5}}, {{}}, limits, 0);
  ask("two rows of one length", {{3, 5, 4}, {6, 7, 8}}, {{4, 6}, {5, 5}}, limits, 0);
  ask("targets of unequal lengths", {{3, 5, 4}, {6, 7, 8}, {9, 3, 3}}, {{4}, {5, 5, 8, 3}, {}},
      limits, 0);
  ask("sources of unequal lengths", {{3, 5, 4, 12, 11}, {6}}, {{4, 7}, {5, 5}}, limits, 0);
  ask("other tokens for begin, end and padding", {{0, 5, 1}, {6, 2, 5, 12}},
      {{0, 1, 2}, {2, 1, 0, 0}}, {.begin = 7, .end = 5}, 8);
  Tokens many, source;
  for (int i = 0; i < 60; ++i) many.push_back(3 + i * i % 6);
  for (int i = 0; i < 64; ++i) source.push_back(3 + i * i % 9);
  ask("sixty tokens", {source, {3, 4}}, {many, {5}}, limits, 0);
  ask("logits of about 10,000", {{3, 5, 4}, {6, 7}}, {{4, 6, 3}, {8}}, limits, 0, 1e4);
  show_trained();
}
