#include "nn/tasks/translation_task.h"

#include <nlohmann/json.hpp>
#include <set>

#include "autograd/graph.h"
#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/files/model_configs.h"
#include "nn/text/special_tokens.h"
#include "nn/text/word_tokenizer.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/saved_checkpoint.h"

using namespace gradus;

namespace {

Translator tiny_translator(Scalar dropout = 0) {
  const auto tokenizer = std::make_shared<WordTokenizer>(
      WordTokenizer::learn("the cat sleeps\nthe dog sleeps\no gato dorme\no cão dorme", 40));
  return make_translator(tokenizer, 1,
                         {.d_model = 16, .num_heads = 2, .dropout = dropout, .max_length = 12}, 5);
}

DataSplit<SentencePair> tiny_data() {
  return {{{"the cat sleeps", {"o gato dorme"}},
           {"the dog sleeps", {"o cão dorme", "dorme o cão"}},
           {"the dog", {"o cão"}}},
          {{"the cat sleeps", {"o gato dorme"}}, {"the dog", {"o cão dorme"}}}};
}

TranslationTask tiny_translation() { return {tiny_translator(), "tiny", tiny_data(), 0}; }

}  // namespace

TEST_CASE("translation: a batch is a function of the key, and splits are different pairs") {
  TranslationTask task = tiny_translation();
  const double loss = task.loss(Split::kTrain, 4, {1, 2, 3}).item();
  CHECK(task.loss(Split::kTrain, 4, {1, 2, 3}).item() == loss);
  CHECK(task.loss(Split::kTrain, 4, {1, 2, 4}).item() != loss);
  CHECK(task.loss(Split::kVal, 4, {1, 2, 3}).item() != loss);
}

TEST_CASE("translation: each of several right translations is learned from") {
  DataSplit<SentencePair> data = tiny_data();
  data.train = {data.train[1]};
  TranslationTask task(tiny_translator(), "tiny", data, 0);
  std::set<double> losses;
  for (std::uint32_t place = 0; place < 20; ++place) {
    losses.insert(task.loss(Split::kTrain, 1, {1, 0, place}).item());
  }
  CHECK(losses.size() == 2);
}

TEST_CASE("translation: learns a tiny set, and its checkpoint translates the same") {
  const TemporaryFolder folder;
  TranslationTask task = tiny_translation();
  TrainOptions options;
  options.max_iters = 80;
  options.batch_size = 6;
  options.eval_interval = 80;
  options.eval_iters = 2;
  options.schedule = {.rate = 1e-2, .floor = 1e-3, .warmup = 5, .decay = 80};
  std::vector<EvalReport> reports;
  TrainCallbacks callbacks;
  callbacks.on_eval = [&](const EvalReport& report) { reports.push_back(report); };
  REQUIRE(Trainer(task, options, folder.path / "out").run(callbacks));
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].train_loss > 2);
  CHECK(reports[1].train_loss < 0.3);
  for (const int width : {1, 3}) {
    const std::vector<Score> scores = task.scores_of_all(width);
    REQUIRE(scores.size() == 2);
    CHECK(scores[0].name == "exact match");
    CHECK(scores[0].value == 0.5);  // in training "the dog" is "o cão"
    CHECK(scores[1].name == "BLEU");
  }
  CHECK(task.demonstrate() ==
        "the cat sleeps\n  o gato dorme\nthe dog\n  o cão   (expected: o cão dorme)\n");

  const Translator loaded = load_translator(folder.path / "out" / "last");
  const std::vector<std::string> sources = {"the cat sleeps", "the dog", "cat the", ""};
  const std::vector<std::string> together = translate(loaded, sources);
  CHECK(together == translate(task.model(), sources));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    CHECK(translate(loaded, {sources[i]}).front() == together[i]);
  }
}

TEST_CASE("translation: one that does not end is cut off") {
  const Translator translator = tiny_translator();
  const SpecialTokens special(*translator.tokenizer);
  // The output layer's bias selects always the token of "dorme" and never the end.
  Translator endless = translator;
  const std::int32_t token = endless.tokenizer->encode(" dorme").front();
  for (auto& [name, tensor, role] : parameters(endless.model)) {
    if (tensor.shape() == Shape{special.vocab_size}) {
      tensor.mutable_data()[token] = 100;
    }
  }
  CHECK(translate(endless, {"the cat"}, 1, 2) == std::vector<std::string>{" dorme dorme"});
  CHECK(translate(endless, {"the cat"}, 2, 2) == std::vector<std::string>{" dorme dorme"});
  std::string all;
  for (int i = 0; i < 11; ++i) {
    all += " dorme";
  }
  CHECK(translate(endless, {"the cat"}).front() == all);  // of 12 positions one is the beginning
}

TEST_CASE("translation: sentences that the model cannot take are named") {
  const auto refuses = [](DataSplit<SentencePair> data, const char* message) {
    CHECK_THROWS_WITH_AS(TranslationTask(tiny_translator(), "tiny", data),
                         doctest::Contains(message), std::invalid_argument);
  };
  const std::vector<SentencePair> good = {{"the cat", {"o gato"}}};
  const std::string many = "the cat the cat the cat the cat the cat the cat";
  refuses({{{many + std::string(90, ' '), {"o gato"}}}, good},
          "...': must have at most ");  // shortened
  refuses({{{many, {"o gato"}}}, good}, "must have at most 11 tokens, got 17");
  refuses({good, {{"the cat", {"o gato", many}}}}, "must have at most 11 tokens, got 17");
  refuses({{}, good}, "needs pairs to train on and held out, got 0 and 1");
  refuses({good, {}}, "got 1 and 0");
}

TEST_CASE("translation: a checkpoint that is damaged is refused by name") {
  const auto refuses = [](const char* key, const nlohmann::json& value, const char* message) {
    const TemporaryFolder folder;
    tiny_translation().save(folder.path);
    const auto file = folder.path / "config.json";
    nlohmann::json json = nlohmann::json::parse(bytes_of(file));
    json[key] = value;
    overwrite(file, json.dump());
    CHECK_REFUSES(load_translator(folder.path), message);
  };
  refuses("src_vocab", 7, "(the two files do not belong together)");
  refuses("trg_vocab", 7, "(the two files do not belong together)");
  refuses("d_model", 1 << 18, "describes a model that is too large");
  refuses("num_heads", 0, "d_model must be a multiple of num_heads");
  refuses("n_layer", 2, "lacks the tensor");
  refuses("position", "nowhere", "\"position\" must be");
  refuses("model_type", "gradus-vit", "must be \"gradus-translator\", got \"gradus-vit\"");
}

TEST_CASE("translation: a small config that asks for gigabytes is refused before they are taken") {
  for (const char* position : {"learned", "sinusoidal"}) {
    CAPTURE(position);
    const TemporaryFolder folder;
    tiny_translation().save(folder.path);
    const auto file = folder.path / "config.json";
    nlohmann::json json = nlohmann::json::parse(bytes_of(file));
    json["max_length"] = 1'048'376;
    json["d_model"] = 1984;
    json["num_heads"] = 2;
    json["position"] = position;
    overwrite(file, json.dump());
    CHECK_REFUSES(load_transformer_config(folder.path), "config.json: describes a model of 2");
    CHECK_REFUSES(load_translator(folder.path), "(the files do not belong together)");
  }
}
