// Each position's logits are sent back alone, by random weights, to a leaf of its own. Then: a
// table made after the initial values does not have them; the mask was off by one; gradients of all
// earlier steps were added up.
#include "tutorials/15_gpt/exercises.h"

/// For each position t, the latest position that the logits of t depend on.
std::vector<Index> latest_read(const ByVectors& model, const Tensor& read) {
  std::vector<Index> latest;
  for (Index t = 0; t < read.size(1); ++t) {
    const Tensor leaf = read.detach().set_requires_grad();
    const Tensor logits = slice(model(leaf), 1, t, t + 1);
    backward(logits, normal(logits.shape(), {.seed = 1}));      // fixed random weights
    const Tensor lengths = sum(leaf.grad() * leaf.grad(), -1);  // [1, T]
    Index s = read.size(1) - 1;
    while (s > 0 && lengths.data()[s] == 0) --s;
    latest.push_back(s);
  }
  return latest;
}

/// A new model, ready to be trained.
Gpt begin_gpt(const GptConfig& config) {
  Gpt model(config, 1);
  KeySequence keys(2);
  model.wte = Embedding(config.vocab_size, config.n_embd, keys);
  set_initial_values(model, config.n_layer, keys);
  return model;
}

/// Computes logits [B, T, V] from the embedded tokens [B, T, C]. The mask is made here.
Tensor gpt_logits(const Gpt& model, const Tensor& read) {
  const Index length = read.size(1);
  Tokens mask;  // 1 where position t may attend to position s
  for (Index t = 0; t < length; ++t) {
    for (Index s = 0; s < length; ++s) mask.push_back(t >= s);
  }
  Tensor x = read;
  for (const Block& block : model.h) x = block(x, {.mask = IndexTensor({length, length}, mask)});
  return model.logits(model.ln_f(x));
}

/// Trains on this batch alone. Returns the loss after the last step.
double learn_by_heart(Gpt& model, const Batch& batch, int steps) {
  const auto loss_of = [&] {
    const Tensor read = model.wpe.embed(model.wte(batch.inputs));
    return cross_entropy(gpt_logits(model, read), batch.targets);
  };
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  for (int step = 0; step < steps; ++step) {
    optimiser.zero_grad();
    const Tensor loss = loss_of();
    backward(loss);
    optimiser.step(Scalar(3e-3), clip_scale(optimiser.gradient_norm(), 1));
  }
  return loss_of().item();
}
