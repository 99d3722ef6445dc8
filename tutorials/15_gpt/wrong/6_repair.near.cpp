// rejected: not those of a GPT
#include "tutorials/15_gpt/exercises.h"

/// A new model, ready to be trained.
Gpt begin_gpt(const GptConfig& config) {
  Gpt model(config, 1);
  KeySequence keys(2);
  model.wte = Embedding(config.vocab_size, config.n_embd, keys);
  set_initial_values(model, config.n_layer, keys);
  return model;
}

/// Tokens [B, T] to logits [B, T, V]. The mask is made here.
Tensor gpt_logits(const Gpt& model, const IndexTensor& tokens) {
  const Index length = tokens.size(1);
  Tokens mask;  // 1 where position t may attend to position s
  for (Index t = 0; t < length; ++t) {
    for (Index s = 0; s < length; ++s) mask.push_back(t >= s && t <= s + 2);
  }
  Tensor x = model.wpe.embed(model.wte(tokens));
  for (const Block& block : model.h) x = block(x, {.mask = IndexTensor({length, length}, mask)});
  return model.logits(model.ln_f(x));
}

/// Trains on this batch alone. Returns the loss after the last step.
double learn_by_heart(Gpt& model, const Batch& batch, int steps) {
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  for (int step = 0; step < steps; ++step) {
    optimiser.zero_grad();
    const Tensor loss = cross_entropy(gpt_logits(model, batch.inputs), batch.targets);
    backward(loss);
    optimiser.step(Scalar(3e-3), clip_scale(optimiser.gradient_norm(), 1));
  }
  return cross_entropy(gpt_logits(model, batch.inputs), batch.targets).item();
}
