#include "nn/files/byte_pair_files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "nn/files/tokenizer_files.h"
#include "nn/text/byte_level.h"
#include "nn/text/file.h"
#include "nn/text/learn_byte_pairs.h"
#include "tests/nn/tokenizer_refused.h"
#include "tests/temporary_folder.h"

using namespace gradus;
using Ordered = nlohmann::ordered_json;
using Tokens = std::vector<std::int32_t>;

namespace {

namespace fs = std::filesystem;

const std::string kText =
    "the fox and the dog, the caf\u00e9 and the\n\nfox: \U0001F98A\U0001F98A the";

bool same(const BytePairs& a, const BytePairs& b) {
  return a.tokens == b.tokens && a.merges == b.merges && a.specials == b.specials;
}

const BytePairs& pairs_of(const Tokenizer& tokenizer) {
  return dynamic_cast<const BytePairTokenizer&>(tokenizer).pairs();
}

/// The file of Hugging Face's tokenizers for a small vocabulary: bytes, "th", "the", and one
/// special token. `merge` writes a merge.
Ordered hugging_face(const std::function<Ordered(const char*, const char*)>& merge) {
  const auto level = [](bool prefix) {
    return Ordered{{"type", "ByteLevel"},
                   {"add_prefix_space", prefix},
                   {"trim_offsets", true},
                   {"use_regex", true}};
  };
  Ordered json = {{"version", "1.0"},
                  {"truncation", nullptr},
                  {"padding", nullptr},
                  {"added_tokens", Ordered::array()},
                  {"normalizer", nullptr},
                  {"pre_tokenizer", level(false)},
                  {"post_processor", level(true)},
                  {"decoder", level(true)}};
  json["added_tokens"].push_back({{"id", 258},
                                  {"content", "<|endoftext|>"},
                                  {"single_word", false},
                                  {"lstrip", false},
                                  {"rstrip", false},
                                  {"normalized", true},
                                  {"special", true}});
  json["model"] = {{"type", "BPE"},
                   {"dropout", nullptr},
                   {"unk_token", nullptr},
                   {"continuing_subword_prefix", ""},
                   {"end_of_word_suffix", ""},
                   {"fuse_unk", false},
                   {"byte_fallback", false},
                   {"vocab", Ordered::object()},
                   {"merges", Ordered::array({merge("t", "h"), merge("th", "e")})}};
  Ordered& vocabulary = json["model"]["vocab"];
  for (const unsigned char byte : byte_level_order()) {
    vocabulary[to_byte_level(std::string(1, static_cast<char>(byte)))] = vocabulary.size();
  }
  vocabulary["th"] = 256;
  vocabulary["the"] = 257;
  vocabulary["<|endoftext|>"] = 258;
  return json;
}

Ordered as_string(const char* left, const char* right) { return std::string(left) + " " + right; }
Ordered as_pair(const char* left, const char* right) { return {left, right}; }

/// Checks that the changed file is refused.
void expect_changed_refused(const std::function<void(Ordered&)>& change, const std::string& cause) {
  Ordered json = hugging_face(as_string);
  change(json);
  expect_refused(json.dump(), cause);
}

}  // namespace

TEST_CASE("byte pairs: tokenizer.json gives the same tokenizer") {
  const TemporaryFolder folder;
  const BytePairTokenizer tokenizer(learn_byte_pairs(kText, 300, {"<|endoftext|>", "<pad>"}));
  REQUIRE(tokenizer.pairs().merges.size() > 5);
  save_tokenizer(tokenizer, folder.path);
  const auto loaded = load_tokenizer(folder.path);
  CHECK(loaded->name() == "bpe");
  CHECK(same(pairs_of(*loaded), tokenizer.pairs()));
  CHECK(loaded->encode(kText) == tokenizer.encode(kText));
  CHECK(tokenizer_to_json(*loaded) == tokenizer_to_json(tokenizer));
}

TEST_CASE("byte pairs: files of Hugging Face's tokenizers") {
  for (const auto merge : {as_string, as_pair}) {
    const auto tokenizer = tokenizer_from_json(hugging_face(merge).dump(), "x");
    CHECK(tokenizer->name() == "bpe");
    CHECK(tokenizer->vocab_size() == 259);
    CHECK(tokenizer->encode("the") == Tokens{257});
    CHECK(tokenizer->piece(258) == "<|endoftext|>");
    CHECK(tokenizer->encode("<|endoftext|>").size() == 13);
    const auto& pairs = dynamic_cast<const BytePairTokenizer&>(*tokenizer);
    CHECK(pairs.encode_with_specials("the<|endoftext|>") == Tokens{257, 258});
    // A file that gradus writes gives the same tokenizer.
    CHECK(same(pairs_of(*tokenizer_from_json(tokenizer_to_json(*tokenizer), "x")), pairs.pairs()));
  }
  // The special token first, as Hugging Face's trainer puts it, and outside of the model's
  // vocabulary.
  Ordered json = hugging_face(as_string);
  for (auto& [token, number] : json["model"]["vocab"].items()) {
    number = token == "<|endoftext|>" ? 0 : number.get<int>() + 1;
  }
  json["added_tokens"][0]["id"] = 0;
  CHECK(tokenizer_from_json(json.dump(), "x")->encode("the") == Tokens{258});
  json["model"]["vocab"].erase("<|endoftext|>");
  CHECK(tokenizer_from_json(json.dump(), "x")->piece(0) == "<|endoftext|>");
  // The oldest files contain neither the model's type nor use_regex.
  json["model"].erase("type");
  json["pre_tokenizer"].erase("use_regex");
  CHECK(tokenizer_from_json(json.dump(), "x")->encode("the") == Tokens{258});
}

TEST_CASE("byte pairs: vocab.json and merges.txt, there and back") {
  const TemporaryFolder folder;
  const BytePairs pairs = learn_byte_pairs(kText, 300);
  save_vocabulary_and_merges(pairs, folder.path);
  CHECK(read_file(folder / "merges.txt", 1 << 20).starts_with("#version: 0.2\n"));
  CHECK(same(load_vocabulary_and_merges(folder.path).pairs(), pairs));
  CHECK(same(pairs_of(*load_tokenizer(folder.path)), pairs));
  // A tokenizer.json is read first.
  write_file(folder / kTokenizerFile, R"({"type":"byte"})");
  CHECK(load_tokenizer(folder.path)->name() == "byte");
  fs::remove(folder.path / kTokenizerFile);
  // Line ends of Windows and blank lines at the end are allowed.
  std::string lines = "#version: 0.2\r\n";
  for (const auto& [left, right] : pairs.merges) {
    lines += to_byte_level(pairs.tokens[static_cast<std::size_t>(left)]) + " " +
             to_byte_level(pairs.tokens[static_cast<std::size_t>(right)]) + "\r\n";
  }
  write_file(folder / "merges.txt", lines + "\r\n\n");
  CHECK(same(load_vocabulary_and_merges(folder.path).pairs(), pairs));
  // So is a byte order mark, with both kinds of line ends.
  const std::string mark = "\xEF\xBB\xBF", vocabulary = folder / "vocab.json";
  write_file(folder / "merges.txt", mark + lines);
  write_file(vocabulary, mark + read_file(vocabulary, 1 << 20));
  CHECK(same(load_vocabulary_and_merges(folder.path).pairs(), pairs));
  std::erase(lines, '\r');
  write_file(folder / "merges.txt", mark + lines);
  CHECK(same(load_vocabulary_and_merges(folder.path).pairs(), pairs));
  write_file(folder / kTokenizerFile, mark + R"({"type":"byte"})");
  CHECK(load_tokenizer(folder.path)->name() == "byte");
}

TEST_CASE("byte pairs: damaged vocab.json and merges.txt are refused by name") {
  const TemporaryFolder folder;
  const std::string vocabulary = folder / "vocab.json", merges = folder / "merges.txt";
  const auto expect = [&](const std::string& message) {
    CHECK_THROWS_WITH_AS(load_tokenizer(folder.path), doctest::Contains(message.c_str()),
                         std::runtime_error);
  };
  const std::string whole = hugging_face(as_string)["model"]["vocab"].dump();
  write_file(vocabulary, whole);
  expect("contains no tokenizer: expected tokenizer.json");
  write_file(merges, "#version: 0.2\nt h\nth e\n");
  CHECK(load_tokenizer(folder.path)->encode("the") == Tokens{257});
  CHECK(pairs_of(*load_tokenizer(folder.path)).specials == Tokens{258});
  write_file(merges, "#version: 0.2\nt h\nthe\n");
  expect(
      "merges.txt: not a tokenizer: line 3: merge 1 must be two tokens with one blank between "
      "them, got \"the\"");
  write_file(merges, "t h\nth e e\n");
  expect("line 2: merge 1 must be two tokens with one blank between them, got \"th e e\"");
  write_file(merges, "t h\nth qq\n");
  expect("merges.txt: not a tokenizer: merge 1, \"th qq\": \"qq\" is not a token");
  write_file(merges, "t h\nt h\n");
  expect("vocab.json with merges.txt: not a tokenizer: bpe: the merge 't h' occurs twice");
  write_file(merges, "t h\n");
  write_file(vocabulary, "[]");
  expect("vocab.json: not a tokenizer: is not a JSON object");
  write_file(vocabulary, R"({"a":0,"b":0})");
  expect("vocab.json: not a tokenizer: tokens \"a\" and \"b\" have the same number 0");
  write_file(vocabulary, R"({"t":0,"h":1})");
  expect("bpe: needs a token for the byte 33");
}

TEST_CASE("byte pairs: hostile JSON is refused with its cause") {
  const auto vocabulary = [](Ordered& json) -> Ordered& { return json["model"]["vocab"]; };
  const auto number = [&](const char* token, const Ordered& value) {
    return [=](Ordered& json) { vocabulary(json)[token] = value; };
  };
  for (const Ordered& wrong : {Ordered(259), Ordered(2147483648), Ordered(18446744073709551615u),
                               Ordered(-1), Ordered(1.5), Ordered("257")}) {
    expect_changed_refused(number("the", wrong),
                           "the numbers of 259 tokens must be 0 to 258 without gaps, but token "
                           "\"the\" has the number " +
                               wrong.dump());
  }
  expect_changed_refused(number("the", 256), "tokens \"th\" and \"the\" have the same number 256");
  expect_changed_refused(number("", 259), "token 259 is empty");
  expect_changed_refused(number("\u4e00", 259),
                         "token \"\u4e00\" has a character that encodes no byte");
  const auto merge = [](const Ordered& value) {
    return [=](Ordered& json) { json["model"]["merges"].push_back(value); };
  };
  expect_changed_refused(merge("th"),
                         "merge 2 must be two tokens with one blank between them, got \"th\"");
  expect_changed_refused(merge("t  h"),
                         "merge 2 must be two tokens with one blank between them, got \"t  h\"");
  expect_changed_refused(merge(" h"),
                         "merge 2 must be two tokens with one blank between them, got \" h\"");
  expect_changed_refused(merge(7), "merge 2 is neither a string nor a list of two strings");
  expect_changed_refused(merge({"t", "h", "e"}),
                         "merge 2 is neither a string nor a list of two strings");
  expect_changed_refused(merge({"t", 7}), "merge 2 is neither a string nor a list of two strings");
  expect_changed_refused(merge("the qqq"), "merge 2, \"the qqq\": \"qqq\" is not a token");
  expect_changed_refused(merge("t h"), "bpe: the merge 't h' occurs twice");
  expect_changed_refused(merge("h e"), "bpe: the result of merge 2, 'h e', must be a token");
  expect_changed_refused(merge("t <|endoftext|>"),
                         "bpe: merge 2 is of the special token '<|endoftext|>'");
  const auto set = [](const std::string& place, const Ordered& value) {
    return [=](Ordered& json) { json[Ordered::json_pointer(place)] = value; };
  };
  expect_changed_refused(
      set("/normalizer", {{"type", "Lowercase"}}),
      "has a normalizer of the type \"Lowercase\", which is not supported (only NFC)");
  expect_changed_refused(set("/pre_tokenizer", nullptr),
                         "pre_tokenizer is not of the type \"ByteLevel\"");
  expect_changed_refused(set("/pre_tokenizer", 3),
                         "pre_tokenizer is not of the type \"ByteLevel\"");
  expect_changed_refused(set("/pre_tokenizer/add_prefix_space", true),
                         "pre_tokenizer has add_prefix_space, which is not supported");
  const auto cut_before = [&](const Ordered& part) {
    const Ordered level = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
    return set("/pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", {part, level}}});
  };
  expect_changed_refused(cut_before({{"type", "Punctuation"}}),
                         "pre_tokenizer has a part of the type \"Punctuation\", which is not "
                         "supported (only Split, Digits and ByteLevel)");
  expect_changed_refused(
      cut_before({{"type", "Split"}, {"pattern", {{"Regex", "a"}}}, {"behavior", "Removed"}}),
      "pre_tokenizer has behavior \"Removed\", which is not supported (only \"Isolated\")");
  expect_changed_refused(cut_before({{"type", "Split"}, {"behavior", "Isolated"}}),
                         "pre_tokenizer has a Split without a \"Regex\" or \"String\"");
  expect_changed_refused(
      cut_before({{"type", "Split"}, {"pattern", {{"Regex", "[\\Sa]"}}}, {"behavior", "Isolated"}}),
      "pattern: \\S inside a class is not supported, got [\\Sa]");
  expect_changed_refused(set("/decoder/type", "WordPiece"),
                         "decoder is not of the type \"ByteLevel\"");
  expect_changed_refused(set("/post_processor/type", "BertProcessing"),
                         "post_processor has a part of the type \"BertProcessing\", which is not "
                         "supported (only ByteLevel and TemplateProcessing)");
  expect_changed_refused(set("/model", 5), "model is not of the type \"BPE\"");
  expect_changed_refused(set("/model/type", "Unigram"), "model is not of the type \"BPE\"");
  expect_changed_refused(set("/model/vocab", Ordered::array()), "model has no object \"vocab\"");
  expect_changed_refused(set("/model/merges", Ordered::object()), "model has no list \"merges\"");
  expect_changed_refused(set("/model/dropout", 0.1),
                         "model has dropout 0.1, which is not supported (only 0)");
  expect_changed_refused(
      set("/model/end_of_word_suffix", "</w>"),
      "model has end_of_word_suffix \"</w>\", which is not supported (only \"\")");
  expect_changed_refused(set("/added_tokens", 5), "added_tokens is not a list");
  expect_changed_refused(set("/added_tokens/0", 5), "an added token has no string \"content\"");
  expect_changed_refused(
      set("/added_tokens/0/lstrip", 3),
      "the added token \"<|endoftext|>\" has lstrip 3, which is neither true nor "
      "false");
  expect_changed_refused(set("/added_tokens/0/id", 7),
                         "the added token \"<|endoftext|>\" has two numbers, 7 and 258");
  expect_changed_refused(
      [](Ordered& json) { json["added_tokens"].push_back(json["added_tokens"][0]); },
      "the added token \"<|endoftext|>\" occurs twice");
  expect_changed_refused([](Ordered& json) { json["added_tokens"][0]["content"] = "a"; },
                         "the added token \"a\" has two numbers, 258 and 64");
  std::string repeated = hugging_face(as_string).dump();
  repeated.replace(repeated.find("\"th\":"), 5, "\"the\":");
  expect_refused(repeated, "the key \"the\" occurs twice");
}
