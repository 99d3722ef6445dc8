// Exercise 15.6, 40 minutes: distinguish seven models, and repair a GPT.
//
// First write the test, with gradients. A model (`ByVectors` in exercises.h) maps the vectors that
// it has read, [1, T, C], to logits [1, T, V]. For each position t, find the latest position
// that the logits of t depend on. A sound model gives 0, 1, 2 and so on. The check has seven models
// to distinguish.
//
// Then repair the GPT below: three functions, a fault in each. Your test finds one of the faults;
// the chapter's other two tests, ln V at the start and one batch memorised, find the others.
#include "tutorials/15_gpt/exercises.h"

/// For each position t, the latest position that the logits of t depend on.
std::vector<Index> latest_read(const ByVectors& model, const Tensor& read) {
  return std::vector<Index>(static_cast<std::size_t>(read.size(1)));
}

/// A new model, ready to be trained.
Gpt begin_gpt(const GptConfig& config) {
  Gpt model(config, 1);
  KeySequence keys(2);
  set_initial_values(model, config.n_layer, keys);
  model.wte = Embedding(config.vocab_size, config.n_embd, keys);
  return model;
}

/// Computes logits [B, T, V] from the embedded tokens [B, T, C]. The mask is made here.
Tensor gpt_logits(const Gpt& model, const Tensor& read) {
  const Index length = read.size(1);
  Tokens mask;  // 1 where position t may attend to position s
  for (Index t = 0; t < length; ++t) {
    for (Index s = 0; s < length; ++s) mask.push_back(t >= s - 1);
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
    const Tensor loss = loss_of();
    backward(loss);
    optimiser.step(Scalar(3e-3), clip_scale(optimiser.gradient_norm(), 1));
  }
  return loss_of().item();
}
