#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>

#include "nn/data/corpus.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/byte_tokenizer.h"
#include "nn/text/char_tokenizer.h"
#include "nn/text/utf8.h"
#include "tests/nn/tokenizer_refused.h"
#include "tests/temporary_folder.h"

using namespace gradus;
using Tokens = std::vector<std::int32_t>;

namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("char tokenizer: tokens number the sorted characters, as nanoGPT does") {
  const CharTokenizer tokenizer = CharTokenizer::learn("hello, h\u00e9!\n");
  // Python: sorted(set("hello, h\u00e9!\n")) == ['\n', ' ', '!', ',', 'e', 'h', 'l', 'o', '\u00e9']
  CHECK(tokenizer.vocab_size() == 9);
  CHECK(tokenizer.name() == "char");
  CHECK(tokenizer.encode("hello, h\u00e9!\n") == Tokens{5, 4, 6, 6, 7, 3, 1, 5, 8, 2, 0});
  CHECK(tokenizer.decode(Tokens{5, 8, 2}) == "h\u00e9!");
  CHECK(tokenizer.piece(8) == "\u00e9");
  CHECK(tokenizer.encode("").empty());
  CHECK(tokenizer.decode({}).empty());
}

TEST_CASE("char tokenizer: code points are sorted by value, not by their bytes or UTF-16 units") {
  // U+FF5E comes before U+1F98A by value, after it in UTF-16.
  const CharTokenizer tokenizer = CharTokenizer::learn("\U0001F98A\uFF5Ea");
  CHECK(tokenizer.encode("a\uFF5E\U0001F98A") == Tokens{0, 1, 2});
}

TEST_CASE("char tokenizer: the bundled fables") {
  const std::string text(*bundled_text("fables"));
  const CharTokenizer tokenizer = CharTokenizer::learn(text);
  const std::set<char> characters(text.begin(), text.end());
  CHECK(tokenizer.vocab_size() == static_cast<int>(characters.size()));
  Tokens all(characters.size());
  std::iota(all.begin(), all.end(), 0);
  CHECK(tokenizer.decode(all) == std::string(characters.begin(), characters.end()));
  CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
}

TEST_CASE("char tokenizer: a character outside the vocabulary is named, with its place") {
  const CharTokenizer tokenizer = CharTokenizer::learn("ab \n");
  CHECK_THROWS_WITH_AS(tokenizer.encode("ab\u00e9"),
                       "the vocabulary has no '\u00e9' (U+00E9), at character 3 "
                       "(it has 4 characters: \\n ab)",
                       TextError);
  CHECK_THROWS_WITH_AS(tokenizer.encode("a\tb"),
                       doctest::Contains("has no '\\t' (U+0009), at character 2"), TextError);
  CHECK_THROWS_WITH_AS(tokenizer.encode("z"), doctest::Contains("'z' (U+007A), at character 1"),
                       TextError);
  CHECK_THROWS_WITH_AS(CharTokenizer(U"a").encode("b"),
                       doctest::Contains("(it has 1 character: a)"), TextError);
  try {
    CharTokenizer(U"\u00e9").encode("\u00e9\u00e9x");
    FAIL("x was accepted");
  } catch (const TextError& error) {
    CHECK(error.byte() == 4);
  }
  CHECK_THROWS_WITH_AS(tokenizer.encode("a\xFF"), doctest::Contains("invalid UTF-8 at byte 1"),
                       TextError);
}

TEST_CASE("char tokenizer: a long vocabulary is listed in part") {
  std::u32string vocabulary(200, 0);
  std::iota(vocabulary.begin(), vocabulary.end(), U'\u4e00');
  CHECK_THROWS_WITH_AS(
      CharTokenizer(vocabulary).encode("a"),
      ("the vocabulary has no 'a' (U+0061), at character 1 (it has 200 characters: " +
       utf8_encode(vocabulary.substr(0, 80)) + " ...)")
          .c_str(),
      TextError);
}

TEST_CASE("char tokenizer: wrong vocabularies") {
  CHECK_THROWS_WITH_AS(CharTokenizer::learn(""),
                       "char tokenizer: the vocabulary is empty (give it some text)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(CharTokenizer(U"acb"),
                       "char tokenizer: characters must ascend, each once, got U+0062 after U+0063",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(CharTokenizer(U"aa"), doctest::Contains("got U+0061 after U+0061"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(CharTokenizer(std::u32string(1, 0xD800)), doctest::Contains("U+D800"),
                       std::invalid_argument);
}

TEST_CASE("byte tokenizer: every byte is its own token") {
  const ByteTokenizer tokenizer;
  std::string bytes(256, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  Tokens tokens(256);
  std::iota(tokens.begin(), tokens.end(), 0);
  CHECK(tokenizer.encode(bytes) == tokens);
  CHECK(tokenizer.decode(tokens) == bytes);
  CHECK(tokenizer.vocab_size() == 256);
  CHECK(tokenizer.name() == "byte");
  CHECK(tokenizer.piece(195) == "\xC3");
}

TEST_CASE("byte tokenizer: random bytes come back") {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    std::string bytes;
    for (std::size_t i = random() % 100; i > 0; --i) bytes += static_cast<char>(random());
    CHECK(ByteTokenizer().decode(ByteTokenizer().encode(bytes)) == bytes);
  }
}

TEST_CASE("tokenizers: tokens outside the vocabulary") {
  const CharTokenizer chars = CharTokenizer::learn("abc");
  CHECK_THROWS_WITH_AS(chars.decode(Tokens{0, 3}),
                       "char tokenizer: token 3 is outside the vocabulary of 3",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(chars.piece(-1), doctest::Contains("token -1"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(ByteTokenizer().decode(Tokens{256}),
                       "byte tokenizer: token 256 is outside the vocabulary of 256",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(ByteTokenizer().piece(-1), doctest::Contains("token -1"),
                       std::invalid_argument);
}

TEST_CASE("tokenizers: saved and loaded") {
  const TemporaryFolder folder;
  std::mt19937 random(17);
  std::set<char32_t> characters = {0, '\n', '"', '\\', '/', 0x7F, 0x2028, 0xFEFF, 0xFFFF, 0x10FFFF};
  while (characters.size() < 500) {
    const char32_t character = random() % 0x110000;
    if (character < 0xD800 || character > 0xDFFF) characters.insert(character);
  }
  const std::u32string vocabulary(characters.begin(), characters.end());
  const CharTokenizer tokenizer(vocabulary);
  save_tokenizer(tokenizer, folder.path);
  const auto loaded = load_tokenizer(folder.path);
  CHECK(loaded->name() == "char");
  CHECK(tokenizer_to_json(*loaded) == tokenizer_to_json(tokenizer));
  CHECK(loaded->encode(utf8_encode(vocabulary)) == tokenizer.encode(utf8_encode(vocabulary)));

  save_tokenizer(ByteTokenizer(), folder.path);
  CHECK(load_tokenizer(folder.path)->name() == "byte");
  // tokenizer.json is Hugging Face's format, which cannot express these kinds. The name is still
  // read.
  CHECK_FALSE(fs::exists(folder.path / "tokenizer.json"));
  CHECK(tokenizer_file(folder.path).filename() == "gradus_tokenizer.json");
  fs::rename(folder.path / "gradus_tokenizer.json", folder.path / "tokenizer.json");
  CHECK(load_tokenizer(folder.path)->name() == "byte");
  save_tokenizer(tokenizer, folder.path);
  CHECK(load_tokenizer(folder.path)->name() == "char");
  CHECK(tokenizer_to_json(CharTokenizer::learn("b\na\"")) ==
        R"({"type":"char","vocab":["\n","\"","a","b"]})");
  CHECK(tokenizer_to_json(ByteTokenizer()) == R"({"type":"byte"})");
}

TEST_CASE("tokenizers: hostile JSON is refused with its cause") {
  for (const std::string json : {"", "{", "{}{}", "nonsense", "\xFF", "{\"type\":\"\xFF\"}",
                                 R"({"type":"char","vocab":["\ud800"]})", "{'type':'byte'}"}) {
    expect_refused(json, "is not JSON (the file is damaged or not complete)");
  }
  const char* nested = "is JSON nested deeper than 64 levels (use another file)";
  expect_refused(std::string(100000, '['), nested);
  expect_refused(std::string(100000, '[') + std::string(100000, ']'), nested);
  expect_refused(std::string(64, '[') + std::string(64, ']'), "is not a JSON object");
  for (const std::string json : {"[]", "null", "3", "\"byte\""}) {
    expect_refused(json, "is not a JSON object");
  }
  expect_refused("{}", "\"type\" must be a string");
  expect_refused(R"({"type":3})", "\"type\" must be a string");
  expect_refused(R"({"type":"bpe"})",
                 "has the unknown type \"bpe\" (supported are \"char\", \"byte\", \"word\" and "
                 "\"wordpiece\", and Hugging Face's files of a BPE or WordPiece model)");
  expect_refused(R"({"type":"byte","type":"byte"})", "the key \"type\" occurs twice");
  expect_refused(R"({"type":"byte","a":{"b":1},"b":2})", "has the unknown key \"a\"");
  expect_refused(R"({"type":"byte","vocab":[]})", "has the unknown key \"vocab\"");
  expect_refused(R"({"type":"char","vocab":["a"],"merges":[]})", "has the unknown key \"merges\"");
  expect_refused(R"({"type":"char"})", "\"vocab\" must be a list");
  expect_refused(R"({"type":"char","vocab":{"a":0}})", "\"vocab\" must be a list");
  expect_refused(R"({"type":"char","vocab":"abc"})", "\"vocab\" must be a list");
  expect_refused(R"({"type":"char","vocab":["a",98]})", "token 1 is not a string");
  expect_refused(R"({"type":"char","vocab":["a",["b"]]})", "token 1 is not a string");
  expect_refused(R"({"type":"char","vocab":["a","bc"]})", "token 1 must be one character, got 2");
  expect_refused(R"({"type":"char","vocab":[""]})", "token 0 must be one character, got 0");
  expect_refused(R"({"type":"char","vocab":[]})",
                 "char tokenizer: the vocabulary is empty (give it some text)");
  expect_refused(R"({"type":"char","vocab":["a","a"]})",
                 "char tokenizer: characters must ascend, each once, got U+0061 after U+0061");
  expect_refused(R"({"type":"char","vocab":["b","a"]})",
                 "char tokenizer: characters must ascend, each once, got U+0061 after U+0062");
}

TEST_CASE("tokenizers: files that cannot be read or written") {
  const TemporaryFolder folder;
  const std::string file = folder / kOwnTokenizerFile;
  CHECK_THROWS_WITH_AS(load_tokenizer(folder.path),
                       doctest::Contains("contains no tokenizer: expected tokenizer.json, "),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(
      save_tokenizer(ByteTokenizer(), folder.path / "missing"),
      doctest::Contains("missing/gradus_tokenizer.json: cannot be written: No such file"),
      std::runtime_error);
  std::ofstream(file) << std::string((16 << 20) + 1, ' ');
  CHECK_THROWS_WITH_AS(load_tokenizer(folder.path),
                       (file + ": must have at most 16777216 bytes (use a part of it)").c_str(),
                       std::runtime_error);
  fs::remove(file);
  fs::create_directory(file);
  CHECK_THROWS_WITH_AS(load_tokenizer(folder.path), doctest::Contains("is a directory"),
                       std::runtime_error);
  fs::remove(file);
  if (fs::exists("/dev/full")) {
    fs::create_symlink("/dev/full", file);
    CHECK_THROWS_WITH_AS(save_tokenizer(ByteTokenizer(), folder.path),
                         doctest::Contains("cannot be written: No space left on device"),
                         std::runtime_error);
  }
}
