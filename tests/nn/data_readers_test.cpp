#include <doctest/doctest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "nn/data/glyphs.h"
#include "nn/data/readers.h"
#include "nn/data/scores.h"
#include "nn/data/words.h"
#include "nn/text/file.h"
#include "tests/temporary_folder.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// An IDX file: the magic's last two bytes, the sizes, and so many elements.
std::string idx(char type, char axes, const std::vector<std::uint32_t>& sizes, std::size_t bytes) {
  std::string file = {0, 0, type, axes};
  for (const std::uint32_t size : sizes) {
    for (int shift = 24; shift >= 0; shift -= 8) file += static_cast<char>(size >> shift & 0xff);
  }
  return file + std::string(bytes, '\x7f');
}

/// What gzip makes of these bytes and so many MiB of zeros.
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
  const std::string file = folder / "b.tsv";
  const auto written = translation_pairs(200, 1);
  write_pairs(file, written);
  const auto read = read_pairs(file);
  REQUIRE(read.size() == 200);
  for (std::size_t i = 0; i < 200; ++i) {
    CHECK(read[i].source == written[i].source);
    CHECK(read[i].targets == written[i].targets);
  }
}

TEST_CASE("pairs and labelled lines: a first field that begins with a byte order mark keeps it") {
  const TemporaryFolder folder;
  const std::string mark = "\xEF\xBB\xBF";
  write_pairs(folder / "a.tsv", {{mark + "One.", {"Um."}}, {"One.", {"Uma."}}});
  const auto pairs = read_pairs(folder / "a.tsv");
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].source == mark + "One.");
  write_labelled(folder / "b.tsv", {{mark + "good"}, {{"a day", 0}}});
  CHECK(read_labelled(folder / "b.tsv").labels == Strings{mark + "good"});
}

TEST_CASE("pairs: what is wrong is named with its line") {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& bytes, const std::string& message) {
    const std::string file = folder.file("a.tsv", bytes);
    CHECK_THROWS_WITH_AS(read_pairs(file), (file + message).c_str(), std::runtime_error);
  };
  expect("a\tb\n\nc\n", ": line 3: has no tab (write source, tab, target)");
  expect("a\tb\na\t\n", ": line 2: field 2 is empty (give each its text, with one tab between)");
  expect("\ta\n", ": line 1: field 1 is empty (give each its text, with one tab between)");
  expect("\n\r\n", ": has no line with anything in it");
  expect("", ": is empty (give a file with some text in it)");
  const std::string file = folder.file("b.tsv", "a\tb\nc\t\xFF\n");
  CHECK_THROWS_WITH_AS(read_pairs(file),
                       doctest::Contains("b.tsv: invalid UTF-8 at byte 6 (line 2)"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_pairs(folder / "none"), doctest::Contains("none: does not exist"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(write_pairs(file, {{"a\tb", {"c"}}}), doctest::Contains("must have no tab"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(write_pairs(file, {{"a", {}}}), "write_pairs: 'a' has no target",
                       std::invalid_argument);
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
                       (file + ": line 2: 'rain' is none of the labels trained on").c_str(),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_labelled(folder.file("b.tsv", "a\tb\tc\n")),
                       doctest::Contains("line 1: has 2 tabs and must have one"),
                       std::runtime_error);
  write_labelled(file, sentiment_sentences(50, 1));
  const LabelledSet again = read_labelled(file);
  CHECK(again.labels == Strings{"negative", "positive"});
  CHECK(again.items[7].text == sentiment_sentences(50, 1).items[7].text);
  CHECK(again.items[7].label == 1);
  CHECK_THROWS_WITH_AS(write_labelled(file, {{"a"}, {{"b", 1}}}),
                       "write_labelled: label 1 is none of 1 labels", std::invalid_argument);
}

TEST_CASE("IDX: images and labels are read back as they were written") {
  const TemporaryFolder folder;
  const std::string images = folder / "images", labels = folder / "labels";
  const LabelledImages drawn = draw_digits(7, 1, 0, {.height = 5, .width = 3});
  write_idx_images(images, drawn.images);
  write_idx_labels(labels, drawn.labels);
  const Tensor read = read_idx_images(images);
  CHECK(read.shape() == Shape({7, 5, 3}));
  for (Index i = 0; i < read.size(); ++i) {
    CHECK(std::abs(read.data()[i] - drawn.images.data()[i]) <= 0.5 / 255 + 1e-6);
  }
  CHECK(read_idx_labels(labels).values() == drawn.labels.values());
  CHECK(read_file(images, 1000).substr(0, 8) == std::string("\0\0\x08\x03\0\0\0\x07", 8));
  write_idx_images(images, tensor({{{0, 1}}}));
  CHECK(read_idx_images(images).values() == std::vector<Scalar>{0, 1});
  CHECK_THROWS_WITH_AS(write_idx_images(images, tensor({{{2}}})),
                       doctest::Contains("must be in [0, 1], got 2"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(write_idx_images(images, tensor({{{NAN}}})), doctest::Contains("nan"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(write_idx_images(images, zeros({2, 2})), doctest::Contains("got [2, 2]"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(write_idx_labels(labels, indices({256})), doctest::Contains("got 256"),
                       std::invalid_argument);
}

TEST_CASE("IDX: a header is believed only if the file has its size") {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& bytes, const std::string& message) {
    const std::string file = folder.file("a", bytes);
    CHECK_THROWS_WITH_AS(read_idx_images(file), (file + message).c_str(), std::runtime_error);
  };
  expect(idx(8, 3, {2, 3, 5}, 29),
         ": the header asks for 30 bytes, and only 29 follow it (the file is cut short, or no IDX "
         "file)");
  expect(
      idx(8, 3, {2, 3, 5}, 31),
      ": the header asks for 30 bytes, and more follow it (the file is damaged, or no IDX file)");
  // 2^96 elements, a product that wraps to 0 in 64 bits.
  expect(idx(8, 3, {0xffffffff, 0xffffffff, 0xffffffff}, 10),
         ": the sizes up to byte 8 ask for more than 1073741824 bytes (give a part of them; or it "
         "is no IDX file)");
  expect(idx(8, 3, {1, 0x80000000, 2}, 0),
         ": the sizes up to byte 12 ask for more than 1073741824 bytes (give a part of them; or it "
         "is no IDX file)");
  expect(idx(8, 3, {2, 0, 5}, 0), ": the size at byte 8 is 0: there are no images");
  expect(idx(8, 1, {20}, 20),
         ": starts with 2049 at byte 0, and not with 2051 as IDX files of images in bytes do (give "
         "one of those)");
  expect(idx(13, 3, {1, 1, 1}, 4),
         ": starts with 3331 at byte 0, and not with 2051 as IDX files of images in bytes do (give "
         "one of those)");
  expect(
      "abc",
      ": 3 bytes are fewer than the 16 of the header of an IDX file of images (is this the whole "
      "file?)");
  expect(
      "",
      ": 0 bytes are fewer than the 16 of the header of an IDX file of images (is this the whole "
      "file?)");
  CHECK_THROWS_WITH_AS(read_idx_labels(folder.file("b", idx(8, 3, {1, 1, 1}, 1))),
                       doctest::Contains("starts with 2051 at byte 0, and not with 2049"),
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
  const std::string remedy = " (the .gz is cut short or damaged: fetch it again)";
  const std::string whole = packed(idx(8, 3, {2, 3, 5}, 30));
  for (std::size_t size = 3; size < whole.size(); ++size) {
    CAPTURE(size);
    expect(whole.substr(0, size), ": cannot be unpacked: unexpected end of file" + remedy);
  }
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1;  // the checksum is the eighth byte from the end to the fifth
  expect(damaged, ": cannot be unpacked: incorrect data check" + remedy);
  damaged = whole;
  damaged[12] ^= 0x7f;
  CHECK_THROWS_WITH_AS(read_idx_images(folder.file("a.gz", damaged)),
                       doctest::Contains("a.gz: cannot be unpacked: "), std::runtime_error);
  expect(packed(idx(8, 3, {2, 3, 5}, 29)),
         ": the header asks for 30 bytes, and only 29 follow it (the file is cut short, or no IDX "
         "file)");
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
  CHECK_THROWS_WITH_AS(read_idx_images(file), doctest::Contains("asks for 30 bytes, and more"),
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

TEST_CASE("scores: BLEU equals what is worked by hand") {
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
  // The paper's example of clipping: 7 times "the", of which a reference has 2.
  const Bleu the = corpus_bleu({"the the the the the the the"},
                               {{"the cat is on the mat", "there is a cat on the mat"}}, 1);
  CHECK(the.score == doctest::Approx(2.0 / 7));
  // 3 words against 5: exp(1 - 5/3). References of 2 and 4 words are equally near: 2 counts.
  CHECK(corpus_bleu({"a b c"}, {{"a b c d e"}}, 1).score == doctest::Approx(std::exp(-2.0 / 3)));
  CHECK(corpus_bleu({"a b c"}, {{"a b c d", "x y"}}, 1).brevity == 1);
  CHECK(corpus_bleu({"a b c"}, {{"a b c d"}}, 1).brevity == doctest::Approx(std::exp(-1.0 / 3)));
  // Over a corpus counts are added, not scores averaged: (2 + 1) of (2 + 4) words.
  CHECK(corpus_bleu({"a b", "a x y z"}, {{"a b"}, {"a b c d"}}, 1).score == doctest::Approx(0.5));
  CHECK(corpus_bleu({"a b", "c d"}, {{"a b"}, {"c d"}}, 2).score == doctest::Approx(1));
  CHECK(corpus_bleu({"a b c"}, {{"a b c"}}).score == 0);  // no four words
  CHECK(corpus_bleu({""}, {{"a"}}).score == 0);
  CHECK_THROWS_WITH_AS(corpus_bleu({"a"}, {{"a"}}, 0), doctest::Contains("at least 1, got 0"),
                       std::invalid_argument);
}
