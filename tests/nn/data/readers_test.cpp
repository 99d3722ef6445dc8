#include "nn/data/readers.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "nn/data/items.h"
#include "nn/data/scores.h"
#include "nn/data/words.h"
#include "nn/text/file.h"
#include "tests/temporary_folder.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// An IDX file with these last two bytes of its magic number, these sizes and `bytes` elements.
std::string idx(char type, char axes, const std::vector<std::uint32_t>& sizes, std::size_t bytes) {
  std::string file = {0, 0, type, axes};
  for (const std::uint32_t size : sizes) {
    for (int shift = 24; shift >= 0; shift -= 8) file += static_cast<char>(size >> shift & 0xff);
  }
  return file + std::string(bytes, '\x7f');
}

/// These bytes and this many MiB of zeros, compressed with gzip.
std::string packed(const std::string& bytes, int mebibytes = 0) {
  const TemporaryFolder folder;
  const gzFile file = gzopen((folder / "a").c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  const std::string zeros(1 << 20, '\0');
  for (int i = 0; i < mebibytes; ++i) gzwrite(file, zeros.data(), 1 << 20);
  REQUIRE(gzclose(file) == Z_OK);
  return read_file(folder / "a", 1 << 24);
}

}  // namespace

TEST_CASE("pairs: repeated sources gather their targets, in the order of the file") {
  const TemporaryFolder folder;
  const auto pairs = read_pairs(folder.file(
      "a.tsv", "\xEF\xBB\xBFOne.\tUm.\r\n\r\nTwo.\tDois.\tDuas.\nOne.\tUma.\nOne.\tUm."));
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].source == "One.");
  CHECK(pairs[0].targets == Strings{"Um.", "Uma."});
  CHECK(pairs[1].targets == Strings{"Dois.", "Duas."});
}

TEST_CASE("pairs and labelled lines: a first field that begins with a byte order mark keeps it") {
  const TemporaryFolder folder;
  const std::string mark = "\xEF\xBB\xBF";
  const std::string file = folder.file("a.tsv", mark + mark + "One.\tUm.\nOne.\tUma.\n");
  const auto pairs = read_pairs(file);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].source == mark + "One.");
  CHECK(read_labelled(folder.file("b.tsv", mark + mark + "good\ta day\n")).labels ==
        Strings{mark + "good"});
}

TEST_CASE("pairs: errors name the line") {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& bytes, const std::string& message) {
    const std::string file = folder.file("a.tsv", bytes);
    CHECK_THROWS_WITH_AS(read_pairs(file), (file + message).c_str(), std::runtime_error);
  };
  expect("a\tb\n\nc\n", ": line 3: has no tab (write source, tab, target)");
  expect("a\tb\na\t\n",
         ": line 2: field 2 is empty (write a text in each field, with one tab between fields)");
  expect("\ta\n",
         ": line 1: field 1 is empty (write a text in each field, with one tab between fields)");
  expect("\n\r\n", ": has only blank lines");
  expect("", ": is empty (use a file that contains text)");
  const std::string file = folder.file("b.tsv", "a\tb\nc\t\xFF\n");
  CHECK_THROWS_WITH_AS(read_pairs(file),
                       doctest::Contains("b.tsv: invalid UTF-8 at byte 6 (line 2)"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_pairs(folder / "none"), doctest::Contains("none: does not exist"),
                       std::runtime_error);
}

TEST_CASE("labelled lines: labels are numbered by their names, or as given") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.tsv", "sun\tIt shines.\nrain\tIt rains.\nsun\tHot.\n");
  const LabelledSet set = read_labelled(file);
  CHECK(set.labels == Strings{"rain", "sun"});
  CHECK(set.items[0].text == "It shines.");
  CHECK(set.items[0].label == 1);
  CHECK(set.items[1].label == 0);
  CHECK(read_labelled(file, {"sun", "snow", "rain"}).items[1].label == 2);
  CHECK_THROWS_WITH_AS(read_labelled(file, {"sun"}),
                       (file + ": line 2: the label 'rain' is not in the training data").c_str(),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_labelled(folder.file("b.tsv", "a\tb\tc\n")),
                       doctest::Contains("line 1: must have one tab, got 2"), std::runtime_error);
}

TEST_CASE("IDX: images are greys from 0 to 1, labels numbers to 255") {
  const TemporaryFolder folder;
  const std::string file = idx(8, 3, {2, 1, 2}, 0) + std::string("\0\xff\x33\x01", 4);
  const Tensor images = read_idx_images(folder.file("images", file));
  CHECK(images.shape() == Shape({2, 1, 2}));
  CHECK(images.values() == std::vector<Scalar>{0, 1, Scalar(51) / 255, Scalar(1) / 255});
  const std::string labels =
      folder.file("labels", idx(8, 1, {3}, 0) + std::string("\x07\0\xff", 3));
  CHECK(read_idx_labels(labels).values() == std::vector<std::int32_t>{7, 0, 255});
}

TEST_CASE("IDX: a header is believed only if the file has its size") {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& bytes, const std::string& message) {
    const std::string file = folder.file("a", bytes);
    CHECK_THROWS_WITH_AS(read_idx_images(file), (file + message).c_str(), std::runtime_error);
  };
  expect(idx(8, 3, {2, 3, 5}, 29),
         ": the header asks for 30 bytes, but only 29 follow it (the file is incomplete, or not an "
         "IDX file)");
  expect(idx(8, 3, {2, 3, 5}, 31),
         ": the header asks for 30 bytes, but more follow it (the file is damaged, or not an IDX "
         "file)");
  // 2^96 elements, a product that overflows to 0 in 64 bits.
  expect(idx(8, 3, {0xffffffff, 0xffffffff, 0xffffffff}, 10),
         ": the sizes up to byte 8 ask for more than 1073741824 bytes (use a part of the data, or "
         "check that this is an IDX file)");
  expect(idx(8, 3, {1, 0x80000000, 2}, 0),
         ": the sizes up to byte 12 ask for more than 1073741824 bytes (use a part of the data, or "
         "check that this is an IDX file)");
  expect(idx(8, 3, {2, 0, 5}, 0), ": the size at byte 8 must not be 0");
  expect(idx(8, 1, {20}, 20), ": an IDX file of images must start with 2051, got 2049");
  expect(idx(13, 3, {1, 1, 1}, 4), ": an IDX file of images must start with 2051, got 3331");
  expect("abc",
         ": needs the 16 bytes of the header of an IDX file of images, got 3 (use the whole file)");
  expect("",
         ": needs the 16 bytes of the header of an IDX file of images, got 0 (use the whole file)");
  CHECK_THROWS_WITH_AS(read_idx_labels(folder.file("b", idx(8, 3, {1, 1, 1}, 1))),
                       doctest::Contains("an IDX file of labels must start with 2049, got 2051"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_idx_labels(folder.path.string()), doctest::Contains("is a directory"),
                       std::runtime_error);
}

TEST_CASE("IDX: a .gz is read as it is handed out") {
  const TemporaryFolder folder;
  const std::string plain = idx(8, 3, {2, 3, 5}, 30);
  CHECK(read_idx_images(folder.file("a.gz", packed(plain))).values() ==
        read_idx_images(folder.file("a", plain)).values());
  CHECK(read_idx_labels(folder.file("b.gz", packed(idx(8, 1, {7}, 7)))).size() == 7);
}

TEST_CASE("IDX: a damaged .gz is named") {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& bytes, const std::string& message) {
    const std::string file = folder.file("a.gz", bytes);
    CHECK_THROWS_WITH_AS(read_idx_images(file), (file + message).c_str(), std::runtime_error);
  };
  const std::string remedy = " (the .gz is incomplete or damaged: download it again)";
  const std::string whole = packed(idx(8, 3, {2, 3, 5}, 30));
  for (std::size_t size = 3; size < whole.size(); ++size) {
    CAPTURE(size);
    expect(whole.substr(0, size), ": cannot be unpacked: unexpected end of file" + remedy);
  }
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1;  // the checksum is in the eighth to fifth bytes from the end
  expect(damaged, ": cannot be unpacked: incorrect data check" + remedy);
  damaged = whole;
  damaged[12] ^= 0x7f;
  CHECK_THROWS_WITH_AS(read_idx_images(folder.file("a.gz", damaged)),
                       doctest::Contains("a.gz: cannot be unpacked: "), std::runtime_error);
  expect(packed(idx(8, 3, {2, 3, 5}, 29)),
         ": the header asks for 30 bytes, but only 29 follow it (the file is incomplete, or not an "
         "IDX file)");
}

TEST_CASE("IDX: a .gz is not unpacked beyond what its header asks for") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.gz", packed(idx(8, 3, {2, 3, 5}, 30), 512));
  const auto most = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const auto before = most();
  CHECK_THROWS_WITH_AS(read_idx_images(file), doctest::Contains("asks for 30 bytes, but more"),
                       std::runtime_error);
  CHECK(most() - before < 1 << 14);  // in KiB
  CHECK_THROWS_WITH_AS(
      read_idx_images(folder.file("b.gz", packed(idx(8, 3, {0x10000, 0x10000, 1}, 9)))),
      doctest::Contains("b.gz: the sizes up to byte 12 ask for more than"), std::runtime_error);
}

TEST_CASE("words: runs of letters, marks alone, accents inside") {
  CHECK(split_words("Não, J. P.: it's o-o 3!") ==
        Strings{"Não", ",", "J", ".", "P", ".", ":", "it's", "o-o", "3", "!"});
  CHECK(split_words("ÀÉÇ ÷×Ñ Zß", Case::kLower) == Strings{"àéç", "÷×ñ", "zß"});
  CHECK(split_words(" 'a' - b-") == Strings{"'", "a", "'", "-", "b", "-"});
  CHECK(split_words(" \t\n").empty());
}

TEST_CASE("scores: exact match takes any reference") {
  CHECK(exact_match({"a", "b", "c"}, {{"a"}, {"x", "b"}, {"C"}}) == doctest::Approx(2.0 / 3));
  CHECK_THROWS_WITH_AS(exact_match({}, {}), "exact_match: there is nothing to score",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(exact_match({"a"}, {{"a"}, {"b"}}),
                       doctest::Contains("got 1 candidates and 2 references"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(exact_match({"a"}, {{}}), "exact_match: candidate 0 has no reference",
                       std::invalid_argument);
}

TEST_CASE("scores: BLEU equals a value computed by hand") {
  // "the" counts once, as in the reference: 5/6. Pairs 3/5, triples 2/4, fours 1/3.
  const Bleu mat = corpus_bleu({"the cat sat on the mat"}, {{"the cat sat on a mat"}});
  CHECK(mat.precisions.size() == 4);
  CHECK(mat.precisions[0] == doctest::Approx(5.0 / 6));
  CHECK(mat.precisions[1] == doctest::Approx(3.0 / 5));
  CHECK(mat.precisions[2] == doctest::Approx(2.0 / 4));
  CHECK(mat.precisions[3] == doctest::Approx(1.0 / 3));
  CHECK(mat.brevity == 1);
  CHECK(mat.score == doctest::Approx(std::pow(5.0 / 6 * 3 / 5 * 2 / 4 / 3, 0.25)));
  CHECK(mat.score == doctest::Approx(0.5373).epsilon(0.0001));
  // The paper's example of clipping: 7 times "the", whereas a reference has 2.
  const Bleu the = corpus_bleu({"the the the the the the the"},
                               {{"the cat is on the mat", "there is a cat on the mat"}}, 1);
  CHECK(the.score == doctest::Approx(2.0 / 7));
  // 3 words against 5: exp(1 - 5/3). References with 2 and 4 words are equally near: 2 is used.
  CHECK(corpus_bleu({"a b c"}, {{"a b c d e"}}, 1).score == doctest::Approx(std::exp(-2.0 / 3)));
  CHECK(corpus_bleu({"a b c"}, {{"a b c d", "x y"}}, 1).brevity == 1);
  CHECK(corpus_bleu({"a b c"}, {{"a b c d"}}, 1).brevity == doctest::Approx(std::exp(-1.0 / 3)));
  // For a corpus, counts are added; scores are not averaged: (2 + 1) of (2 + 4) words.
  CHECK(corpus_bleu({"a b", "a x y z"}, {{"a b"}, {"a b c d"}}, 1).score == doctest::Approx(0.5));
  CHECK(corpus_bleu({"a b", "c d"}, {{"a b"}, {"c d"}}, 2).score == doctest::Approx(1));
  CHECK(corpus_bleu({"a b c"}, {{"a b c"}}).score == 0);  // no four words
  CHECK(corpus_bleu({""}, {{"a"}}).score == 0);
  CHECK_THROWS_WITH_AS(corpus_bleu({"a"}, {{"a"}}, 0), doctest::Contains("at least 1, got 0"),
                       std::invalid_argument);
}

TEST_CASE("labelled lines: blanks around a label are no part of it") {
  const TemporaryFolder folder;
  const LabelledSet set =
      read_labelled(folder.file("a.tsv", "pos\ta day \npos \tanother\n very good\t b\n"));
  CHECK(set.labels == Strings{"pos", "very good"});
  CHECK(set.items[0].label == set.items[1].label);
  CHECK(set.items[0].text == "a day ");
  CHECK(read_labelled(folder.file("b.tsv", "pos \ta\n"), {"pos"}).items[0].label == 0);
  CHECK_THROWS_WITH_AS(read_labelled(folder.file("c.tsv", "a\tb\n  \ta\n")),
                       doctest::Contains("c.tsv: line 2: the label is blank"), std::runtime_error);
}

TEST_CASE("IDX: the numbers of images and labels are compared before anything is unpacked") {
  const TemporaryFolder folder;
  const std::string images = folder.file("i", idx(8, 3, {2, 1, 2}, 4)),
                    labels = folder.file("l", idx(8, 1, {2}, 2));
  const auto [pictures, numbers] = read_idx_pair(images, labels);
  CHECK(pictures.shape() == Shape({2, 1, 2}));
  CHECK(numbers.size() == 2);
  // This file is damaged after its header, where it is not read.
  std::string bomb = packed(idx(8, 3, {1000, 100, 100}, 0), 9);
  bomb.resize(bomb.size() - 100);
  CHECK_THROWS_WITH_AS(
      read_idx_pair(folder.file("bomb.gz", bomb), labels),
      doctest::Contains("bomb.gz: the number of images is 1000, the number of labels in"),
      std::runtime_error);
}
