#include "nn/text/word_vectors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "nn/data/corpus.h"
#include "nn/data/words.h"
#include "nn/examples/draws.h"
#include "nn/files/word_vector_files.h"
#include "nn/text/file.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// A file that is removed after the test.
struct TextFile {
  explicit TextFile(const std::string& bytes = "") {
    name = (fs::temp_directory_path() / ("gradus_glove_" + std::to_string(std::random_device()())))
               .string();
    std::ofstream(name, std::ios::binary) << bytes;
  }
  ~TextFile() { fs::remove(name); }
  std::string name;
};

WordVectors read(const std::string& bytes) { return read_word_vectors(TextFile(bytes).name); }

/// A language in which a number of one kind is only near words of the same kind.
Strings two_kinds(std::size_t count) {
  Strings words;
  Draws draws({1, 2, 3});
  const Strings kinds[] = {{"cat", "dog", "cow", "hen", "pig"},
                           {"red", "blue", "pink", "grey", "tan"}};
  for (std::size_t i = 0; i < count; ++i) {
    const Strings& kind = kinds[i / 20 % 2];
    words.push_back(draws.pick(kind));
  }
  return words;
}

}  // namespace

TEST_CASE("word vectors: the format of GloVe's files") {
  const WordVectors glove = read("the 0.418 0.24968 -0.41242\n, 0.013441 .5 -1e-3\r\n. 1 +2 -3\n");
  CHECK(glove.words == Strings{"the", ",", "."});
  CHECK(glove.vectors.shape() == Shape({3, 3}));
  CHECK(glove.vectors.at({1, 2}) == doctest::Approx(-0.001));
  CHECK(glove.vectors.at({2, 1}) == 2);
  CHECK(read("a 1 2").words == Strings{"a"});
  CHECK(read("a 1 1e-60\n").vectors.at({0, 1}) == doctest::Approx(0));
}

TEST_CASE("word vectors: reads files of word2vec and fastText") {
  // The files begin with V and C, and each line ends with a blank.
  const WordVectors vectors = read("2 3\na 1 2 3 \nb 4 5 6 \n");
  CHECK(vectors.words == Strings{"a", "b"});
  CHECK(vectors.vectors.values() == tensor({{1, 2, 3}, {4, 5, 6}}).values());
  CHECK(read("a 1 2 \r\nb 3 4 \r\n").words == Strings{"a", "b"});
  CHECK(read("\xEF\xBB\xBF"
             "a 1 2\nb 3 4\n")
            .words == Strings{"a", "b"});
  CHECK(read("\xEF\xBB\xBF"
             "1 3\na 1 2 3\n")
            .words == Strings{"a"});
  CHECK(read("50000 2\nred fox 1 2\n").words == Strings{"red fox"});  // a longer file's first lines
  CHECK(read("1000000 1\n2 3\n").words == Strings{"1000000", "2"});   // no header: one number each
  CHECK(read("10 2.5\na 3\n").words == Strings{"10", "a"});
}

TEST_CASE("word vectors: keeps the first vector of a repeated word, with a note") {
  const TextFile file("a 1 2\nb 3 4\na 5 6\nc 7 8\nb 9 10\na 1 2\n");
  Strings remarks;
  const WordVectors vectors =
      read_word_vectors(file.name, [&](const std::string& remark) { remarks.push_back(remark); });
  CHECK(vectors.words == Strings{"a", "b", "c"});
  CHECK(vectors.vectors.values() == tensor({{1, 2}, {3, 4}, {7, 8}}).values());
  CHECK(remarks == Strings{file.name + ": line 3: the word 'a' occurs twice; the first vector "
                                       "of each word is used (3 such lines)"});
  remarks.clear();
  const TextFile cut("3 2\na 1 2\nb 3 4\n");
  read_word_vectors(cut.name, [&](const std::string& remark) { remarks.push_back(remark); });
  CHECK(remarks == Strings{cut.name + ": line 1: the header gives 3 words, but 2 lines follow"});
}

TEST_CASE("word vectors: odd words are words") {
  const WordVectors glove =
      read("1 0.5\n\xC2\x85 1\n\xFF\xFE 2\n\"' 3\nat name@domain.com 4\n. . . 5\n1 6\n");
  CHECK(glove.words == Strings{"1", "\xC2\x85", "\xFF\xFE", "\"'", "at name@domain.com", ". . ."});
  CHECK(glove.vectors.at({5, 0}) == 5);
}

TEST_CASE("word vectors: numbers too small for a Scalar are 0, however they are written") {
  const std::string tiny = "0." + std::string(330, '0') + "1";
  const WordVectors glove = read("a 1e-400\nb 1E-400\nc " + tiny + "\nd -1E-400\n");
  REQUIRE(glove.words.size() == 4);
  for (const Scalar number : glove.vectors) {
    CHECK(number == 0);
  }
}

TEST_CASE("word vectors: errors name the line") {
  const auto expect = [](const std::string& bytes, const std::string& message) {
    const TextFile file(bytes);
    CHECK_THROWS_WITH_AS(read_word_vectors(file.name), (file.name + message).c_str(),
                         std::runtime_error);
  };
  expect("", ": is empty (use a file of vectors)");
  expect("\n", ": is empty (use a file of vectors)");
  expect("a\n", ": line 1: has no numbers (write a word and its numbers, with blanks between)");
  expect("a 1 2\nb 1\n", ": line 2: has 1 of the 2 numbers that the first line has");
  expect("a 1 2\nb\n", ": line 2: has 0 of the 2 numbers that the first line has");
  expect("a 1 2\n\nb 1 2\n", ": line 2: has 0 of the 2 numbers that the first line has");
  expect("a 1 2\nb 1 2 3\n", ": line 2: has more than the 2 numbers that the first line has");
  expect("a 1 2\nb 1 x\n", ": line 2: 'x' is not a number");
  expect("a 1 2x\n", ": line 1: '2x' is not a number");
  expect("  \n", ": line 1: has no numbers (write a word and its numbers, with blanks between)");
  expect("a 1  2\n", ": line 1: '' is not a number");
  expect("a 1 nan\n", ": line 1: 'nan' is not finite");
  expect("a 1 2\nb -inf 2\n", ": line 2: '-inf' is not finite");
  expect("a 1 1e999\n", ": line 1: '1e999' is not finite");
  expect("a 1 1E+999\n", ": line 1: '1E+999' is not finite");
  expect(" 1 2\n", ": line 1: has no word before its numbers");
  expect("400000 50\nthe 1 2 3\n", ": line 2: has 3 of the 50 numbers that the header asks for");
  expect("400000 2\nthe 1 2 3\n", ": line 2: has more than the 2 numbers that the header asks for");
  expect("5 18446744073709551615\nthe 1 2\n",
         ": line 2: has 2 of the 18446744073709551615 numbers that the header asks for");
  CHECK_THROWS_WITH_AS(read_word_vectors("/none/x"), "/none/x: does not exist (check the path)",
                       std::runtime_error);
}

TEST_CASE("word vectors: hostile bytes are errors or vectors, and nothing else") {
  Draws draws({7, 8, 9});
  const std::string bytes = "ab 1.5-e\n\r\t\xC3\xA9  inf\n01";
  for (int i = 0; i < 3000; ++i) {
    std::string hostile;
    for (std::size_t n = draws.below(40); n > 0; --n) hostile += draws.pick(bytes);
    try {
      const WordVectors glove = read(hostile);
      CHECK(glove.vectors.size(0) == static_cast<Index>(glove.words.size()));
      CHECK(std::ranges::all_of(glove.vectors, [](Scalar x) { return std::isfinite(x); }));
    } catch (const std::runtime_error&) {
    }
  }
}

TEST_CASE("word vectors: reads back a written file") {
  const TextFile file;
  const WordVectors vectors{{"é", "b c", "-"}, tensor({{1, -0.25}, {0.125, 3}, {1e-9, 7}})};
  write_word_vectors(file.name, vectors, 3);
  CHECK(read_file(file.name, 1000) == "é 1.000 -0.250\nb c 0.125 3.000\n- 0.000 7.000\n");
  const WordVectors again = read_word_vectors(file.name);
  CHECK(again.words == vectors.words);
  CHECK(again.vectors.at({1, 0}) == Scalar(0.125));
  const auto refuse = [&](const WordVectors& wrong, const std::string& message) {
    CHECK_THROWS_WITH_AS(write_word_vectors(file.name, wrong), doctest::Contains(message.c_str()),
                         std::invalid_argument);
  };
  refuse({{"a", "b"}, tensor({{1, 2}})}, "needs vectors [V, C] for 2 words");
  refuse({{"a b"}, tensor({{1}})}, "'a b' could not be read back");
  refuse({{"a", "b 1"}, tensor({{1}, {2}})}, "'b 1' could not be read back");
  refuse({{""}, tensor({{1}})}, "'' could not be read back");
  refuse({{"a\nb"}, tensor({{1}})}, "could not be read back");
  refuse({{"a"}, tensor({{NAN}})}, "'a' has a number that is nan");
  refuse({{"a", "b", "a"}, tensor({{1}, {2}, {3}})}, "'a' occurs twice");
}

TEST_CASE("word vectors: words that stand together get vectors that point together") {
  const Strings words = two_kinds(4000);
  const WordVectorOptions options{.channels = 8, .window = 5, .x_max = 50, .epochs = 30};
  const WordVectors learned = learn_word_vectors(words, options);
  CHECK(learned.words.size() == 10);
  CHECK(learned.vectors.shape() == Shape({10, 8}));
  for (const Strings& kind : {Strings{"cat", "dog", "cow", "hen", "pig"},
                              Strings{"red", "blue", "pink", "grey", "tan"}}) {
    for (const std::string& word : kind) {
      Strings nearest = nearest_words(learned, word, 4);
      CHECK(nearest.size() == 4);
      CHECK(std::ranges::all_of(nearest, [&](const std::string& other) {
        return std::ranges::count(kind, other) == 1 && other != word;
      }));
    }
  }
  CHECK(learn_word_vectors(words, options).vectors.values() == learned.vectors.values());
  WordVectorOptions other = options;
  other.seed = 2;
  CHECK(learn_word_vectors(words, other).vectors.values() != learned.vectors.values());
  CHECK(nearest_words(learned, "cat", 99).size() == 9);
  CHECK(nearest_words(learned, "none", 3).empty());
}

TEST_CASE("word vectors: two words are enough, and options must be positive") {
  const Strings words = {"a", "b", "a", "b", "a", "b"};
  WordVectorOptions options{.channels = 2, .min_count = 1, .window = 1, .x_max = 1, .epochs = 500};
  const WordVectors learned = learn_word_vectors(words, options);
  CHECK(learned.words == Strings{"a", "b"});
  CHECK(std::ranges::all_of(learned.vectors, [](Scalar x) { return std::isfinite(x); }));
  const auto fail = [&](WordVectorOptions wrong, const std::string& message) {
    CHECK_THROWS_WITH_AS(learn_word_vectors(words, wrong), doctest::Contains(message.c_str()),
                         std::invalid_argument);
  };
  fail({},
       "needs at least 2 words that occur 5 times or more, got 0 (use a longer text, or a lower "
       "min_count)");
  fail({.channels = 0}, "must be positive, got 0, 5, 10 and 25");
  fail({.x_max = -1}, "must be positive, got -1, 0.75 and 0.05");
}

TEST_CASE("word vectors: training on the fables gives the file beside them") {
  const WordVectors kept =
      read_word_vectors(GRADUS_GOLDEN_DIR "/../../nn/data/corpus/fables_vectors.txt");
  const WordVectors learned = learn_word_vectors(split_words(*bundled_text("fables"), Case::kLower),
                                                 {.channels = 24, .min_count = 8, .x_max = 10});
  CHECK(kept.words == learned.words);
  REQUIRE(kept.vectors.shape() == Shape({899, 24}));
  double largest = 0;
  for (Index i = 0; i < kept.vectors.size(); ++i) {
    largest = std::max(
        largest, static_cast<double>(std::abs(kept.vectors.data()[i] - learned.vectors.data()[i])));
  }
  CHECK(largest < 0.001);  // half of the last decimal, and rounding on other machines
  CHECK(nearest_words(kept, "night", 3) == Strings{"day", "evening", "morning"});
}
