// BERTs that other programs wrote and read. golden/bert_checkpoint.py made the fixture with
// PyTorch.
#include "nn/files/bert_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "autograd/graph.h"
#include "nn/data/corpus.h"
#include "nn/data/items.h"
#include "nn/files/checkpoint.h"
#include "nn/files/model_configs.h"
#include "nn/files/safetensors.h"
#include "nn/files/tokenizer_files.h"
#include "nn/files/word_piece_files.h"
#include "nn/mode.h"
#include "nn/tasks/bert_label_task.h"
#include "nn/text/special_tokens.h"
#include "tests/autograd/expect.h"
#include "tests/nn/edit_file.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

namespace fs = std::filesystem;
using Ordered = nlohmann::ordered_json;
using TensorMap = std::map<std::string, Tensor>;

const fs::path kGolden = GRADUS_GOLDEN_DIR;
const std::string kText = "The [MASK] met a fox, and Unaffable HENS slept \u00e9!";

/// A copy of the fixture, which tests change.
struct HuggingFaceBert {
  HuggingFaceBert() { fs::copy(kGolden / "bert_hf", folder.path, fs::copy_options::recursive); }
  void edit(const char* file, const std::function<void(Ordered&)>& change) const {
    edit_json(folder.path / file, change);
  }
  void edit_tensors(const std::function<void(TensorMap&)>& change) const {
    gradus::edit_tensors(folder.path / "model.safetensors", change);
  }
  /// Gives each tensor another name; an empty name removes the tensor.
  void rename(const std::function<std::string(const std::string&)>& name) const {
    edit_tensors([&](TensorMap& tensors) {
      TensorMap renamed;
      for (const auto& [old, tensor] : tensors) {
        if (!name(old).empty()) renamed[name(old)] = tensor;
      }
      tensors = renamed;
    });
  }
  BertModel load() const { return load_bert(folder.path); }

  TemporaryFolder folder;
  Safetensors expected = load_safetensors((kGolden / "bert_hf.safetensors").string());
};

/// The tokens of the text, with the mask.
TokenRow row_of(const BertModel& bert) {
  const SpecialTokens special(*bert.tokenizer);
  TokenRow row = {special.begin};
  const std::size_t mask = kText.find("[MASK]");
  std::ranges::copy(bert.tokenizer->encode(kText.substr(0, mask)), std::back_inserter(row));
  row.push_back(special.mask);
  std::ranges::copy(bert.tokenizer->encode(kText.substr(mask + 6)), std::back_inserter(row));
  row.push_back(special.end);
  return row;
}

Tensor features_of(const BertModel& bert) {
  const NoGrad no_grad;
  return bert.model.features(padded({row_of(bert)}, 0));
}

void check_logits(const HuggingFaceBert& hf, const BertModel& bert) {
  const NoGrad no_grad;
  const IndexTensor& tokens = hf.expected.indices.at("tokens");
  CHECK(row_of(bert) == TokenRow(tokens.begin(), tokens.end()));
  const Tensor logits = bert.model.word_logits(features_of(bert));
  CHECK(logits.size(2) == 32);
  for (Index i = 0; i < logits.size(); ++i) {
    const Scalar wanted = hf.expected.tensors.at("logits").data()[i];
    CHECK(logits.data()[i] == doctest::Approx(static_cast<double>(wanted)).epsilon(1e-4));
  }
}

bool starts(const std::string& name, const char* with) { return name.starts_with(with); }

}  // namespace

TEST_CASE("hugging face's bert: logits are PyTorch's, whatever the file calls its tensors") {
  const auto check = [](const std::function<void(const HuggingFaceBert&)>& change) {
    const HuggingFaceBert hf;
    change(hf);
    check_logits(hf, hf.load());
  };
  SUBCASE("as pre-trained, with both heads and the decoder") {
    check([](const auto&) {});
  }
  SUBCASE("as in 2018: LayerNorm.gamma and beta") {
    check([](const HuggingFaceBert& hf) {
      hf.rename([](std::string name) {
        for (const auto& [now, old] : {std::pair(".weight", ".gamma"), std::pair(".bias", ".beta")})
          if (name.ends_with(std::string("LayerNorm") + now))
            name.replace(name.rfind('.'), std::string::npos, old);
        return name;
      });
    });
  }
  SUBCASE("for masked words alone, without pooler, pairs and decoder") {
    check([](const HuggingFaceBert& hf) {
      hf.rename([](const std::string& name) {
        const bool dropped = starts(name, "bert.pooler") || starts(name, "cls.seq") ||
                             starts(name, "cls.predictions.decoder");
        return dropped ? "" : name;
      });
    });
  }
  SUBCASE("with the bias of the decoder alone, and embeddings' position_ids") {
    check([](const HuggingFaceBert& hf) {
      hf.rename([](const std::string& name) { return name == "cls.predictions.bias" ? "" : name; });
      const std::string file = (hf.folder.path / "model.safetensors").string();
      const Safetensors kept = load_safetensors(file);
      save_safetensors(file, named(kept.tensors), {},
                       {{"bert.embeddings.position_ids", indices({{0, 1, 2}})}});
    });
  }
  SUBCASE("with vocab.txt in place of tokenizer.json") {
    check([](const HuggingFaceBert& hf) { fs::remove(hf.folder.path / "tokenizer.json"); });
  }
  SUBCASE("with an old config that does not name the model") {
    check([](const HuggingFaceBert& hf) {
      hf.edit("config.json", [](Ordered& json) {
        for (const char* key : {"model_type", "architectures", "layer_norm_eps"}) json.erase(key);
      });
    });
  }
}

TEST_CASE("hugging face's bert: special tokens are the tokenizer's, and rows of none are cut") {
  const HuggingFaceBert hf;
  const BertModel bert = hf.load();
  const SpecialTokens special(*bert.tokenizer);
  CHECK(special.pad == 0);
  CHECK(special.begin == 4);
  CHECK(special.end == 5);
  CHECK(special.mask == 6);
  CHECK(special.vocab_size == 32);
  CHECK(bert.model.config.vocab_size == 32);  // rows without a token would all win
  CHECK(decoded(*bert.tokenizer, row_of(bert)) == "the met a fox , and unaffable hens slept e !");
  const auto predictions = predict_masked(bert, row_of(bert), 100);
  REQUIRE(predictions.size() == 1);
  CHECK(predictions[0].size() == 32 - 5);
  for (const TokenPrediction& prediction : predictions[0])
    CHECK_FALSE(special.contains(prediction.token));
}

TEST_CASE("bert: many labels are read as they were written, and too many not written") {
  const HuggingFaceBert hf;
  BertModel bert = hf.load();
  const auto labelled = [&](std::size_t length) {
    BertConfig config = bert.model.config;
    config.n_labels = 30'000;
    bert.model = Bert(config);
    bert.labels.clear();
    for (int i = 0; i < 30'000; ++i) {
      bert.labels.push_back(std::to_string(i) + std::string(length, 'x'));
    }
  };
  labelled(20);
  const TemporaryFolder folder;
  save_bert(folder.path, bert);
  CHECK(load_bert(folder.path).labels == bert.labels);
  labelled(250);
  CHECK_FAILS(save_bert(folder.path, bert), "the 30000 labels need more");
}

TEST_CASE("hugging face's bert: a model without heads reads texts and can be taught labels") {
  const HuggingFaceBert hf;
  const Tensor whole = features_of(hf.load());
  hf.rename([](const std::string& name) {
    return starts(name, "cls.") ? "" : starts(name, "bert.") ? name.substr(5) : name;
  });
  BertModel bert = hf.load();
  CHECK_CLOSE(features_of(bert), whole, 1e-6);
  CHECK_FALSE(bert.fills_masks);
  CHECK_THROWS_WITH_AS(predict_masked(bert, row_of(bert), 1),
                       doctest::Contains("has no head for masked words"), std::invalid_argument);
  const std::vector<LabelledText> texts = {{"the fox slept", 0}, {"a fine day", 1}};
  BertLabelTask task(bert, "days", {"sleep", "fine"}, {texts, texts}, 3);
  const Training training(1, 1);
  backward(task.loss(Split::kTrain, 2, {1, 1, 1}));
  TemporaryFolder out;
  task.save(out.path);
  const BertModel back = load_bert(out.path);
  CHECK(back.labels == std::vector<std::string>{"sleep", "fine"});
  CHECK_FALSE(back.fills_masks);  // an untrained head is not saved
  const Ordered config = Ordered::parse(bytes_of(out.path / "config.json"));
  CHECK(config["id2label"] == Ordered{{"0", "sleep"}, {"1", "fine"}});
  CHECK(config["pad_token_id"] == 0);
  CHECK(config["vocab_size"] == 32);
}

TEST_CASE("hugging face's bert: a classifier of texts, with its labels' names") {
  const HuggingFaceBert hf;
  hf.edit_tensors([&](TensorMap& tensors) {
    std::erase_if(tensors, [](const auto& entry) { return starts(entry.first, "cls."); });
    for (const char* name : {"classifier.weight", "classifier.bias"})
      tensors[name] = hf.expected.tensors.at(name);
  });
  hf.edit("config.json", [](Ordered& json) {
    json["architectures"] = {"BertForSequenceClassification"};
    json["id2label"] = {{"0", "bad"}, {"1", "so so"}, {"2", "good"}};
  });
  const BertModel bert = hf.load();
  CHECK(bert.labels == std::vector<std::string>{"bad", "so so", "good"});
  const NoGrad no_grad;
  const Tensor labels = bert.model.sequence_logits(features_of(bert));
  CHECK_CLOSE(labels, hf.expected.tensors.at("labels"), 1e-4);

  hf.edit("config.json", [](Ordered& json) { json["id2label"] = {1, 2}; });
  CHECK_THROWS_WITH_AS(hf.load(), doctest::Contains("\"id2label\" must be an object, got [1,2]"),
                       std::runtime_error);
  hf.edit("config.json", [](Ordered& json) { json["id2label"] = nullptr; });  // means none
  CHECK_THROWS_WITH_AS(hf.load(),
                       doctest::Contains("classifier.weight must have the shape [2, 12], got [3,"),
                       std::runtime_error);
  hf.edit("config.json", [](Ordered& json) { json["num_labels"] = 3; });
  CHECK(hf.load().labels == std::vector<std::string>{"LABEL_0", "LABEL_1", "LABEL_2"});
  hf.rename([](const std::string& name) { return starts(name, "bert.pooler") ? "" : name; });
  CHECK_THROWS_WITH_AS(
      hf.load(),
      doctest::Contains("lacks the tensor bert.pooler.dense.weight (the summary of a text"),
      std::runtime_error);
}

TEST_CASE("hugging face's bert: refuses a config of another model") {
  const auto refuses = [](const char* key, const Ordered& value, const char* message) {
    const HuggingFaceBert hf;
    hf.edit("config.json", [&](Ordered& json) { json[key] = value; });
    CAPTURE(key);
    CHECK_THROWS_WITH_AS(hf.load(), doctest::Contains(message), std::runtime_error);
  };
  refuses("hidden_act", "relu", "\"hidden_act\" must be \"gelu\", got \"relu\"");
  refuses("position_embedding_type", "relative_key", "must be \"absolute\"");
  refuses("is_decoder", true, "\"is_decoder\" must be false");
  refuses("hidden_size", 13, "multiple of num_heads");
  refuses("hidden_size", nullptr, "\"hidden_size\" must be a whole number");
  refuses("vocab_size", 31, "tokenizer.json: needs a vocabulary of 32, but config.json has 31");
  refuses("vocab_size", 2000, "tokenizer.json: needs a vocabulary of 32");
  refuses("vocab_size", 48, "word_embeddings.weight must have the shape [48, 12], got [40, 12]");
  refuses("num_hidden_layers", 3, "(queries, keys or values of a layer)");
  refuses("model_type", "roberta", "\"model_type\" must be \"bert\", got \"roberta\"");

  const auto refuses_tensor = [](const std::function<void(TensorMap&)>& change,
                                 const char* message) {
    const HuggingFaceBert hf;
    hf.edit_tensors(change);
    CHECK_THROWS_WITH_AS(hf.load(), doctest::Contains(message), std::runtime_error);
  };
  refuses_tensor([](TensorMap& t) { *t.at("cls.predictions.decoder.weight").mutable_data() += 1; },
                 "cls.predictions.decoder.weight differs from bert.embeddings.word_embeddings");
  refuses_tensor([](TensorMap& t) { *t.at("cls.predictions.decoder.bias").mutable_data() += 1; },
                 "cls.predictions.decoder.bias must be equal to");
  refuses_tensor([](TensorMap& t) { t.erase("bert.encoder.layer.1.output.LayerNorm.weight"); },
                 "(the norm behind a layer's feed-forward network)");
  refuses_tensor(
      [](TensorMap& t) {
        t["qa_outputs.weight"] = ones({2, 12});
      },
      "qa_outputs.weight (the head for answers within a text, which is not supported)");
  refuses_tensor([](TensorMap& t) { t["bert.embeddings.LayerNorm.gamma"] = ones({12}); },
                 "twice, under an old name and a new one");
  refuses_tensor([](TensorMap& t) { t.erase("cls.predictions.transform.dense.weight"); },
                 "cls.predictions.transform.dense.weight (the head for masked words)");
}

TEST_CASE("bert: a saved model has each special token once, as trained") {
  const auto pieces = std::make_shared<WordPieceTokenizer>(
      WordPieceTokenizer::learn("the fox met a crow, and the crow met the fox", 60));
  BertModel bert = make_bert(pieces, 1,
                             {.d_model = 8,
                              .num_heads = 2,
                              .activation = Activation::kGeluErf,
                              .norm_place = NormPlace::kPost,
                              .position = Position::kLearned,
                              .max_length = 12},
                             3);
  CHECK(bert.model.config.vocab_size == pieces->vocab_size());
  const TokenRow row = bert_row(bert, "the fox");
  CHECK(row.front() == pieces->cls());
  CHECK(row.back() == pieces->sep());
  TemporaryFolder folder;
  save_bert(folder.path, bert);
  const Ordered config = Ordered::parse(bytes_of(folder.path / "config.json"));
  CHECK(config["pad_token_id"] == pieces->pad());
  CHECK(config["vocab_size"] == pieces->vocab_size());
  CHECK(tokenizer_to_json(load_bert_vocabulary(folder.path)) == tokenizer_to_json(*pieces));
  CHECK(tokenizer_to_json(*load_bert(folder.path).tokenizer) == tokenizer_to_json(*pieces));
  fs::remove(folder.path / "tokenizer.json");
  CHECK(tokenizer_to_json(*load_bert(folder.path).tokenizer) == tokenizer_to_json(*pieces));
  // A model with parts that other programs would misread has its own type.
  bert.model.config.layer.position = Position::kAlibi;
  save_config(folder.path, bert.model.config, {}, 0);
  CHECK(Ordered::parse(bytes_of(folder.path / "config.json"))["model_type"] == "gradus-bert");
  CHECK(kind_of_checkpoint(folder.path) == ModelKind::kBert);
}

TEST_CASE("bert: byte pairs have its special tokens among their own, where they were") {
  Text source;
  source.append("text", "the fox met a crow, and the crow met the fox");
  const std::shared_ptr<const Tokenizer> pairs = learn_tokenizer("bpe", source, 270);
  const SpecialTokens behind(*pairs);
  BertModel bert = make_bert(pairs, 1, {.d_model = 8, .num_heads = 2, .max_length = 40}, 3);
  const SpecialTokens own(*bert.tokenizer);
  CHECK(own.pad == behind.pad);
  CHECK(own.mask == behind.mask);
  CHECK(own.vocab_size == behind.vocab_size);
  CHECK(bert.tokenizer->vocab_size() == behind.vocab_size);
  CHECK(bert.tokenizer->encode("[MASK] fox") == pairs->encode("[MASK] fox"));
  TemporaryFolder folder;
  save_bert(folder.path, bert);
  const Ordered json = Ordered::parse(bytes_of(folder.path / "tokenizer.json"));
  CHECK(json["post_processor"]["special_tokens"]["[CLS]"]["ids"] == Ordered{own.begin});
  CHECK(tokenizer_to_json(*load_bert(folder.path).tokenizer) == tokenizer_to_json(*bert.tokenizer));
  save_tokenizer(*pairs, folder.path);  // as earlier versions did
  CHECK(SpecialTokens(*load_bert(folder.path).tokenizer).mask == own.mask);
}

TEST_CASE("bert: folders of earlier versions, with special tokens behind WordPiece's, stay so") {
  const auto pieces = WordPieceTokenizer::learn("the fox met a crow", 60);
  std::vector<std::string> vocabulary;
  for (std::int32_t token = 0; token < pieces.vocab_size(); ++token)
    vocabulary.push_back(pieces.piece(token));
  const Ordered written = {
      {"type", "wordpiece"}, {"lower_case", true}, {"strip_accents", true}, {"vocab", vocabulary}};
  const std::shared_ptr<const Tokenizer> old = tokenizer_from_json(written.dump(), "old");
  CHECK(tokenizer_to_json(*old) == written.dump());
  BertModel bert = make_bert(old, 1, {.d_model = 8, .num_heads = 2, .max_length = 12}, 3);
  CHECK(bert.model.config.vocab_size == pieces.vocab_size() + 4);
  TemporaryFolder folder;
  save_bert(folder.path, bert);
  CHECK_FALSE(fs::exists(folder.path / "tokenizer.json"));
  CHECK(load_bert(folder.path).model.config.vocab_size == pieces.vocab_size() + 4);
  fs::rename(folder.path / "gradus_tokenizer.json",
             folder.path / "tokenizer.json");  // the old name
  BertModel back = load_bert(folder.path);
  CHECK(all_values(parameters(back.model)) == all_values(parameters(bert.model)));
  CHECK(SpecialTokens(*back.tokenizer).begin == pieces.vocab_size() + 1);
}
