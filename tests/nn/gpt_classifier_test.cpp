#include "nn/models/gpt_classifier.h"

#include "autograd/graph.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "nn/tasks/gpt_labeller.h"
#include "nn/tasks/label_task.h"
#include "nn/tasks/model_files.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;

namespace {

GptConfig config(bool tied = true) {
  return {.vocab_size = 11,
          .n_positions = 7,
          .n_layer = 2,
          .n_head = 2,
          .n_embd = 10,
          .dropout = 0,
          .bias = true,
          .tied = tied};
}

/// Which of two letters a text ends with, whatever stands before.
DataSplit<LabelledText> endings() {
  DataSplit<LabelledText> data;
  for (int i = 0; i < 48; ++i) {
    const int label = i / 2 % 2;
    std::string text;
    for (int j = 0; j <= i % 5; ++j) text += "abcd"[(i * 7 + j * j * (i + 3)) % 4];
    text += "ab"[label];
    (i % 3 == 0 ? data.held_out : data.train).push_back({text, label});
  }
  return data;
}

GptLabeller tiny_labeller(std::uint64_t seed = 3, bool tied = true) {
  auto tokenizer = std::make_shared<CharTokenizer>(CharTokenizer::learn("abcd\n"));
  GptConfig sizes = config(tied);
  sizes.vocab_size = tokenizer->vocab_size();
  return {GptClassifier(Gpt(sizes, seed), 2, seed), tokenizer, {"ends in a", "ends in b"}};
}

}  // namespace

TEST_CASE("gpt classifier: the last token's features times the head, text by text") {
  const GptClassifier model(Gpt(config(), 5), 3, 7);
  const IndexTensor tokens = indices({{1, 2, 3, 4}, {9, 5, 0, 0}});
  const Tensor logits = model(tokens, indices({4, 2}));
  CHECK(logits.shape() == Shape{2, 3});
  const auto alone = [&](const IndexTensor& text) {
    const Tensor last = slice(model.gpt.features(text), 1, -1);  // [1, 1, C]
    return matmul(reshape(last, {1, 10}), model.score.weight);
  };
  CHECK_CLOSE(slice(logits, 0, 0, 1), alone(indices({{1, 2, 3, 4}})));
  CHECK_CLOSE(slice(logits, 0, 1, 2), alone(indices({{9, 5}})));
}

TEST_CASE("gpt classifier: what fills a text up changes nothing, bit for bit") {
  const GptClassifier model(Gpt(config(), 5), 3, 7);
  const IndexTensor lengths = indices({2, 4});
  const Values a = model(indices({{1, 2, 0, 0}, {5, 6, 7, 8}}), lengths).values();
  CHECK(a == model(indices({{1, 2, 9, 10}, {5, 6, 7, 8}}), lengths).values());
  CHECK(a != model(indices({{1, 3, 0, 0}, {5, 6, 7, 8}}), lengths).values());
  CHECK(a != model(indices({{1, 2, 0, 0}, {5, 6, 7, 8}}), indices({3, 4})).values());
}

TEST_CASE("gpt classifier: gradients reach all parameters, and none comes from the filling") {
  GptClassifier model(Gpt(config(), 5), 3, 7);
  backward(
      cross_entropy(model(indices({{1, 2, 10}, {5, 6, 7}}), indices({2, 3})), indices({0, 2})));
  for (const NamedTensor& named : parameters(model)) {
    REQUIRE_MESSAGE(named.tensor.grad().defined(), named.name);
  }
  const Tensor table = model.gpt.wte.weight.grad();
  const auto row = [&](Index token) { return slice(table, 0, token, token + 1).values(); };
  CHECK(row(10) == Values(10, 0));  // tied, but no output layer has used it
  CHECK(row(2) != Values(10, 0));
}

TEST_CASE("gpt classifier: wrong sizes are refused") {
  const GptClassifier model(Gpt(config(), 5), 3, 7);
  const IndexTensor tokens = indices({{1, 2, 3, 4}});
  CHECK_FAILS(model(tokens, indices({0})), "text 0 has length 0, which must be from 1 to 4");
  CHECK_FAILS(model(tokens, indices({5})), "length 5");
  CHECK_FAILS(model(tokens, indices({1, 2})), "needs tokens [B, T] and lengths [B]");
  CHECK_FAILS(GptClassifier(Gpt(config()), 1), "needs two labels or more, got 1");
}

TEST_CASE("gpt label task: learns, is kept and read back") {
  const TemporaryFolder folder;
  LabelTask<GptLabeller> task(tiny_labeller(3, /*tied=*/false), "endings", endings());
  CHECK(task.describe() == "endings: 32 texts to train on, 16 held out, 2 labels");
  CHECK(task.scores()[0].name == "accuracy");
  TrainOptions options;
  options.max_iters = 60;
  options.batch_size = 16;
  options.schedule = {.rate = 2e-2, .floor = 2e-3, .warmup = 3, .decay = 60};
  options.eval_interval = 60;
  options.eval_iters = 1;
  Trainer trainer(task, options, folder.path);
  CHECK(trainer.run({}));
  CHECK(task.scores()[0].value == 1);
  const GptLabeller kept = load_gpt_labeller(folder.path / "last");
  CHECK(kept.labels == task.labeller().labels);
  CHECK(labels_of(kept, {"a", "b", "abba", "ccdab"}) == std::vector{0, 1, 0, 1});
  CHECK_THROWS_WITH_AS(load_checkpoint(folder.path / "last"), doctest::Contains("score.weight"),
                       std::runtime_error);
  CHECK_FAILS(classify(kept, {""}), "a text is empty");
  CHECK_FAILS(classify(kept, {"aaaaaaaa"}), "has 8 tokens, and the model takes 7");
}

TEST_CASE("gpt label task: a small config that asks for gigabytes is refused") {
  const TemporaryFolder folder;
  LabelTask<GptLabeller>(tiny_labeller(3, /*tied=*/false), "endings", endings()).save(folder.path);
  std::string config = bytes_of(folder.path / "config.json");
  const std::string positions = "\"n_positions\": ";
  config.insert(config.find(positions) + positions.size(), "21474836");
  overwrite(folder.path / "config.json", config);
  CHECK_THROWS_WITH_AS(load_gpt_labeller(folder.path),
                       doctest::Contains("config.json: describes a model of 21474"),
                       std::runtime_error);
}

TEST_CASE("gpt label task: a pre-trained model gets a new head and keeps the rest") {
  const TemporaryFolder folder;
  const TinyRun run;
  Gpt gpt(run.config, 9);
  writer(gpt, run.tokenizer)(folder.path);
  GptLabeller labeller = make_gpt_labeller(folder.path, {"x", "y", "z"}, 1);
  CHECK(labeller.model.score.weight.shape() == Shape{10, 3});
  CHECK(all_values(parameters(labeller.model.gpt)) == all_values(parameters(gpt)));
  CHECK_THROWS_WITH_AS(load_gpt_labeller(folder.path), doctest::Contains("0 labels"),
                       std::runtime_error);
}

TEST_CASE("gpt label task: what cannot be learnt from is refused") {
  const LabelledText good{"ab", 1};
  const auto task = [&](const LabelledText& item) {
    return LabelTask<GptLabeller>(tiny_labeller(), "x", {{item}, {good}});
  };
  CHECK_FAILS(task({"ab", 2}), "'ab': has label 2, and the model tells 2 apart");
  CHECK_FAILS(task({"", 0}), "a text is empty");
  CHECK_FAILS(task({"abcdabcd", 0}), "has 8 tokens");
  CHECK_FAILS(LabelTask<GptLabeller>(tiny_labeller(), "x", {{good}, {}}), "got 1 and 0");
}
