// Where texts begin and end, and how conversations are written, in Hugging Face's folders.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "nn/data/corpus.h"
#include "nn/files/adapter_files.h"
#include "nn/files/gpt_files.h"
#include "nn/files/text_rules_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/tasks/prompt_task.h"
#include "tests/nn/edit_file.h"
#include "tests/nn/golden_tokenizers.h"
#include "tests/nn/tiny_gpt.h"
#include "tests/temporary_folder.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;
using RulesJson = nlohmann::ordered_json;

/// The folder of a small Llama with a tokenizer of the fixture.
struct RulesFolder {
  explicit RulesFolder(const std::string& tokenizer = "llama 2") {
    const std::string json = golden_tokenizer(tokenizer).dump();
    GptConfig config = decoder_configs()[0].second;
    config.vocab_size = tokenizer_from_json(json, "x")->vocab_size();
    save_gpt(folder.path, drawn_gpt(config));
    folder.file("tokenizer.json", json);
  }
  void write(const std::string& name, const RulesJson& json) const {
    folder.file(name, json.dump());
  }
  TextRules rules() const {
    const Checkpoint checkpoint = load_checkpoint(folder.path);
    REQUIRE(checkpoint.tokenizer->rules() != nullptr);
    return *checkpoint.tokenizer->rules();
  }
  void refuses(const char* message) const {
    CHECK_THROWS_WITH_AS(load_checkpoint(folder.path), doctest::Contains(message),
                         std::runtime_error);
  }

  TemporaryFolder folder;
};

using Numbers = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("text rules: the begin token") {
  const RulesFolder folder;
  const auto begin = [&](const RulesJson& config) {
    folder.write("tokenizer_config.json", config);
    return folder.rules().begin;
  };
  CHECK(folder.rules().begin == 1);  // from the post_processor
  CHECK(begin(RulesJson::object()) == 1);
  CHECK(!begin({{"add_bos_token", false}, {"bos_token", "<s>"}}).has_value());
  CHECK(begin({{"add_bos_token", true}, {"bos_token", "</s>"}}) == 2);
  CHECK(begin({{"add_bos_token", true}, {"bos_token", {{"content", "</s>"}}}}) == 2);
  CHECK(begin({{"tokenizer_class", "LlamaTokenizer"}}) == 1);
  CHECK(begin({{"tokenizer_class", "LlamaTokenizerFast"}, {"bos_token", "</s>"}}) == 2);
  CHECK(begin({{"tokenizer_class", "PreTrainedTokenizerFast"}, {"bos_token", "</s>"}}) == 1);
  folder.write("tokenizer_config.json", {{"add_bos_token", true}, {"bos_token", nullptr}});
  folder.refuses(
      "\"bos_token\" must be a token, as add_bos_token puts it before each text, got null");
  folder.write("tokenizer_config.json", {{"add_bos_token", true}, {"bos_token", "<qq>"}});
  folder.refuses("tokenizer_config.json: \"bos_token\" must be a token of the tokenizer, as ");
  folder.refuses("before each text, got \"<qq>\"");
  folder.write("tokenizer_config.json", {{"add_bos_token", "yes"}});
  folder.refuses("\"add_bos_token\" must be true or false, got \"yes\"");
  folder.folder.file("tokenizer_config.json", "{");
  folder.refuses("tokenizer_config.json: is not JSON");

  const RulesFolder qwen("qwen");
  CHECK(load_checkpoint(qwen.folder.path).tokenizer->rules() == nullptr);
  qwen.write("tokenizer_config.json", {{"add_bos_token", false}, {"bos_token", nullptr}});
  CHECK(!qwen.rules().begin.has_value());
}

TEST_CASE("text rules: the end tokens") {
  const RulesFolder folder;
  CHECK(folder.rules().ends.empty());
  folder.write("tokenizer_config.json", {{"eos_token", "</s>"}});
  CHECK(folder.rules().ends == Numbers{2});
  edit_json<RulesJson>(folder.folder.path / "config.json",
                       [](RulesJson& json) { json["eos_token_id"] = 5; });
  CHECK(folder.rules().ends == Numbers{5});
  folder.write("generation_config.json", {{"eos_token_id", {7, 2, 1000000, -1}}});
  CHECK(folder.rules().ends == Numbers{7, 2});
  folder.write("generation_config.json", {{"eos_token_id", 4}});
  CHECK(folder.rules().ends == Numbers{4});
  folder.write("generation_config.json", {{"temperature", 0.5}});
  CHECK(folder.rules().ends == Numbers{5});
  folder.write("generation_config.json", {{"eos_token_id", {"</s>"}}});
  folder.refuses("generation_config.json: \"eos_token_id\" must be a whole number");
}

TEST_CASE("text rules: the chat template") {
  const RulesFolder folder;
  CHECK(folder.rules().chat_template.empty());
  folder.write(
      "tokenizer_config.json",
      {{"chat_template", "one"}, {"bos_token", {{"content", "<s>"}}}, {"pad_token", nullptr}});
  CHECK(folder.rules().chat_template == "one");
  CHECK(folder.rules().names == std::map<std::string, std::string>{{"bos_token", "<s>"}});
  folder.write(
      "tokenizer_config.json",
      {{"chat_template",
        {{{"name", "rag"}, {"template", "no"}}, {{"name", "default"}, {"template", "two"}}}}});
  CHECK(folder.rules().chat_template == "two");
  CHECK(folder.rules().chat_file.ends_with("tokenizer_config.json"));
  folder.folder.file("chat_template.jinja", "three\n");
  CHECK(folder.rules().chat_template == "three\n");
  CHECK(folder.rules().chat_file.ends_with("chat_template.jinja"));
}

TEST_CASE("text rules: a saved folder has the same") {
  const RulesFolder folder;
  folder.write("tokenizer_config.json", {{"add_bos_token", false}, {"eos_token", "</s>"}});
  folder.folder.file("chat_template.jinja", "three\n");
  edit_json<RulesJson>(folder.folder.path / "config.json", [](RulesJson& json) {
    json["eos_token_id"] = {5, 2};
  });
  const TextRules before = folder.rules();
  const TemporaryFolder saved;
  save_model(saved.path, load_prompt_model(folder.folder.path));
  const Checkpoint checkpoint = load_checkpoint(saved.path);
  const TextRules& after = *checkpoint.tokenizer->rules();
  CHECK(after.begin == before.begin);
  CHECK(after.ends == Numbers{5, 2});
  CHECK(after.chat_template == before.chat_template);
  CHECK(after.names == before.names);
  CHECK(after.files == before.files);
  for (const char* name : {"tokenizer_config.json", "chat_template.jinja"}) {
    CHECK(bytes_of(saved.path / name) == bytes_of(folder.folder.path / name));
  }
}

TEST_CASE("text rules: an adapter's folder has the rules of its base") {
  const RulesFolder folder;
  folder.write("tokenizer_config.json", {{"add_bos_token", true}, {"bos_token", "</s>"}});
  folder.write("generation_config.json", {{"eos_token_id", 4}});
  folder.folder.file("chat_template.jinja", "three");
  PromptModel model = load_prompt_model(folder.folder.path);
  adapt(model, {folder.folder.path, {.rank = 2, .alpha = 4}}, 5);
  const TemporaryFolder saved;
  save_model(saved.path, model);
  const Checkpoint checkpoint = load_checkpoint(saved.path);
  REQUIRE(checkpoint.tokenizer->rules() != nullptr);
  CHECK(checkpoint.tokenizer->rules()->begin == 2);
  CHECK(checkpoint.tokenizer->rules()->ends == Numbers{4});
  CHECK(checkpoint.tokenizer->rules()->chat_template == "three");
}

TEST_CASE("text rules: GPT-2's folders have none") {
  const TemporaryFolder folder;
  const std::string json = golden_tokenizer("llama 2").dump();
  GptConfig config = tiny_gpt_config();
  config.vocab_size = tokenizer_from_json(json, "x")->vocab_size();
  save_gpt(folder.path, Gpt(config));
  folder.file("tokenizer.json", json);
  folder.file("tokenizer_config.json", R"({"bos_token": "<s>", "add_bos_token": true})");
  folder.file("generation_config.json", R"({"eos_token_id": 2})");
  CHECK(load_checkpoint(folder.path).tokenizer->rules() == nullptr);
}

TEST_CASE("text rules: texts and prompts begin with the begin token") {
  const RulesFolder folder;
  const PromptModel model = load_prompt_model(folder.folder.path);
  const Tokenizer& tokenizer = *model.tokenizer;
  Text text;
  text.append("notes", "the fox");
  const Corpus corpus(text, tokenizer);
  Numbers expected = tokenizer.encode("the fox");
  expected.insert(expected.begin(), 1);
  const auto tokens = corpus.tokens(Split::kAll);
  CHECK(Numbers(tokens.begin(), tokens.end()) == expected);
  CHECK(with_begin(tokenizer, tokenizer.encode("the fox")) == expected);
  CHECK(target_bytes(tokens, tokenizer) == 7);
  CHECK(!ends_text(tokenizer, 2));
}
