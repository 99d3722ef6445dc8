#include "cli/tasks/recipes.h"

#include "autograd/kernels/blas.h"

namespace gradus {

Settings nanogpt_defaults() { return {}; }

Settings fast_defaults() {
  Settings s;
  s.model.n_layer = 2;
  s.model.n_head = 4;
  s.model.n_embd = 128;
  s.model.n_inner = 256;
  s.model.n_positions = 64;
  s.model.dropout = 0;
  s.model.activation = Activation::kReluSquared;
  s.model.position = Position::kRotary;
  s.model.token_shift = true;
  s.model.tied = false;
  s.recipe.batch_size = 12;
  s.recipe.max_iters = 300;
  s.recipe.schedule = {.rate = 5e-3, .floor = 5e-4, .warmup = 20, .decay = 300};
  s.recipe.adamw = {.beta1 = 0.9, .beta2 = 0.95, .weight_decay = 0};
  s.recipe.grad_clip = 0;
  s.recipe.eval_interval = 100;
  s.recipe.eval_iters = 20;
  return s;
}

Settings strong_defaults() {
  Settings s = fast_defaults();
  s.model.n_layer = 4;
  s.model.n_embd = 256;
  s.model.n_inner = 512;
  s.model.n_positions = 256;
  s.model.dropout = Scalar(0.1);
  s.recipe.batch_size = 16;
  s.recipe.max_iters = 2000;
  s.recipe.schedule = {.rate = 3e-3, .floor = 3e-5, .warmup = 100, .decay = 2000};
  s.recipe.adamw.weight_decay = 2;  // because the text is read eight times
  s.recipe.average = 0.99;
  s.recipe.eval_interval = 500;
  if (!bfloat16_obstacle()) s.recipe.dtype = ProductPrecision::kBfloat16;
  return s;
}

Settings tales_defaults() {
  Settings s = fast_defaults();
  s.tokenizer = "bpe";  // most words are one token, and a block holds a whole tale
  s.vocab_size = 2048;
  s.model.n_layer = 4;
  s.model.n_positions = 160;
  s.recipe.batch_size = 8;
  s.recipe.max_iters = 1200;
  s.recipe.adamw.weight_decay = 2;  // because the text is read six times
  s.recipe.average = 0.99;
  s.recipe.eval_interval = 250;
  s.out_dir = "out-tales";
  return s;
}

Settings (*named_recipe(const std::string& name))() {
  return name == "fast"      ? fast_defaults
         : name == "strong"  ? strong_defaults
         : name == "nanogpt" ? nanogpt_defaults
                             : nullptr;
}

TrainOptions continued_recipe() {
  TrainOptions recipe;
  recipe.batch_size = 4;
  recipe.max_iters = 200;
  recipe.schedule = {
      .rate = kPretrainedRate, .floor = kPretrainedRate / 10, .warmup = 20, .decay = 200};
  recipe.adamw = {.beta1 = 0.9, .beta2 = 0.95, .weight_decay = 0.1};
  recipe.grad_clip = 1;
  recipe.eval_interval = 50;
  recipe.eval_iters = 10;
  return recipe;
}

void suit_preferences(TrainOptions& recipe) {
  recipe.max_iters = 200;
  recipe.schedule = {.rate = 1e-4, .floor = 1e-5, .warmup = 20, .decay = 200};
  recipe.eval_interval = 50;
}

}  // namespace gradus
