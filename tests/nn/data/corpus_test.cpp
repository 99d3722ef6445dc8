#include "nn/data/corpus.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "nn/data/batches.h"
#include "nn/text/byte_tokenizer.h"
#include "nn/text/char_tokenizer.h"
#include "tests/temporary_folder.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;

Corpus corpus_of(const std::string& bytes) {
  Text text;
  text.append("corpus.txt", bytes);
  return Corpus(text, ByteTokenizer());
}

}  // namespace

TEST_CASE("corpus: the bundled fables are plain ASCII and end in a newline") {
  const std::string_view fables = *bundled_text("fables");
  CHECK(fables.size() == 304988);
  CHECK(std::ranges::all_of(fables, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  CHECK(fables.starts_with("The Queen and the Honest Mirror Maker\n\n"));
  CHECK(fables.ends_with(".\n"));
  Text text;
  text.append("fables.txt", fables);
  Corpus(text, *learn_tokenizer("char", text)).require_blocks(256);
}

TEST_CASE("text: files are joined in order, with a newline where one is missing") {
  const TemporaryFolder folder;
  const std::string a = folder.file("a.txt", "one"), b = folder.file("b.txt", "two\n"),
                    c = folder.file("c.txt", "three");
  CHECK(read_text({a, b, c}).bytes() == "one\ntwo\nthree");
  CHECK(read_text({c, a}).bytes() == "three\none");
  CHECK(read_text({a}).bytes() == "one");
  CHECK(read_text({a, a}).bytes() == "one\none");
  CHECK(read_text({a}).name() == a);
  CHECK(read_text({a, b, c}).name() == a + " and 2 more");
}

TEST_CASE("text: bytes stay as they are, but for a byte order mark at a file's start") {
  const TemporaryFolder folder;
  const std::string a = folder.file("a.txt", "\xEF\xBB\xBFone\r\n"),
                    b = folder.file("b.txt", "\xEF\xBB\xBF\xEF\xBB\xBFtwo"),
                    c = folder.file("c.txt", std::string("\0\xFF\xEF\xBB\xBF", 5));
  CHECK(read_text({a}).bytes() == "one\n");
  CHECK(read_text({a, b}).bytes() == "one\n\xEF\xBB\xBFtwo");
  CHECK(read_text({c}).bytes() == std::string("\0\xFF\xEF\xBB\xBF", 5));
}

TEST_CASE("text: line ends CR LF become LF unless they are kept") {
  const TemporaryFolder folder;
  const std::string a = folder.file("a.txt", "one\r\ntwo\rthree\r\r\n"),
                    b = folder.file("b.txt", "\xEF\xBB\xBF\r\nfour\r"),
                    c = folder.file("c.txt", "\nfive");
  const Text folded = read_text({a, b, c});
  CHECK(folded.bytes() == "one\ntwo\rthree\r\n\nfour\r\n\nfive");
  CHECK(folded.folded() == 3);
  const Text kept = read_text({a, b}, stdin, kLargestText, LineEnds::kKeep);
  CHECK(kept.bytes() == "one\r\ntwo\rthree\r\r\n\r\nfour\r");
  CHECK(kept.folded() == 0);
  // Folding removes bytes of the file, so an error counts bytes from the start of the line.
  const std::string d = folder.file("d.txt", "\xEF\xBB\xBFone\r\ntwo\r\nab\xFF");
  CHECK_THROWS_WITH_AS(
      learn_tokenizer("char", read_text({a, d})),
      doctest::Contains((d + ": invalid UTF-8 at line 3 (byte 2 of it): 0xff").c_str()),
      std::runtime_error);
}

TEST_CASE("text: standard input may be a pipe, and a text larger than its buffer") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const std::string sent(300000, 'x');
  std::thread writer([&] {
    for (std::size_t at = 0; at < sent.size();) {
      const ssize_t count = write(ends[1], sent.data() + at, sent.size() - at);
      if (count <= 0) break;
      at += static_cast<std::size_t>(count);
    }
    close(ends[1]);
  });
  std::FILE* const input = fdopen(ends[0], "rb");
  const TemporaryFolder folder;
  const Text text = read_text({folder.file("a.txt", "a"), "-"}, input);
  writer.join();
  CHECK(text.bytes() == "a\n" + sent);
  CHECK_THROWS_WITH_AS(read_text({"-"}, input),
                       "standard input: is empty (use a file that contains text)",
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_text({"-", "a", "-"}, input),
                       "text: standard input can be read only once (pass - once)",
                       std::invalid_argument);
  std::fclose(input);
}

TEST_CASE("text: files that cannot be read are named, with the remedy") {
  const TemporaryFolder folder;
  const auto expect = [](const std::string& name, const std::string& rest) {
    CHECK_THROWS_WITH_AS(read_text({name}), (name + rest).c_str(), std::runtime_error);
  };
  const std::string file = folder.file("a.txt", "text");
  expect(folder / "missing.txt", ": does not exist (check the path)");
  expect(folder.path.string(), ": is a directory (use a text file)");
  expect(folder.file("empty.txt", ""), ": is empty (use a file that contains text)");
  expect(folder.file("mark.txt", "\xEF\xBB\xBF"), ": is empty (use a file that contains text)");
  expect(file + "/b.txt", ": cannot be read: Not a directory (check the path)");
  if (fs::exists("/proc/self/mem")) {
    expect("/proc/self/mem", ": cannot be read: Input/output error (check the disk)");
  }
  if (geteuid() != 0) {
    fs::permissions(file, fs::perms::none);
    expect(file, ": cannot be read: Permission denied (check its permissions)");
  }
  CHECK_THROWS_WITH_AS(read_text({""}), "'': does not exist (check the path)", std::runtime_error);
  CHECK_THROWS_WITH_AS(read_text({}),
                       "text: needs at least one file (pass one, or - for standard input)",
                       std::invalid_argument);
}

TEST_CASE("text: more than the limit is an error, so that an endless file ends") {
  const TemporaryFolder folder;
  const std::string four = folder.file("a.txt", "text"), one = folder.file("b.txt", "b");
  CHECK(read_text({four}, stdin, 4).bytes() == "text");
  CHECK_THROWS_WITH_AS(read_text({four}, stdin, 3),
                       (four + ": must have at most 3 bytes (use a part of it)").c_str(),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_text({four, one}, stdin, 4),
                       doctest::Contains("b.txt: must have at most"), std::runtime_error);
  if (fs::exists("/dev/zero")) {
    CHECK_THROWS_WITH_AS(read_text({"/dev/zero"}, stdin, 1000000),
                         "/dev/zero: must have at most 1000000 bytes (use a part of it)",
                         std::runtime_error);
  }
}

TEST_CASE("corpus: errors in a text name the file, and byte and line there") {
  const TemporaryFolder folder;
  const std::string a = folder.file("a.txt", "one\nab"),
                    b = folder.file("b.txt", "\xEF\xBB\xBFtwo\nab\xFF"),
                    c = folder.file("c.txt", "\xEF\xBB\xBFtwo");
  CHECK_THROWS_WITH_AS(
      learn_tokenizer("char", read_text({a, b})),
      (b + ": invalid UTF-8 at byte 9 (line 2): 0xff starts no character (convert it "
           "to UTF-8 with iconv, or train a model with --tokenizer=byte)")
          .c_str(),
      std::runtime_error);
  CHECK(Corpus(read_text({b}), *learn_tokenizer("byte", read_text({b}))).text_bytes() == 7);
  const CharTokenizer letters(U"eno");
  CHECK_THROWS_WITH_AS(Corpus(read_text({a}), letters),
                       (a + ": the vocabulary has no '\\n' (U+000A), at byte 3 (line 1) (it has 3 "
                            "characters: eno)")
                           .c_str(),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(Corpus(read_text({a, c}), CharTokenizer(U"\nabeno")),
                       doctest::Contains("c.txt: the vocabulary has no 't' (U+0074), at byte 3"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(learn_tokenizer("word", read_text({a, b})),
                       doctest::Contains("b.txt: invalid UTF-8 at byte 9 (line 2)"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(learn_tokenizer("letters", read_text({a})),
                       "tokenizer: unknown kind 'letters' (choose char, byte, bpe, word "
                       "or wordpiece)",
                       std::invalid_argument);
}

TEST_CASE("corpus: tokenizers of all kinds, of a size where that can be chosen") {
  Text text;
  text.append("a.txt", *bundled_text("fables"));
  for (const std::string kind : {"bpe", "word", "wordpiece"}) {
    CHECK(learn_tokenizer(kind, text, 300)->name() == kind);
    CHECK(learn_tokenizer(kind, text, 300)->vocab_size() == 300);
    CHECK(learn_tokenizer(kind, text)->vocab_size() > 3000);  // words: all there are
    CHECK(learn_tokenizer(kind, text)->vocab_size() <= kUsualVocabulary);
    CHECK_THROWS_WITH_AS(learn_tokenizer(kind, text, 2),
                         doctest::Contains("vocab_size must be at least"), std::invalid_argument);
    CHECK_THROWS_WITH_AS(learn_tokenizer(kind, text, -1), doctest::Contains(", got -1"),
                         std::invalid_argument);
  }
  CHECK_THROWS_WITH_AS(learn_tokenizer("char", text, 300),
                       "vocab_size: must be 0 for a char tokenizer, which has one token for each "
                       "character; got 300 (leave it out, or choose bpe or word)",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(learn_tokenizer("byte", text, 256),
                       doctest::Contains("one token for each byte; got 256"),
                       std::invalid_argument);
  const auto tokenizer = learn_tokenizer("bpe", text, 500);
  const Corpus corpus(text, *tokenizer);
  CHECK(target_bytes(corpus.tokens(Split::kAll), *tokenizer) ==
        text.bytes().size() - tokenizer->piece(corpus.tokens(Split::kAll)[0]).size());
}

TEST_CASE("corpus: a vocabulary whose file could not be read again is refused when it is learned") {
  std::string text;
  for (int word = 0; word < 70'000; ++word) {  // of 256 letters each
    std::string letters = std::to_string(word);
    for (char& digit : letters) digit = static_cast<char>(digit - '0' + 'a');
    text += letters + std::string(kLongestToken - letters.size() - 1, 'x') + " ";
  }
  Text long_words;
  long_words.append("words", text);
  CHECK_THROWS_WITH_AS(learn_tokenizer("word", long_words, 80'000),
                       doctest::Contains("must have fewer than 16777216 bytes, got"),
                       std::invalid_argument);
}

TEST_CASE("corpus: tokens and bytes are counted") {
  Text text;
  text.append("a.txt", "h\u00e9h\u00e9!");
  const auto tokenizer = learn_tokenizer("char", text);
  const Corpus corpus(text, *tokenizer);
  CHECK(tokenizer->vocab_size() == 3);
  CHECK(corpus.tokens(Split::kAll).size() == 5);
  CHECK(corpus.text_bytes() == 7);
  CHECK(target_bytes(corpus.tokens(Split::kAll), *tokenizer) == 6);
  CHECK(target_bytes(corpus.tokens(Split::kAll).subspan(1), *tokenizer) == 4);
  CHECK(target_bytes(corpus.tokens(Split::kAll).first(1), *tokenizer) == 0);
  CHECK(target_bytes({}, *tokenizer) == 0);
  CHECK(corpus.name() == "a.txt");
}

TEST_CASE("corpus: the split is nanoGPT's int(n * 0.9)") {
  for (std::size_t size = 1; size < 3000; ++size) {
    const Corpus corpus = corpus_of(std::string(size, 'x'));
    const auto expected = static_cast<std::size_t>(static_cast<double>(size) * 0.9);
    REQUIRE(corpus.tokens(Split::kTrain).size() == expected);
    REQUIRE(corpus.tokens(Split::kVal).size() == size - expected);
  }
  const Corpus corpus = corpus_of("0123456789abcdefghij!");
  CHECK(ByteTokenizer().decode(corpus.tokens(Split::kTrain)) == "0123456789abcdefgh");
  CHECK(ByteTokenizer().decode(corpus.tokens(Split::kVal)) == "ij!");
  CHECK(ByteTokenizer().decode(corpus.tokens(Split::kAll)) == "0123456789abcdefghij!");
}

TEST_CASE("corpus: a text too short for its blocks is refused with a remedy that works") {
  const auto expect = [](std::size_t size, int block_size, const char* message) {
    CHECK_THROWS_WITH_AS(corpus_of(std::string(size, 'x')).require_blocks(block_size), message,
                         std::invalid_argument);
  };
  expect(40, 64,
         "corpus.txt: the text is shorter than one block: 40 tokens, block_size 64 (choose "
         "--block_size "
         "below 4, or "
         "use a text of at least 641 tokens)");
  expect(640, 64,
         "corpus.txt: the last tenth, for validation, needs at least 65 tokens for one "
         "block and the next token, got 64 of 640 tokens (choose --block_size below 64, or use a "
         "text of "
         "at least 641 tokens)");
  expect(10, 16,
         "corpus.txt: the text is shorter than one block: 10 tokens, block_size 16 (use a text of "
         "at least 161 tokens)");
  expect(10, 1,
         "corpus.txt: the last tenth, for validation, needs at least 2 tokens for one "
         "block and the next token, got 1 of 10 tokens (use a text of at least 11 tokens)");
  expect(100, 0, "block_size must be at least 1, got 0");
  for (int block_size = 1; block_size < 100; ++block_size) {
    const auto enough = static_cast<std::size_t>(10 * block_size + 1);
    CHECK_NOTHROW(corpus_of(std::string(enough, 'x')).require_blocks(block_size));
    CHECK_THROWS_AS(corpus_of(std::string(enough - 1, 'x')).require_blocks(block_size),
                    std::invalid_argument);
    Batch batch;
    const Corpus corpus = corpus_of(std::string(enough, 'x'));
    CHECK_NOTHROW(random_batch(corpus.tokens(Split::kVal), 2, block_size, RandomKey{}, batch));
    CHECK_NOTHROW(random_batch(corpus.tokens(Split::kTrain), 2, block_size, RandomKey{}, batch));
  }
}
