#include "nn/optim/train_options.h"

#include <functional>

#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

/// The defaults with one change.
TrainOptions with(const std::function<void(TrainOptions&)>& change) {
  TrainOptions options;
  change(options);
  return options;
}

}  // namespace

TEST_CASE("train options: the defaults are nanoGPT's for characters, and valid") {
  const TrainOptions options;
  options.validate();
  CHECK(options.max_iters == 5000);
  CHECK(options.batch_size == 64);
  CHECK(options.schedule.rate == 1e-3);
  CHECK(options.schedule.floor == 1e-4);
  CHECK(options.schedule.warmup == 100);
  CHECK(options.schedule.decay == 5000);
  CHECK(options.adamw.beta2 == 0.99);
  CHECK(options.adamw.weight_decay == 0.1);
  CHECK(options.grad_clip == 1);
  CHECK(options.eval_interval == 250);
  CHECK(options.eval_iters == 200);
}

TEST_CASE("train options: each setting is checked, by the name of its flag") {
  const auto refuses = [](const std::function<void(TrainOptions&)>& change, const char* message) {
    CHECK_FAILS(with(change).validate(), message);
  };
  refuses([](auto& o) { o.adamw.learning_rate = 0.1; },
          "train: adamw.learning_rate is not used (set schedule.rate)");
  refuses([](auto& o) { o.max_iters = -1; }, "train: --max_iters must be at least 0, got -1");
  refuses([](auto& o) { o.max_iters = 5'000'000'000; },
          "--max_iters must be at most 4000000000, got 5000000000");
  refuses([](auto& o) { o.batch_size = 0; }, "train: --batch_size must be at least 1, got 0");
  refuses([](auto& o) { o.gradient_accumulation_steps = 0; },
          "--gradient_accumulation_steps must be at least 1");
  refuses([](auto& o) { o.gradient_accumulation_steps = 4097; }, "must be at most 4096, got 4097");
  refuses([](auto& o) { o.local_steps = -1; }, "--local_steps must be at least 0, got -1");
  refuses([](auto& o) { o.schedule.rate = -1; }, "--learning_rate must be at least 0, got -1");
  refuses([](auto& o) { o.schedule.rate = kNaN; }, "--learning_rate must be at least 0, got nan");
  refuses([](auto& o) { o.schedule.floor = kInf; }, "--min_lr must be finite, got inf");
  refuses([](auto& o) { o.schedule.warmup = -1; }, "--warmup_iters must be at least 0");
  refuses([](auto& o) { o.schedule.decay = -1; }, "--lr_decay_iters must be at least 0");
  refuses([](auto& o) { o.adamw.beta1 = -0.5; }, "--beta1 must be in [0, 1), got -0.5");
  refuses([](auto& o) { o.adamw.beta2 = 1; }, "--beta2 must be in [0, 1), got 1");
  refuses([](auto& o) { o.adamw.epsilon = 0; }, "epsilon must be above 0, got 0");
  refuses([](auto& o) { o.adamw.weight_decay = -1; }, "--weight_decay must be at least 0");
  refuses([](auto& o) { o.grad_clip = -1; }, "--grad_clip must be at least 0");
  refuses([](auto& o) { o.eval_interval = 0; }, "--eval_interval must be at least 1");
  refuses([](auto& o) { o.eval_iters = -1; }, "--eval_iters must be at least 0");
  refuses([](auto& o) { o.eval_iters = 30'001; }, "--eval_iters must be at most 30000");
}

TEST_CASE("train options: the edges are allowed") {
  with([](auto& o) {
    o.max_iters = 0;
    o.schedule = {.rate = 0, .floor = 0, .warmup = 0, .decay = 0};
    o.adamw.beta1 = o.adamw.beta2 = o.adamw.weight_decay = 0;
    o.grad_clip = 0;
    o.eval_iters = 30'000;
    o.gradient_accumulation_steps = 4096;
  }).validate();
}

TEST_CASE("train options: evaluates all held-out data if that takes a twentieth") {
  TrainOptions options;
  options.eval_iters = 2;
  options.eval_interval = 80;
  CHECK(options.can_evaluate_whole(6));
  CHECK_FALSE(options.can_evaluate_whole(7));
  CHECK_FALSE(options.can_evaluate_whole(0));  // a task with random batches only
  options.gradient_accumulation_steps = 2;
  CHECK(options.can_evaluate_whole(12));
  CHECK_FALSE(options.can_evaluate_whole(13));
  options.eval_iters = 20;  // these would take longer
  CHECK(options.can_evaluate_whole(20));
  CHECK_FALSE(options.can_evaluate_whole(21));
  options.max_iters = 800;
  CHECK(options.can_evaluate_at_end(120));
  CHECK_FALSE(options.can_evaluate_at_end(121));
}
