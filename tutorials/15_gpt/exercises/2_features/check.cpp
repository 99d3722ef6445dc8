#include "pocket/gpt.h"
#include "tutorials/common/compare_in_training.h"

using namespace pocket;

namespace {

/// The expected output of a GPT with these parts.
Tensor expected_of(const Gpt& model, const IndexTensor& tokens, Scalar dropout = 0) {
  const Index length = tokens.size(1);
  const AttentionOptions options{.causal = true, .bias = model.wpe.bias(length, length)};
  Tensor x = model.wpe.embed(embedding(tokens, model.wte.weight));
  x = dropout_in_training(x, dropout);
  for (const Block& block : model.h) x = block(x, options);
  return model.ln_f(x);
}

void check_model(const std::string& what, const GptConfig& config, const IndexTensor& tokens,
                 Scalar scale = 1) {
  Gpt model(config, 5);
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    if (x.rank() == 2) x = (x * (25 * scale)).detach().set_requires_grad();
  });
  compare(
      what, parameters(model), [&] { return model.features(tokens); },
      [&] { return expected_of(model, tokens); });
}

}  // namespace

CHECK_ANSWER() {
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
  Gpt model(other, 2);
  compare_in_training(
      "with dropout", parameters(model), [&] { return model.features(tokens); },
      [&] { return expected_of(model, tokens, other.dropout); });
}
