// A Bert that learns masked words, and its checkpoint folder.
#include "nn/tasks/masked_word_task.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "autograd/graph.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/shape.h"
#include "nn/files/bert_files.h"
#include "nn/files/model_configs.h"
#include "nn/files/safetensors.h"
#include "nn/text/byte_pair_tokenizer.h"
#include "nn/text/learn_byte_pairs.h"
#include "nn/text/special_tokens.h"
#include "nn/text/word_piece_tokenizer.h"
#include "nn/text/word_tokenizer.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_bert.h"

using namespace gradus;

namespace {

double score(const std::vector<Score>& scores, const std::string& name) {
  return std::ranges::find(scores, name, &Score::name)->value;
}

}  // namespace

TEST_CASE("masked words: the key alone decides, and validation draws from the held-out texts") {
  TinyBert tiny;
  MaskedWordTask task = tiny.masked_words();
  const auto loss = [&](Split split, const RandomKey& key) {
    return task.loss(split, 5, key).item();
  };
  const RandomKey key{7, 3, 1};
  CHECK(loss(Split::kTrain, key) == loss(Split::kTrain, key));
  CHECK(loss(Split::kVal, key) == loss(Split::kVal, key));
  CHECK(loss(Split::kTrain, key) != loss(Split::kVal, key));
  CHECK(loss(Split::kTrain, key) != loss(Split::kTrain, {7, 3, 2}));
  CHECK(loss(Split::kTrain, key) != loss(Split::kTrain, {7, 4, 1}));
  CHECK(loss(Split::kTrain, key) != loss(Split::kTrain, {8, 3, 1}));
}

TEST_CASE("masked words: what stands three places away is learned, which neighbours do not tell") {
  TinyBert tiny;
  MaskedWordTask task = tiny.masked_words(NormPlace::kPre);
  std::vector<Score> scores;
  TrainCallbacks callbacks;
  callbacks.on_eval = [&](const EvalReport& report) { scores = report.scores; };
  TrainOptions recipe = tiny.recipe();
  recipe.max_iters = 300;
  recipe.eval_interval = 300;
  Trainer(task, recipe, "").run(callbacks);
  REQUIRE(scores.size() == 3);
  CHECK(score(scores, "masked words") > score(scores, "unigram") + 0.3);
  CHECK(score(scores, "masked words") > score(scores, "bigram") + 0.1);
  // The predictions are for the requested position.
  const SpecialTokens special(*tiny.tokenizer);
  const TokenRow row = bert_row(task.model(), tiny.sentence(17));
  int right = 0;
  for (std::size_t place = 1; place <= 6; ++place) {
    TokenRow asked = row;
    asked[place] = special.mask;
    right += predict_masked(task.model(), asked, 1)[0][0].token == row[place];
  }
  CHECK(right >= 5);
}

TEST_CASE("masked words: scores use the same places each time, and need no graph") {
  TinyBert tiny;
  MaskedWordTask task = tiny.masked_words();
  const NoGrad no_grad;
  const std::vector<Score> first = task.scores(), second = task.scores();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(first[i].value == second[i].value);
  }
  // A model that predicts one word everywhere is right at this word's positions: over all words,
  // once at each position. With the most frequent word it is as good as the unigram.
  const std::vector<std::int32_t> words = maskable_tokens(*tiny.tokenizer);
  std::map<std::int32_t, std::ptrdiff_t> counts;
  for (const TokenRow& row : tiny.rows(0, 40)) {
    for (const std::int32_t token : row) ++counts[token];
  }
  const auto count = [&](std::int32_t word) { return counts[word]; };
  const std::int32_t frequent = *std::ranges::max_element(words, {}, count);
  const Tensor bias = task.model().model.word_bias;
  double everywhere = 0;
  for (const std::int32_t word : words) {
    std::fill_n(bias.mutable_data(), bias.size(), Scalar(0));
    bias.mutable_data()[word] = 1000;
    const std::vector<Score> scores = task.scores();
    everywhere += score(scores, "masked words");
    if (word == frequent) CHECK(score(scores, "masked words") == score(first, "unigram"));
    for (const char* name : {"unigram", "bigram"}) CHECK(score(scores, name) == score(first, name));
  }
  CHECK(everywhere == doctest::Approx(1));
}

TEST_CASE("masked words: rows of any length fit the model; padding changes nothing") {
  TinyBert tiny;
  const SpecialTokens special(*tiny.tokenizer);
  const TokenRow row = bert_row(tiny.bert, tiny.sentence(0));
  CHECK(row.front() == special.begin);
  CHECK(row.back() == special.end);
  TokenRow longer = row;
  longer.resize(row.size() + 3, special.pad);
  const auto features = [&](const TokenRow& tokens) {
    const IndexTensor x = padded({tokens}, special.pad);
    return tiny.bert.model.features(x, padding_mask(x, special.pad));
  };
  const Tensor alone = features(row), beside = features(longer);
  CHECK_CLOSE(slice(beside, 1, 0, std::ssize(row)), alone, 1e-5);

  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += tiny.sentence(static_cast<std::size_t>(i));
  }
  const TokenRow cut = bert_row(tiny.bert, text);
  CHECK(std::ssize(cut) == tiny.bert.model.config.layer.max_length);
  CHECK(cut.back() == special.end);
}

TEST_CASE("masked words: the loss asks the head at the chosen places alone") {
  TinyBert tiny;
  const IndexTensor tokens = indices({{3, 4, 5, 2}, {6, 2, 4, 3}});
  const IndexTensor targets = indices({{-100, 4, -100, 2}, {-100, -100, 3, -100}});
  const Bert& model = tiny.bert.model;
  const Tensor all = cross_entropy(model.word_logits(model.features(tokens)), targets);
  CHECK(model.masked_loss(tokens, targets).item() == doctest::Approx(all.item()));
  CHECK(model.masked_loss(tokens, indices({{-100, -100, -100, -100}, {-100, -100, -100, -100}}))
            .item() == 0);
  CHECK_THROWS_WITH_AS(model.masked_loss(tokens, indices({1, 2})),
                       doctest::Contains("targets must have the tokens' shape"),
                       std::invalid_argument);
}

TEST_CASE("masked words: tokens that stand for no word are never masked") {
  const std::string text = "the fox met a crow, and the crow met the fox; the fox";
  const auto words = maskable_tokens(WordTokenizer::learn(text, 20));
  CHECK(std::ranges::find(words, WordTokenizer::kUnknown) == words.end());
  CHECK(words.front() == 1);
  const auto pieces = WordPieceTokenizer::learn(text, 60);
  for (const std::int32_t token : maskable_tokens(pieces)) {
    CHECK_FALSE(pieces.is_special(token));
  }
  CHECK(std::ssize(maskable_tokens(pieces)) == pieces.vocab_size() - 5);
  Text source;
  source.append("text", text);
  const auto pairs = learn_tokenizer("bpe", source, 270);
  const auto& specials = dynamic_cast<const BytePairTokenizer&>(*pairs).pairs().specials;
  CHECK(maskable_tokens(*pairs).size() ==
        static_cast<std::size_t>(pairs->vocab_size()) - specials.size());
  CHECK_FALSE(specials.empty());
}

TEST_CASE("masked words: predictions are words, the most probable first") {
  TinyBert tiny;
  const SpecialTokens special(*tiny.tokenizer);
  TokenRow row = bert_row(tiny.bert, tiny.sentence(1));
  CHECK(predict_masked(tiny.bert, row, 3).empty());
  row[2] = row[4] = special.mask;
  const auto predictions = predict_masked(tiny.bert, row, 1000);
  REQUIRE(predictions.size() == 2);
  const auto words = maskable_tokens(*tiny.tokenizer);
  CHECK(predictions[0].size() == words.size());
  CHECK(std::ranges::is_sorted(predictions[0], std::ranges::greater(),
                               &TokenPrediction::probability));
  for (const TokenPrediction& prediction : predictions[1]) {
    CHECK(std::ranges::binary_search(words, prediction.token));
  }
  CHECK(predict_masked(tiny.bert, row, 3)[1].size() == 3);
  MaskedWordTask task = tiny.masked_words();
  CHECK(task.demonstrate().find("[MASK]") != std::string::npos);
}

TEST_CASE("bert: a folder holds Hugging Face's layout, and reads back to the same logits") {
  TinyBert tiny;
  tiny.bert.model.set_labels(3, 5);
  tiny.bert.labels = {"a", "b", "c"};
  TemporaryFolder folder;
  save_bert(folder.path, tiny.bert);
  CHECK(kind_of_checkpoint(folder.path) == ModelKind::kBert);
  const Safetensors kept = load_safetensors((folder.path / "model.safetensors").string());
  const LayerOptions& layer = tiny.bert.model.config.layer;
  const Index channels = layer.d_model;
  CHECK(kept.tensors.at("bert.encoder.layer.0.intermediate.dense.weight").shape() ==
        Shape{layer.d_ff, channels});  // [out, in]
  CHECK(kept.tensors.at("bert.encoder.layer.0.output.dense.weight").shape() ==
        Shape{channels, layer.d_ff});
  CHECK(kept.tensors.at("classifier.weight").shape() == Shape{3, channels});
  CHECK(kept.tensors.at("bert.embeddings.position_embeddings.weight").shape() ==
        Shape{layer.max_length, channels});
  CHECK_CLOSE(transpose(kept.tensors.at("bert.pooler.dense.weight")), tiny.bert.model.pooler.weight,
              0);  // square, but transposed too
  const auto config = nlohmann::json::parse(bytes_of(folder.path / "config.json"));
  CHECK(config["model_type"] == "bert");
  CHECK(config["hidden_size"] == channels);
  CHECK(config["num_hidden_layers"] == 2);
  CHECK(config["num_attention_heads"] == 2);
  CHECK(config["intermediate_size"] == layer.d_ff);
  CHECK(config["hidden_act"] == "gelu");
  CHECK(config["max_position_embeddings"] == layer.max_length);
  CHECK(config["pad_token_id"] == SpecialTokens(*tiny.tokenizer).pad);

  BertModel back = load_bert(folder.path);
  CHECK(back.labels == tiny.bert.labels);
  CHECK(all_values(parameters(back.model)) == all_values(parameters(tiny.bert.model)));
  const IndexTensor tokens = padded({bert_row(back, tiny.sentence(2))}, 0);
  const auto logits = [&](const BertModel& bert) {
    return bert.model.word_logits(bert.model.features(tokens));
  };
  CHECK_CLOSE(logits(back), logits(tiny.bert), 0);
  CHECK(trainable(parameters(back.model)).size() == parameters(back.model).size());
}

TEST_CASE("bert: damaged folders are errors that name the file") {
  TinyBert tiny;
  tiny.bert.model.set_labels(2, 5);
  tiny.bert.labels = {"a", "b"};
  TemporaryFolder folder;
  const auto refuses = [&](const char* key, const nlohmann::json& value, const char* message) {
    save_bert(folder.path, tiny.bert);
    auto config = nlohmann::json::parse(bytes_of(folder.path / "config.json"));
    config[key] = value;
    overwrite(folder.path / "config.json", config.dump());
    CAPTURE(key);
    CHECK_THROWS_WITH_AS(load_bert(folder.path), doctest::Contains(message), std::runtime_error);
  };
  refuses("model_type", "gpt2", "\"model_type\" must be \"bert\"");
  refuses("vocab_size", 12345, "do not belong together");
  refuses("d_model", 1 << 30, "a size must be from 1");
  refuses("d_model", -4, "a size must be from 1");
  refuses("n_layer", 999999, "\"n_layer\" must be from 1");
  refuses("n_layer", 3, "model.safetensors: lacks the tensor");
  refuses("num_heads", 7, "multiple of num_heads");
  refuses("type_vocab_size", 0, "config.json: \"type_vocab_size\" must be at least 1");
  refuses("type_vocab_size", 3, "token_type_embeddings");
  refuses("n_labels", 3, "names 2 labels, but \"n_labels\" is 3");
  refuses("n_labels", -1, "\"n_labels\" not negative, got 2 and -1");
  refuses("labels", "many", "\"labels\" must be a list of short texts, got \"many\"");
  refuses("labels", {"one"}, "names 1 labels, but \"n_labels\" is 2");
  refuses("labels", nlohmann::json::array({"a", 7}), "\"labels\" must be");
  refuses("activation", "walrus", "\"activation\" must be");
  save_bert(folder.path, tiny.bert);
  overwrite(folder.path / "model.safetensors",
            bytes_of(folder.path / "model.safetensors").substr(0, 3000));
  CHECK_THROWS_WITH_AS(load_bert(folder.path), doctest::Contains("model.safetensors"),
                       std::runtime_error);
}

TEST_CASE("masked words: texts without words are errors") {
  TinyBert tiny;
  CHECK_THROWS_WITH_AS(MaskedWordTask(tiny.bert, "none", {{}, tiny.rows(0, 3)}),
                       doctest::Contains("none: no text with words is left to train on"),
                       std::invalid_argument);
  const TokenRow unknown(9, WordTokenizer::kUnknown);
  CHECK_THROWS_WITH_AS(MaskedWordTask(tiny.bert, "unknown", {tiny.rows(0, 3), {unknown}}),
                       doctest::Contains("unknown: no text with words is left held out"),
                       std::invalid_argument);
}
