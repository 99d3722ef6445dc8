// Tests of the tokenizers of words and of parts of words.
#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "nn/files/tokenizer_files.h"
#include "nn/files/word_piece_files.h"
#include "nn/text/file.h"
#include "nn/text/utf8.h"
#include "nn/text/word_tokenizer.h"
#include "tests/nn/tokenizer_refused.h"

using namespace gradus;
using Tokens = std::vector<std::int32_t>;
using Words = std::vector<std::string>;

namespace {

namespace fs = std::filesystem;

Words pieces_of(const Tokenizer& tokenizer, const Tokens& tokens) {
  Words pieces;
  for (const std::int32_t token : tokens) pieces.push_back(tokenizer.piece(token));
  return pieces;
}

Words split(const std::string& text) {
  const WordTokenizer tokenizer = WordTokenizer::learn(text, 1000);
  return pieces_of(tokenizer, tokenizer.encode(text));
}

WordPieceTokenizer word_pieces(const Words& words, const BertNormalisation& normalisation = {}) {
  Words vocabulary = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  vocabulary.insert(vocabulary.end(), words.begin(), words.end());
  return WordPieceTokenizer(vocabulary, normalisation);
}

}  // namespace

TEST_CASE("word tokenizer: cuts a text into pieces") {
  CHECK(split("The cat's 3.14, isn't it?\n") ==
        Words{"The", " cat's", " 3", ".", "14", ",", " isn't", " it", "?", "\n"});
  CHECK(split("a  b \n\t c ") == Words{"a", " ", " b", " ", "\n", "\t", " c", " "});
  CHECK(split("\u00e9t\u00e9 e\u0301te\u0301 l\u2019\u00e9t\u00e9 'x' 'tis rock'n'roll") ==
        Words{"\u00e9t\u00e9", " e\u0301te\u0301", " l\u2019\u00e9t\u00e9", " '", "x", "'", " '",
              "tis", " rock'n'roll"});
  CHECK(split("1,000\r\n\u00a0\u72d0\u72f8\u3002!!") ==
        Words{"1", ",", "000", "\r", "\n", "\u00a0", "\u72d0\u72f8", "\u3002", "!", "!"});
  CHECK(split("a'b'c'd'e'f") == Words{"a'b'c'd", "'", "e'f"});
}

TEST_CASE("word tokenizer: the most frequent pieces, ties by their bytes") {
  const auto tokenizer = WordTokenizer::learn("b a c a the a  b the. the", 7);
  // " a" occurs twice, " the" three times; " b" " c" "." "b" once, and the smallest of these is "
  // b".
  CHECK(tokenizer.vocab_size() == 7);
  Tokens all = {0, 1, 2, 3, 4, 5, 6};
  CHECK(pieces_of(tokenizer, all) == Words{"<unk>", " ", " a", " the", " b", " c", "."});
  CHECK(tokenizer.name() == "word");
  CHECK_THROWS_WITH_AS(WordTokenizer::learn("a", 2),
                       "vocab_size must be at least 3 for word (<unk>, a blank and a piece), got 2",
                       std::invalid_argument);
}

TEST_CASE("word tokenizer: unknown words, and blanks before them") {
  const WordTokenizer tokenizer(Words{"<unk>", " ", "the", " the", "."});
  CHECK(tokenizer.encode("the the") == Tokens{2, 3});
  CHECK(tokenizer.encode("the fox.") == Tokens{2, 1, 0, 4});
  CHECK(tokenizer.decode(tokenizer.encode("the fox.")) == "the <unk>.");
  CHECK(tokenizer.encode("the .") == Tokens{2, 1, 4});  // " ." is unknown, "." is known
  CHECK(tokenizer.encode("<unk>") == Tokens{0, 0, 0});  // three pieces, none of them token 0
  CHECK(tokenizer.encode("").empty());
  CHECK(tokenizer.unknown_words("the fox, the fox.") == Words{"fox", ",", "fox"});
  CHECK(tokenizer.unknown_words("the the .").empty());
  CHECK_THROWS_WITH_AS(tokenizer.encode("ab\xFF"), doctest::Contains("invalid UTF-8 at byte 2"),
                       TextError);
  CHECK_THROWS_WITH_AS(WordTokenizer::learn("ab\xFF", 10), doctest::Contains("at byte 2"),
                       TextError);
  CHECK_THROWS_WITH_AS(tokenizer.decode(Tokens{5}),
                       "word tokenizer: token 5 is outside the vocabulary of 5",
                       std::invalid_argument);
}

TEST_CASE("word tokenizer: a text comes back where no word is unknown") {
  std::mt19937 random(3);
  const std::u32string characters = U"ab\u00e9\u0301'\u2019 \n\t1\u0663.,<\u72d0\u3000\U0001F98A";
  for (int round = 0; round < 300; ++round) {
    std::u32string text;
    for (std::size_t i = random() % 40; i > 0; --i)
      text += characters[random() % characters.size()];
    const std::string bytes = utf8_encode(text);
    const WordTokenizer tokenizer = WordTokenizer::learn(bytes, 1000);
    CHECK(tokenizer.decode(tokenizer.encode(bytes)) == bytes);
  }
  const std::string long_word(1 << 20, 'a');
  CHECK(WordTokenizer::learn(long_word, 9).encode(long_word) == Tokens{2});
  std::string quotes;
  for (int i = 0; i < 1 << 19; ++i) quotes += "a'";
  const WordTokenizer tokenizer = WordTokenizer::learn(quotes, 99);
  CHECK(tokenizer.decode(tokenizer.encode(quotes)) == quotes);
}

TEST_CASE("word tokenizer: kept as JSON") {
  const auto tokenizer = WordTokenizer::learn("a \"b\" \n", 10);
  const auto loaded = tokenizer_from_json(tokenizer_to_json(tokenizer), "x");
  CHECK(loaded->name() == "word");
  CHECK(tokenizer_to_json(*loaded) == tokenizer_to_json(tokenizer));
  CHECK(tokenizer_to_json(WordTokenizer(Words{"<unk>", " ", "a"})) ==
        R"({"type":"word","vocab":["<unk>"," ","a"]})");
  const std::string begins = "word tokenizer: the vocabulary must begin with <unk> and a blank";
  expect_refused(R"({"type":"word"})", "\"vocab\" must be a list");
  expect_refused(R"({"type":"word","vocab":[]})", begins);
  expect_refused(R"({"type":"word","vocab":["<unk>"]})", begins);
  expect_refused(R"({"type":"word","vocab":[" ","<unk>"]})", begins);
  expect_refused(R"({"type":"word","vocab":["<unk>"," ",3]})", "token 2 is not a string");
  expect_refused(R"({"type":"word","vocab":["<unk>"," ",""]})", "word tokenizer: token 2 is empty");
  expect_refused(R"({"type":"word","vocab":["<unk>"," ","a","a"]})",
                 "word tokenizer: 'a' occurs twice");
  expect_refused(R"({"type":"word","merges":[],"vocab":["<unk>"," "]})",
                 "has the unknown key \"merges\"");
}

TEST_CASE("WordPiece: BERT's words") {
  CHECK(bert_words("H\u00e9llo, WORLD! don't", {}) ==
        Words{"hello", ",", "world", "!", "don", "'", "t"});
  CHECK(bert_words("H\u00e9llo", {true, false}) == Words{"h\u00e9llo"});
  CHECK(bert_words("H\u00e9llo", {false, true}) == Words{"Hello"});
  std::string long_text;
  for (int i = 0; i < 1 << 18; ++i) long_text += "fox\n";
  CHECK(bert_words(long_text, {}).size() == 1 << 18);
  CHECK(bert_words("a\u72d0b\u3002", {}) == Words{"a", "\u72d0", "b", "\u3002"});
  CHECK(bert_words("a\U0002b820b\U0002b920c", {}) == Words{"a\U0002b820b", "\U0002b920", "c"});
  CHECK(bert_words("a\xFF\x01"
                   "b\tc",
                   {}) == Words{"ab", "c"});
}

TEST_CASE("WordPiece: private-use characters are dropped, as Hugging Face drops them") {
  // Word and PDFs leave U+F0B7 as a bullet; the other two are the first and the last of a plane.
  CHECK(bert_words("the \uf0b7 cat", {}) == Words{"the", "cat"});
  CHECK(bert_words("the\uf0b7cat \ue000\U0010fffd", {}) == Words{"thecat"});
  CHECK(bert_words("the\uf0b7cat", {false, false}) == Words{"thecat"});
  CHECK(bert_words("a\u0378 b\u00adc", {}) == Words{"a\u0378", "bc"});  // U+0378 is not assigned
}

TEST_CASE("WordPiece: a character whose lower case is two characters") {
  CHECK(bert_words("\u0130stanbul", {true, false}) == Words{"i\u0307stanbul"});
  CHECK(bert_words("\u0130stanbul", {true, true}) == Words{"istanbul"});
  CHECK(bert_words("\u0130stanbul", {false, true}) == Words{"Istanbul"});
  // Each character alone: the sigma at the end of a word is an ordinary one.
  CHECK(bert_words("\u03a3\u039f\u03a6\u039f\u03a3", {true, false}) ==
        Words{"\u03c3\u03bf\u03c6\u03bf\u03c3"});
}

TEST_CASE("WordPiece: the longest token that fits, again and again") {
  const auto tokenizer = word_pieces({"un", "una", "##aff", "##ffable", "##able", "able", "##a"});
  CHECK(tokenizer.encode("unaffable") == Tokens{6, 8});
  CHECK(tokenizer.encode("able un") == Tokens{10, 5});
  CHECK(tokenizer.encode("unx able") == Tokens{tokenizer.unknown(), 10});  // una whole word or none
  CHECK(tokenizer.encode("") == Tokens{});
  CHECK(tokenizer.unknown_words("Able unx, able") == Words{"unx", ","});
  CHECK(tokenizer.decode(Tokens{2, 6, 8, 10, 3}) == "[CLS] unaffable able [SEP]");
  CHECK(tokenizer.piece(8) == "##ffable");
  const std::string hundred = "un" + std::string(98, 'a');
  CHECK(tokenizer.encode(hundred).size() == 98);
  CHECK(tokenizer.encode(hundred + "a") == Tokens{tokenizer.unknown()});
}

TEST_CASE("WordPiece: special tokens") {
  const auto tokenizer = word_pieces({"[", "]", "cls", "mask"});
  CHECK(tokenizer.encode("[CLS][MASK]") == Tokens{5, 7, 6, 5, 8, 6});
  CHECK(Tokens{tokenizer.pad(), tokenizer.unknown(), tokenizer.cls(), tokenizer.sep(),
               tokenizer.mask()} == Tokens{0, 1, 2, 3, 4});
  CHECK(tokenizer.is_special(4));
  CHECK(!tokenizer.is_special(5));
  const WordPieceTokenizer elsewhere({"a", "[MASK]", "[SEP]", "[CLS]", "[UNK]", "[PAD]"}, {});
  CHECK(elsewhere.encode("a b") == Tokens{0, 4});
  CHECK(elsewhere.pad() == 5);
}

TEST_CASE("WordPiece: learning") {
  const auto tokenizer = WordPieceTokenizer::learn("hug hug hug pug pun bun hugs", 15);
  // Characters b h p, ##g ##n ##s ##u; then ##u ##g five times, h ##ug four, ##u ##n twice.
  CHECK(pieces_of(tokenizer, {5, 6, 7, 8, 9, 10, 11, 12, 13, 14}) ==
        Words{"b", "h", "p", "##g", "##n", "##s", "##u", "##ug", "hug", "##un"});
  CHECK(WordPieceTokenizer::learn("ab cd", 1000).vocab_size() == 9);
  CHECK_THROWS_WITH_AS(WordPieceTokenizer::learn("ab cd", 8),
                       "vocab_size must be at least 9 for wordpiece on this text (its characters "
                       "and five special tokens), got 8",
                       std::invalid_argument);
}

TEST_CASE("WordPiece: learns no token from an overlong word") {
  const std::string text = "a day " + std::string(5000, 'x') + " a day";
  const WordPieceTokenizer pieces = WordPieceTokenizer::learn(text, 100);
  for (std::int32_t token = 0; token < pieces.vocab_size(); ++token) {
    CHECK(pieces.piece(token).size() <= kLongestToken);
  }
}

TEST_CASE("WordPiece: kept as JSON and as BERT's vocab.txt") {
  const auto tokenizer = word_pieces({"a", "##\u00e9", "\"", "\\"}, {false, true});
  const auto loaded = tokenizer_from_json(tokenizer_to_json(tokenizer), "x");
  CHECK(loaded->name() == "wordpiece");
  CHECK(tokenizer_to_json(*loaded) == tokenizer_to_json(tokenizer));
  const std::string file =
      fs::temp_directory_path() / ("gradus_vocab_" + std::to_string(std::random_device()()));
  save_word_pieces(tokenizer, file);
  CHECK(read_file(file, 1 << 20) == "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##\u00e9\n\"\n\\\n");
  CHECK(tokenizer_to_json(load_word_pieces(file, {false, true})) == tokenizer_to_json(tokenizer));
  write_file(file, "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\na");
  CHECK(load_word_pieces(file, {}).encode("a") == Tokens{5});
  write_file(file, "\xEF\xBB\xBF[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na");
  CHECK(load_word_pieces(file, {}).piece(0) == "[PAD]");
  // Bytes that are not UTF-8 cannot be stored in a tokenizer.json.
  write_file(file, "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\xff\n");
  CHECK_THROWS_WITH_AS(
      load_word_pieces(file, {}),
      doctest::Contains((file + ": not a tokenizer: invalid UTF-8 at byte 32 (line 6)").c_str()),
      std::runtime_error);
  write_file(file, "[PAD]\n\n[UNK]\n");
  CHECK_THROWS_WITH_AS(load_word_pieces(file, {}),
                       (file + ": not a tokenizer: wordpiece tokenizer: token 1 is empty").c_str(),
                       std::runtime_error);
  fs::remove(file);
  expect_refused(R"({"type":"wordpiece","vocab":[]})", "\"lower_case\" must be true or false");
  expect_refused(R"({"type":"wordpiece","lower_case":1,"strip_accents":true,"vocab":[]})",
                 "\"lower_case\" must be true or false");
  expect_refused(R"({"type":"wordpiece","lower_case":true,"strip_accents":true,"vocab":["[PAD]"]})",
                 "wordpiece tokenizer: the vocabulary lacks [UNK]");
  expect_refused(R"({"type":"wordpiece","lower_case":true,"strip_accents":true,"vocab":["a","a"]})",
                 "wordpiece tokenizer: 'a' occurs twice");
}

TEST_CASE("WordPiece: tokenizer.json is Hugging Face's") {
  const auto tokenizer = word_pieces({"a", "##\u00e9", "\"", "\\"}, {false, true});
  const auto json = nlohmann::ordered_json::parse(tokenizer_to_json(tokenizer));
  CHECK(json["model"]["type"] == "WordPiece");
  CHECK(json["model"]["vocab"]["##\u00e9"] == 6);
  CHECK(json["normalizer"].dump() ==
        R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
        R"("strip_accents":true,"lowercase":false})");
  CHECK(json["added_tokens"].size() == 5);
  CHECK(json["added_tokens"][2].dump() ==
        R"({"id":2,"content":"[CLS]","single_word":false,"lstrip":false,"rstrip":false,)"
        R"("normalized":false,"special":true})");
  CHECK(json["post_processor"]["single"].dump() ==
        R"([{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},)"
        R"({"SpecialToken":{"id":"[SEP]","type_id":0}}])");
  CHECK(json["post_processor"]["special_tokens"]["[SEP]"].dump() ==
        R"({"id":"[SEP]","ids":[3],"tokens":["[SEP]"]})");
}

TEST_CASE("WordPiece: refuses settings of a tokenizer.json that would give other tokens") {
  const auto tokenizer = word_pieces({"a", "[E1]"});
  using Json = nlohmann::json;
  const auto read = [&](const std::function<void(Json&)>& change) {
    Json json = Json::parse(tokenizer_to_json(tokenizer));
    change(json);
    return tokenizer_from_json(json.dump(), "x");
  };
  const auto refuses = [&](const std::function<void(Json&)>& change, const char* cause) {
    CHECK_THROWS_WITH_AS(read(change), doctest::Contains(cause), std::runtime_error);
  };
  refuses([](Json& j) { j["normalizer"] = nullptr; }, "normalizer is not of the type");
  refuses([](Json& j) { j["normalizer"] = 3; }, "normalizer is not of the type");
  refuses([](Json& j) { j["normalizer"]["type"] = "NFC"; }, "normalizer is not of the type");
  refuses([](Json& j) { j["normalizer"]["clean_text"] = false; }, "clean_text false");
  refuses([](Json& j) { j["normalizer"]["handle_chinese_chars"] = false; }, "handle_chinese_chars");
  refuses([](Json& j) { j["normalizer"]["lowercase"] = 1; }, "neither true nor false");
  refuses([](Json& j) { j["pre_tokenizer"]["type"] = "Whitespace"; }, "pre_tokenizer is not of");
  refuses([](Json& j) { j["post_processor"]["single"].erase(0); }, "post_processor does not put");
  refuses([](Json& j) { j["post_processor"] = 7; }, "post_processor does not put");
  refuses([](Json& j) { j["model"]["unk_token"] = "<unk>"; }, "unk_token");
  refuses([](Json& j) { j["model"]["continuing_subword_prefix"] = "_"; }, "subword_prefix");
  refuses([](Json& j) { j["model"]["max_input_chars_per_word"] = 200; }, "max_input_chars");
  refuses([](Json& j) { j["model"]["vocab"]["b"] = 9; }, "without gaps, but token");
  refuses([](Json& j) { j["model"]["vocab"]["b"] = 6; }, "the same number 6");
  refuses([](Json& j) { j["model"]["vocab"] = 6; }, "has no object \"vocab\"");
  refuses([](Json& j) { j["added_tokens"][0]["id"] = 1; }, "[PAD]");
  refuses([](Json& j) { j["added_tokens"][0]["special"] = false; }, "is not special");
  refuses([](Json& j) { j["added_tokens"][4]["lstrip"] = true; }, "lstrip true");
  refuses([](Json& j) { j["model"]["vocab"].erase("[CLS]"), j["added_tokens"].erase(2); },
          "without gaps, but token");
  // Accepted: the frame of BERT's first files, or none; a decoder; other special tokens.
  const auto oldest = read([](Json& j) {
    j["post_processor"] = {{"type", "BertProcessing"}};
    j["decoder"] = nullptr;
    j["normalizer"]["strip_accents"] = nullptr;
    j["model"].erase("type");
  });
  CHECK(tokenizer_to_json(*oldest) == tokenizer_to_json(tokenizer));
  const auto marked = read([](Json& j) {
    Json added = j["added_tokens"][0];
    added["content"] = "[NEW]";
    added["id"] = 7;
    j["added_tokens"].push_back(added);
  });
  CHECK(marked->vocab_size() == 8);
  CHECK(marked->is_special(7));
  CHECK(!marked->is_special(6));
  CHECK(tokenizer_from_json(tokenizer_to_json(*marked), "x")->is_special(7));
}

TEST_CASE("WordPiece: vocab.txt with tokenizer_config.json") {
  const fs::path folder =
      fs::temp_directory_path() / ("gradus_bert_" + std::to_string(std::random_device()()));
  fs::create_directory(folder);
  const auto read = [&](const std::string& config) {
    write_file((folder / "tokenizer_config.json").string(), config);
    return dynamic_cast<const WordPieceTokenizer&>(*load_tokenizer(folder)).normalisation();
  };
  write_file((folder / "vocab.txt").string(), "[PAD]\na\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
  CHECK(load_tokenizer(folder)->encode("A") == Tokens{1});  // without a config: lower case
  CHECK(read("{}").strip_accents);
  CHECK_FALSE(read(R"({"do_lower_case":false})").lower_case);
  CHECK_FALSE(read(R"({"do_lower_case":false,"strip_accents":null})").strip_accents);
  CHECK(read(R"({"do_lower_case":false,"strip_accents":true})").strip_accents);
  CHECK_FALSE(read(R"({"strip_accents":false})").strip_accents);
  for (const char* bad : {R"({"tokenize_chinese_chars":false})", R"({"do_basic_tokenize":false})",
                          R"({"do_lower_case":"yes"})", "[]", "{"}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS(
        read(bad),
        doctest::Contains("tokenizer_config.json: not a valid tokenizer configuration: "),
        std::runtime_error);
  }
  const auto cased = word_pieces({"a"}, {false, false});
  save_tokenizer(cased, folder);
  fs::remove(folder / "tokenizer.json");
  CHECK(tokenizer_to_json(*load_tokenizer(folder)) == tokenizer_to_json(cased));
  fs::remove_all(folder);
}
