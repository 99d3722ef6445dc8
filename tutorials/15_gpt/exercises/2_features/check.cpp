#include "tutorials/common/check.h"

#include "pocket/gpt.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/guards.h"

using namespace pocket;
using gradus::as_library;
using gradus::green;
using gradus::red;

namespace {

/// What a GPT with these parts should give; each switch leaves something out, or is a mistake.
struct Without {
  bool positions = false, mask = false, norm = false, bias = false, blocks = false;
  bool added = false, norm_first = false, norm_each = false, dropped_each = false;
  Scalar dropout = 0;
};

Tensor expected_of(const Gpt& model, const IndexTensor& tokens, const Without& without = {}) {
  const Index length = tokens.size(1);
  AttentionOptions options{.causal = !without.mask};
  if (!without.bias) options.bias = model.wpe.bias(length, length);
  Tensor x = embedding(tokens, model.wte.weight);
  if (!without.positions) x = model.wpe.embed(x);
  if (!without.dropped_each) x = dropout_in_training(x, without.dropout);
  if (without.norm_first) x = model.ln_f(x);
  for (const Block& block : model.h) {
    if (without.dropped_each) x = dropout_in_training(x, without.dropout);
    x = without.added ? x + block(x, options) : block(x, options);
    if (without.norm_each) x = model.ln_f(x);
  }
  if (without.norm_first || without.norm_each) return x;
  if (without.blocks) x = model.h[0](model.wpe.embed(model.wte(tokens)), options);
  return without.norm ? x : model.ln_f(x);
}

void check_model(const std::string& what, const GptConfig& config, const IndexTensor& tokens,
                 Scalar scale = 1) {
  Gpt model(config, 5);
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    if (x.rank() == 2) x = (x * (25 * scale)).detach().set_requires_grad();
  });
  const auto with = [&](const Without& without) {
    return as_library(expected_of(model, tokens, without));
  };
  const Tensor got = model.features(tokens);
  gradus::must_be_finite(what, got);
  gradus::expect(what, as_library(got), with({}),
                 {{with({.added = true}),
                   "a block returns the stream itself, x and its branches: x = block(x, options)"},
                  {with({.norm_first = true}), "ln_f follows the last block"},
                  {with({.norm_each = true}), "ln_f follows the last block alone"},
                  {with({.positions = true}), "the positions are missing: wpe.embed(...)"},
                  {with({.mask = true}), "options are not handed to the blocks: nothing is causal"},
                  {with({.norm = true}), "the last norm is missing"},
                  {with({.bias = true}), "the bias of relative positions is missing"},
                  {with({.blocks = true}), "each block reads what the one before it returned"}},
                 1e-3);
  compare_gradients(what, parameters(model), got, expected_of(model, tokens));
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const GptConfig config{
        .vocab_size = 7, .n_positions = 6, .n_layer = 3, .n_head = 2, .n_embd = 8, .dropout = 0};
    const IndexTensor tokens({2, 5}, {3, 1, 4, 1, 5, 2, 6, 5, 3, 5});
    check_model("three blocks, learned positions", config, tokens);
    GptConfig other = config;
    other.position = Position::kAlibi;
    check_model("relative positions", other, tokens);
    other.position = Position::kNone, other.n_layer = 1, other.n_embd = 12, other.n_head = 3;
    check_model("one block, no positions", other, IndexTensor({1, 4}, {6, 6, 0, 2}));
    check_model("large numbers", config, tokens, 20);

    other = config;
    other.dropout = Scalar(0.3);
    const Gpt model(other, 2);
    const auto in_training = [&](const auto& f) {
      const Training training(1, 2);
      return as_library(f());
    };
    gradus::expect(
        "in training, with dropout", in_training([&] { return model.features(tokens); }),
        in_training([&] { return expected_of(model, tokens, {.dropout = other.dropout}); }),
        {{in_training([&] { return expected_of(model, tokens); }),
          "the embeddings have no dropout: dropout_in_training(..., config.dropout)"},
         {in_training([&] {
            return expected_of(model, tokens, {.dropped_each = true, .dropout = other.dropout});
          }),
          "dropout comes once, behind the embeddings; the blocks have their own"},
         {in_training([&] { return expected_of(model, tokens, {.dropout = 1 - other.dropout}); }),
          "dropout takes the share that is dropped, not the share that is kept"}},
        1e-3);
    green("dropout");
  });
}
