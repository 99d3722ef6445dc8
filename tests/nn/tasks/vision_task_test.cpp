#include "nn/tasks/vision_task.h"

#include <nlohmann/json.hpp>

#include "autograd/graph.h"
#include "nn/data/items.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;

namespace {

/// Images of 4 x 6 pixels with one bright row or one bright column.
LabelledImages bars(Index count, std::uint32_t seed) {
  LabelledImages all{Tensor({count, 4, 6}), IndexTensor({count})};
  for (Index i = 0; i < count; ++i) {
    const bool column = (i + seed) % 2 == 1;
    const Index place = (i * 7 + seed) % (column ? 6 : 4);
    for (Index y = 0; y < 4; ++y) {
      for (Index x = 0; x < 6; ++x) {
        all.images.mutable_data()[(i * 4 + y) * 6 + x] = (column ? x : y) == place ? 1 : 0;
      }
    }
    all.labels.mutable_data()[i] = column ? 1 : 0;
  }
  return all;
}

VisionModel tiny_classifier(Scalar dropout = 0) {
  return {VisionTransformer({.height = 4,
                             .width = 6,
                             .patch = 2,
                             .n_labels = 2,
                             .n_layer = 1,
                             .layer = {.d_model = 8,
                                       .num_heads = 2,
                                       .d_ff = 16,
                                       .dropout = dropout,
                                       .activation = Activation::kGelu,
                                       .position = Position::kLearned}},
                            3),
          {"row", "column"}};
}

VisionTask tiny_images() { return {tiny_classifier(), "bars", bars(20, 0), bars(7, 1)}; }

}  // namespace

TEST_CASE("vision: a batch is a function of the key, and splits are different images") {
  VisionTask task = tiny_images();
  const double loss = task.loss(Split::kTrain, 4, {1, 2, 3}).item();
  CHECK(task.loss(Split::kTrain, 4, {1, 2, 3}).item() == loss);
  CHECK(task.loss(Split::kTrain, 4, {1, 2, 4}).item() != loss);
  CHECK(task.loss(Split::kVal, 4, {1, 2, 3}).item() != loss);
  CHECK(task.tokens_in(5) == 35);  // 6 patches and the class token
  CHECK(task.describe() == "bars: 20 images to train on, 7 held out, of 4 x 6 in patches of 2");
}

TEST_CASE("vision: images are answered in their order, alone as together") {
  const VisionModel classifier = tiny_classifier();
  const LabelledImages many = bars(205, 0);
  const std::vector<Prediction> predictions = classify(classifier, many.images);
  REQUIRE(predictions.size() == 205);
  for (const Index i : {0, 99, 101, 203}) {
    const Prediction alone = classify(classifier, part_of(many, i, 1).images).front();
    CHECK(alone.probabilities[0] ==
          doctest::Approx(predictions[static_cast<std::size_t>(i)].probabilities[0]).epsilon(1e-5));
  }
  CHECK(std::abs(predictions[0].probabilities[0] - predictions[1].probabilities[0]) > 1e-3);
}

TEST_CASE("vision: a part of images keeps each with its label") {
  const LabelledImages all = bars(7, 0), some = part_of(all, 2, 3);
  CHECK(some.images.shape() == Shape{3, 4, 6});
  CHECK(std::equal(some.images.begin(), some.images.end(), all.images.data() + 2 * 24));
  CHECK(std::equal(some.labels.begin(), some.labels.end(), all.labels.data() + 2));
  CHECK(part_of(all, 7, 0).labels.size() == 0);
  CHECK_THROWS_WITH_AS(part_of(all, 5, 3),
                       "part_of: 3 images from number 5 on are not within the 7 images",
                       std::invalid_argument);
}

TEST_CASE("vision: learns a tiny set, and its checkpoint answers the same") {
  const TemporaryFolder folder;
  VisionTask task = tiny_images();
  TrainOptions options;
  options.max_iters = 120;
  options.batch_size = 10;
  options.eval_interval = 120;
  options.eval_iters = 2;
  options.schedule = {.rate = 1e-2, .floor = 1e-3, .warmup = 5, .decay = 120};
  std::vector<EvalReport> reports;
  TrainCallbacks callbacks;
  callbacks.on_eval = [&](const EvalReport& report) { reports.push_back(report); };
  REQUIRE(Trainer(task, options, folder.path / "out").run(callbacks));
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].train_loss > 0.5);
  CHECK(reports[1].train_loss < 0.1);
  REQUIRE(reports[1].scores.size() == 1);
  CHECK(reports[1].scores[0].name == "accuracy");
  CHECK(reports[1].scores[0].value == 1);
  const std::string shown = task.demonstrate();
  CHECK(shown.find("column") < shown.find("row"));
  CHECK(shown.find("expected:") == std::string::npos);

  const VisionModel loaded = load_vision_model(folder.path / "out" / "last");
  CHECK(loaded.labels == task.model().labels);
  const LabelledImages others = bars(9, 5);
  const auto before = classify(task.model(), others.images);
  const auto after = classify(loaded, others.images);
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(before[i].probabilities == after[i].probabilities);
  }
}

TEST_CASE("vision: a wrong prediction is shown beside the truth") {
  LabelledImages wrong = bars(1, 0);
  const VisionModel classifier = tiny_classifier();
  const int prediction = classify(classifier, wrong.images).front().label;
  wrong.labels.mutable_data()[0] = 1 - prediction;
  VisionTask task(classifier, "bars", bars(4, 0), wrong);
  const std::string caption = prediction == 0 ? "row (expected: column)" : "column (expected: row)";
  CHECK(task.demonstrate().find(caption) != std::string::npos);
  CHECK(task.scores()[0].value == 0);
}

TEST_CASE("vision: captions wider than their images ran together") {
  LabelledImages wrong = bars(3, 0);
  const VisionModel classifier = tiny_classifier();
  const std::vector<Prediction> predictions = classify(classifier, wrong.images);
  std::string captions;
  for (std::size_t i = 0; i < 3; ++i) {
    wrong.labels.mutable_data()[i] = 1 - predictions[i].label;
    captions += predictions[i].label == 0 ? "row (expected: column)  " : "column (expected: row)  ";
  }
  VisionTask task(classifier, "bars", bars(4, 0), wrong);
  const std::string shown = task.demonstrate();
  captions.resize(captions.size() - 2);
  CHECK(shown.ends_with("\n" + captions + "\n"));
}

TEST_CASE("vision: images and labels that the model cannot take are refused") {
  const auto refuses = [](const LabelledImages& train, const LabelledImages& held_out,
                          const char* message) {
    CHECK_THROWS_WITH_AS(VisionTask(tiny_classifier(), "bars", train, held_out),
                         doctest::Contains(message), std::invalid_argument);
  };
  const LabelledImages good = bars(3, 0);
  LabelledImages bad = bars(3, 0);
  bad.labels.mutable_data()[1] = 2;
  refuses(bad, good, "images to train on: labels must be in [0, 2), got 2");
  bad.labels.mutable_data()[1] = -1;
  refuses(good, bad, "held-out images: labels must be in [0, 2), got -1");
  refuses({good.images, IndexTensor({2})}, good, "has 3 images and labels [2]");
  refuses({Tensor({3, 6, 4}), good.labels}, good, "needs images [N, 4, 6], got [3, 6, 4]");
  refuses(good, part_of(good, 0, 0), "held-out images: needs images");
}

TEST_CASE("vision: a checkpoint that is damaged is refused by name") {
  const auto refuses = [](const char* key, const nlohmann::json& value, const char* message) {
    const TemporaryFolder folder;
    tiny_images().save(folder.path);
    const auto file = folder.path / "config.json";
    nlohmann::json json = nlohmann::json::parse(bytes_of(file));
    json[key] = value;
    overwrite(file, json.dump());
    CHECK_REFUSES(load_vision_model(folder.path), message);
  };
  refuses("labels", {"row"}, "config.json: names 1 \"labels\", but \"n_labels\" is 2");
  refuses("patch", 0, "in patches of 0 are invalid");
  refuses("patch", 5, "images of 4 x 6 in patches of 5 are invalid");
  refuses("height", 1 << 20, "a size must be from 1 to 1048576, got 1572865");
  refuses("width", -6, "images of 4 x -6 in patches of 2 are invalid");
  refuses("model_type", "bert", "must be \"gradus-vit\", got \"bert\"");
}
