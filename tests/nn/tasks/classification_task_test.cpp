#include <nlohmann/json.hpp>

#include "autograd/graph.h"
#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/files/model_configs.h"
#include "nn/tasks/label_task.h"
#include "nn/tasks/text_classifier.h"
#include "nn/text/word_tokenizer.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;

namespace {

const std::vector<std::string> kLabels = {"cat", "dog"};
using ClassificationTask = LabelTask<TextClassifier>;

const LayerOptions kLayer = {.d_model = 8, .num_heads = 2, .d_ff = 10, .max_length = 9};

std::shared_ptr<const Tokenizer> tiny_tokenizer() {
  return std::make_shared<WordTokenizer>(
      WordTokenizer::learn("The cat purrs. The dog barks, and the Dog runs at a cat!", 30));
}

TextClassifier tiny_classifier(LayerOptions layer = kLayer) {
  return make_text_classifier(tiny_tokenizer(), kLabels, 1, layer, 5);
}

DataSplit<LabelledText> tiny_data() {
  return {{{"The cat purrs", 0},
           {"a dog barks and runs", 1},
           {"The cat runs at a cat", 0},
           {"the Dog", 1},
           {"", 0}},
          {{"The cat purrs", 0}, {"the Dog", 1}, {"the Dog", 0}}};
}

ClassificationTask tiny_sentiment(LayerOptions layer = kLayer) {
  return {tiny_classifier(layer), "tiny", tiny_data()};
}

}  // namespace

TEST_CASE("classification: a batch is a function of the key, and splits are different texts") {
  ClassificationTask task =
      tiny_sentiment({.d_model = 8, .num_heads = 2, .dropout = 0, .max_length = 9});
  const double loss = task.loss(Split::kTrain, 4, {1, 2, 3}).item();
  CHECK(task.loss(Split::kTrain, 4, {1, 2, 3}).item() == loss);
  CHECK(task.loss(Split::kTrain, 4, {1, 2, 4}).item() != loss);
  CHECK(task.loss(Split::kVal, 4, {1, 2, 3}).item() != loss);
  CHECK(task.tokens_in(10) == 42);  // 4, 6, 7, 3 and 1 with begin tokens, times 2
}

TEST_CASE("classification: held-out texts have their own labels") {
  ClassificationTask task(tiny_classifier(), "tiny", {{{"a cat", 0}}, {{"a cat", 1}}});
  const double train = task.loss(Split::kTrain, 2, {1, 0, 0}).item();
  const double held_out = task.loss(Split::kVal, 2, {1, 0, 0}).item();
  CHECK(std::exp(-train) + std::exp(-held_out) == doctest::Approx(1));  // p(cat) + p(dog)
}

TEST_CASE("classification: other texts beside a text change nothing, and an empty one is a text") {
  const TextClassifier classifier = tiny_classifier();
  const std::vector<std::string> texts = {"The cat", "the Dog runs at a cat and", ""};
  const std::vector<Prediction> together = classify(classifier, texts);
  REQUIRE(together.size() == 3);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Prediction alone = classify(classifier, {texts[i]}).front();
    CHECK(alone.label == together[i].label);
    CHECK(alone.probabilities[0] == doctest::Approx(together[i].probabilities[0]).epsilon(1e-5));
    CHECK(alone.probabilities[0] + alone.probabilities[1] == doctest::Approx(1));
  }
  CHECK(classify(classifier, {}).empty());
}

TEST_CASE("classification: many texts are answered in their order") {
  const TextClassifier classifier = tiny_classifier();
  std::vector<std::string> texts(205, "The cat");
  texts[3] = texts[204] = "dog barks";
  const std::vector<Prediction> predictions = classify(classifier, texts);
  REQUIRE(predictions.size() == 205);
  CHECK(predictions[204].probabilities[0] == doctest::Approx(predictions[3].probabilities[0]));
  CHECK(std::abs(predictions[203].probabilities[0] - predictions[3].probabilities[0]) > 1e-3);
}

TEST_CASE("classification: learns a tiny set, and its checkpoint answers the same") {
  const TemporaryFolder folder;
  ClassificationTask task = tiny_sentiment();
  TrainOptions options;
  options.max_iters = 60;
  options.batch_size = 5;
  options.eval_interval = 60;
  options.eval_iters = 2;
  options.schedule = {.rate = 2e-2, .floor = 2e-3, .warmup = 5, .decay = 60};
  std::vector<EvalReport> reports;
  TrainCallbacks callbacks;
  callbacks.on_eval = [&](const EvalReport& report) { reports.push_back(report); };
  Trainer trainer(task, options, folder.path / "out");
  REQUIRE(trainer.run(callbacks));
  REQUIRE(reports.size() == 2);
  CHECK(reports[1].train_loss < 0.2);
  CHECK(reports[0].train_loss > 0.4);
  const std::vector<Score> scores = task.scores();
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].name == "accuracy");
  CHECK(scores[0].value == doctest::Approx(2. / 3));  // "the Dog" is labelled as both
  CHECK(scores[1].name == "bag of words");
  CHECK(scores[1].value == doctest::Approx(2. / 3));
  CHECK(task.demonstrate().find("the Dog\n  dog   (expected: cat)\n") != std::string::npos);

  const TextClassifier loaded = load_text_classifier(folder.path / "out" / "last");
  CHECK(loaded.labels == kLabels);
  const std::vector<std::string> texts = {"The dog runs", "", "a cat purrs, and a fox"};
  const auto before = classify(task.model(), texts), after = classify(loaded, texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CHECK(before[i].probabilities == after[i].probabilities);
  }
}

TEST_CASE("classification: word vectors take the place of embeddings, whatever the capitals") {
  TextClassifier classifier = tiny_classifier();
  WordVectors vectors{{"cat", "Dog", "dog", "nowhere", "the"}, Tensor({5, 8})};
  std::iota(vectors.vectors.mutable_data(), vectors.vectors.mutable_data() + vectors.vectors.size(),
            Scalar(0));
  const Tensor before = classifier.model.embed.weight.clone();
  const auto vector_of = [&](const char* word) {
    const auto tokens = classifier.tokenizer->encode(word);
    REQUIRE(tokens.size() == 1);
    return classifier.model.embed.weight.data()[tokens[0] * 8];
  };
  CHECK(take_word_vectors(classifier, vectors, false) == 6);
  CHECK(vector_of(" cat") == 0);  // row 0, without the blank
  CHECK(vector_of(" Dog") == 8);  // unchanged, before lower case
  CHECK(vector_of(" dog") == 16);
  CHECK(vector_of("The") == 32);
  CHECK(vector_of(" the") == 32);
  const std::int32_t runs = classifier.tokenizer->encode(" runs")[0];
  CHECK(classifier.model.embed.weight.data()[runs * 8] == before.data()[runs * 8]);
  CHECK(classifier.model.embed.weight.requires_grad());
  CHECK_THROWS_WITH_AS(
      take_word_vectors(classifier, {{"cat"}, Tensor({1, 5})}, false),
      doctest::Contains("must have the model's 8 channels, got 5 (choose --n_embd=5)"),
      std::invalid_argument);
}

TEST_CASE("classification: frozen vectors stay, also after a checkpoint") {
  const TemporaryFolder folder;
  TextClassifier classifier = tiny_classifier();
  take_word_vectors(classifier, {{"cat"}, ones({1, 8})}, true);
  const Tensor before = classifier.model.embed.weight.clone();
  ClassificationTask task(classifier, "tiny", tiny_data());
  TrainOptions options;
  options.max_iters = 3;
  options.batch_size = 2;
  options.eval_iters = 1;
  Trainer(task, options, folder.path).run({});
  CHECK(std::equal(before.begin(), before.end(), task.model().model.embed.weight.begin()));
  TextClassifier loaded = load_text_classifier(folder.path / "last");
  CHECK(loaded.model.config.frozen_embed);
  CHECK(!loaded.model.embed.weight.requires_grad());
  ClassificationTask again(loaded, "tiny", tiny_data());
  options.max_iters = 5;
  Trainer trainer(again, options, folder.path);
  trainer.resume(folder.path / "last", *load_state(folder.path / "last"));
  CHECK(trainer.run({}));
  CHECK(std::equal(before.begin(), before.end(), again.model().model.embed.weight.begin()));
}

TEST_CASE("classification: texts and labels that the model cannot take are named") {
  const auto refuses = [](DataSplit<LabelledText> data, const char* message) {
    CHECK_THROWS_WITH_AS(ClassificationTask(tiny_classifier(), "tiny", data),
                         doctest::Contains(message), std::invalid_argument);
  };
  refuses({{{"a cat", 2}}, {{"a cat", 0}}}, "'a cat': labels must be in [0, 2), got 2");
  refuses({{{"a cat", 0}}, {{"a cat", -1}}}, "labels must be in [0, 2), got -1");
  refuses({{{"a a a a a a a a a", 0}}, {{"a cat", 0}}}, "must have at most 8 tokens, got");
  refuses({{}, {{"a cat", 0}}}, "needs training and held-out texts, got 0 and 1");
  refuses({{{"a cat", 0}}, {}}, "got 1 and 0");
}

TEST_CASE("classification: a checkpoint that is damaged is refused by name") {
  const auto refuses = [](const char* key, const nlohmann::json& value, const char* message) {
    const TemporaryFolder folder;
    tiny_sentiment().save(folder.path);
    const auto file = folder.path / "config.json";
    nlohmann::json json = nlohmann::json::parse(bytes_of(file));
    json[key] = value;
    overwrite(file, json.dump());
    CHECK_REFUSES(load_text_classifier(folder.path), message);
  };
  refuses("labels", {"cat"}, "config.json: names 1 \"labels\", but \"n_labels\" is 2");
  refuses("labels", {"cat", 3}, "\"labels\" must be a list of short texts, got 3");
  refuses("labels", "cat", "\"labels\"");
  refuses("n_labels", 1 << 30, "a size must be from 1 to");
  refuses("n_labels", 3, "names 2 \"labels\", but \"n_labels\" is 3");
  refuses("vocab_size", 7, "(the two files do not belong together)");
  refuses("frozen_embed", 1, "\"frozen_embed\" must be true or false, got 1");
  refuses("model_type", "gpt2", "must be \"gradus-classifier\", got \"gpt2\"");
  refuses("n_layer", 2, "lacks the tensor encoder.layers.1");
}
