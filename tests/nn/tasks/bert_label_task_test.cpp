// A Bert that learns labels.
#include "nn/tasks/bert_label_task.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "autograd/graph.h"
#include "nn/data/baselines.h"
#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/files/bert_files.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_bert.h"

using namespace gradus;

namespace {

/// The label is "early" if the first animal is one of the first three in TinyBert's list. The order
/// of words shows it; a bag of words does not.
DataSplit<LabelledText> labelled() {
  DataSplit<LabelledText> data;
  for (std::size_t i = 0; i < 49; ++i) {
    const bool early = i % 7 < 3;
    (i % 5 == 4 ? data.held_out : data.train).push_back({TinyBert::sentence(i), early ? 1 : 0});
  }
  return data;
}

BertModel copy_of(const TinyBert& tiny, std::uint64_t seed = 3) {
  return make_bert(tiny.tokenizer, tiny.bert.model.config.n_layer, tiny.bert.model.config.layer,
                   seed);
}

}  // namespace

TEST_CASE("bert labels: learned from nothing, and scored beside a bag of words") {
  TinyBert tiny;
  BertLabelTask task(copy_of(tiny), "early", {"late", "early"}, labelled(), 5);
  std::vector<Score> scores;
  TrainCallbacks callbacks;
  callbacks.on_eval = [&](const EvalReport& report) { scores = report.scores; };
  TrainOptions recipe = tiny.recipe();
  recipe.max_iters = 150;
  recipe.eval_interval = 150;
  Trainer(task, recipe, "").run(callbacks);
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].name == "accuracy");
  CHECK(scores[0].value == 1);
  CHECK(scores[1].name == "bag of words");
  const DataSplit<LabelledText> data = labelled();
  CHECK(scores[1].value == BagOfWords(data.train, 2).accuracy(data.held_out));
  CHECK(scores[1].value < scores[0].value);
  CHECK(labels_of(task.model(), {data.held_out[0].text, data.held_out[1].text}) ==
        std::vector<int>{data.held_out[0].label, data.held_out[1].label});
  CHECK(task.demonstrate().find("(expected:") == std::string::npos);
  CHECK(task.describe() == "early: 40 texts with one of 2 labels to train on, 9 held out");
}

TEST_CASE("bert labels: the key alone decides, and validation draws from the held-out texts") {
  TinyBert tiny;
  BertLabelTask task(copy_of(tiny), "early", {"late", "early"}, labelled(), 5);
  const auto loss = [&](Split split, const RandomKey& key) {
    return task.loss(split, 5, key).item();
  };
  const RandomKey key{7, 3, 1};
  CHECK(loss(Split::kTrain, key) == loss(Split::kTrain, key));
  CHECK(loss(Split::kTrain, key) != loss(Split::kVal, key));
  CHECK(loss(Split::kTrain, key) != loss(Split::kTrain, {7, 3, 2}));
  CHECK(loss(Split::kTrain, key) != loss(Split::kTrain, {7, 4, 1}));
  CHECK(loss(Split::kTrain, key) != loss(Split::kTrain, {8, 3, 1}));
}

TEST_CASE("bert labels: a text's label does not depend on those beside it") {
  TinyBert tiny;
  tiny.bert.model.set_labels(2, 1);
  tiny.bert.labels = {"late", "early"};
  // Large weights and no constant part, so that texts differ and a leak would show.
  for (const NamedTensor& named : parameters(tiny.bert.model)) {
    std::ranges::transform(named.tensor, named.tensor.mutable_data(),
                           [](Scalar x) { return x * 30; });
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 30; ++i) {
    texts.push_back(TinyBert::sentence(i).substr(0, i % 3 == 0 ? 4 : 100));
  }
  const std::vector<int> together = labels_of(tiny.bert, texts);
  CHECK(std::ranges::count(together, 1) > 0);
  CHECK(std::ranges::count(together, 0) > 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CHECK(labels_of(tiny.bert, {texts[i]}) == std::vector<int>{together[i]});
  }
}

TEST_CASE("bert labels: from a model that has read, all but the classifier is kept") {
  TinyBert tiny;
  const BertModel read = copy_of(tiny, 11);
  const std::vector<Scalar> table(read.model.words.weight.begin(), read.model.words.weight.end());
  BertLabelTask task(read, "early", {"late", "early"}, labelled(), 5);
  const Tensor& words = task.model().model.words.weight;
  CHECK(std::ranges::equal(words, table));
  CHECK(task.model().model.config.n_labels == 2);
  const BertLabelTask other(copy_of(tiny, 11), "early", {"late", "early"}, labelled(), 6);
  CHECK_FALSE(std::ranges::equal(task.model().model.classifier.weight,
                                 other.model().model.classifier.weight));
  // With the same labels again, the trained classifier is kept.
  const BertLabelTask again(task.model(), "early", {"late", "early"}, labelled(), 6);
  CHECK(std::ranges::equal(task.model().model.classifier.weight,
                           again.model().model.classifier.weight));
}

TEST_CASE("bert labels: a checkpoint reads back to the same labels") {
  TinyBert tiny;
  BertLabelTask task(copy_of(tiny), "early", {"late", "early"}, labelled(), 5);
  TemporaryFolder folder;
  task.save(folder.path);
  BertModel back = load_bert(folder.path);
  CHECK(back.labels == std::vector<std::string>{"late", "early"});
  CHECK(all_values(parameters(back.model)) == all_values(task.parameters()));
}

TEST_CASE("bert labels: a run that was stopped goes on bit for bit") {
  TinyBert tiny;
  TemporaryFolder folder;
  TrainOptions recipe = tiny.recipe();
  recipe.max_iters = 8;
  recipe.eval_interval = 4;
  BertLabelTask whole(copy_of(tiny), "early", {"late", "early"}, labelled(), 5);
  Trainer(whole, recipe, "").run({});
  BertLabelTask begun(copy_of(tiny), "early", {"late", "early"}, labelled(), 5);
  TrainCallbacks callbacks;
  std::int64_t done = 0;
  callbacks.on_step = [&](const StepReport&) { ++done; };
  callbacks.should_stop = [&] { return done == 3; };
  CHECK_FALSE(Trainer(begun, recipe, folder.path / "run").run(callbacks));
  const auto last = folder.path / "run" / "last";
  BertLabelTask resumed(load_bert(last), "early", {"late", "early"}, labelled(), 5);
  Trainer trainer(resumed, recipe, folder.path / "run");
  trainer.resume(last, load_state(last).value());
  CHECK(trainer.run({}));
  CHECK(all_values(resumed.parameters()) == all_values(whole.parameters()));
}

TEST_CASE("bert labels: long texts are cut, and counted; what cannot be taught is an error") {
  TinyBert tiny;
  DataSplit<LabelledText> data = labelled();
  data.train[3].text += data.train[4].text + data.train[5].text;
  const BertLabelTask task(copy_of(tiny), "early", {"late", "early"}, data, 5);
  CHECK(task.describe().ends_with("; 1 are cut off at 14 tokens"));
  const auto refuses = [&](std::vector<std::string> labels, DataSplit<LabelledText> given,
                           const char* message) {
    CHECK_THROWS_WITH_AS(
        BertLabelTask(copy_of(tiny), "early", std::move(labels), std::move(given), 5),
        doctest::Contains(message), std::invalid_argument);
  };
  refuses({"late", "early"}, {{}, data.held_out}, "needs training and held-out texts, got 0");
  refuses({"late", "early"}, {data.train, {}}, "got 40 and 0");
  refuses({"late"}, data, "needs at least two labels, got 1");
  CHECK_THROWS_WITH_AS(classify(tiny.bert, {" ant"}), doctest::Contains("no classifier"),
                       std::invalid_argument);
}
