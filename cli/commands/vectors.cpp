/// @file
/// `gradus vectors`: learns word vectors from a text, and shows which words are near each other.

#include "autograd/check.h"
#include "cli/program/display.h"
#include "cli/program/flags.h"
#include "cli/tasks/texts.h"
#include "nn/data/words.h"
#include "nn/files/word_vector_files.h"
#include "nn/text/word_vectors.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kVectorsExamples =
    "The file is in GloVe's format: each line holds a word and its numbers. --from also reads\n"
    "text files of word2vec and fastText. All words become lower case; words rarer than\n"
    "--min_count get no vector. Without --text, the vectors are trained on the bundled\n"
    "tales. 'gradus train --model classifier --word_vectors FILE' starts with such vectors.\n"
    "\n"
    "Examples:\n"
    "  gradus vectors --text notes.txt --out notes.vec\n"
    "  gradus vectors --from notes.vec --near night --near king\n";

std::string nearest_line(const WordVectors& vectors, const std::string& word, std::size_t count) {
  const std::vector<std::string> near = nearest_words(vectors, word, count);
  check(!near.empty(), "--near=", word,
        ": this word has no vector (it is too rare, or not in the text)");
  std::string line = word + ":";
  for (const std::string& other : near) {
    line += " " + other;
  }
  return line + "\n";
}

}  // namespace

int vectors_command(const Arguments& arguments) {
  std::vector<std::string> texts, near;
  std::string out, from;
  std::size_t count = 8;
  WordVectorOptions options;
  Flags flags("vectors", "Trains word vectors on a text (GloVe), or lists the nearest words.");
  flags.group("Learn");
  flags.add("--text", texts, "text file to train on (- for standard input); may be repeated",
            "FILE");
  flags.add("--out", out, "file to save the vectors in", "FILE");
  flags.add("--channels", options.channels, "size of a vector", 1);
  flags.add("--min_count", options.min_count, "minimum number of occurrences of a word", 1);
  flags.add("--window", options.window, "words of context to either side", 1);
  flags.add("--x_max", options.x_max, "count above which all pairs have the same weight", 0);
  flags.add("--epochs", options.epochs, "number of passes over all pairs", 1);
  flags.add("--seed", options.seed, "random seed", 0);
  flags.group("Look");
  flags.add("--from", from, "file to read vectors from, instead of training", "FILE");
  flags.add("--near", near, "word whose nearest words are listed; may be repeated", "WORD");
  flags.add("--count", count, "number of nearest words to list", 1);
  flags.footer(kVectorsExamples);
  if (!flags.parse(arguments)) {
    return 0;
  }
  check(from.empty() || (texts.empty() && out.empty()),
        "--from: cannot be combined with --text and --out (leave them out)");
  for (const char* flag :
       {"--channels", "--min_count", "--window", "--x_max", "--epochs", "--seed"}) {
    check(from.empty() || !flags.given(flag), flag,
          ": has no effect with --from, which trains nothing (leave it out)");
  }
  check(!near.empty() || !flags.given("--count"),
        "--count: needs --near WORD (add it, or leave --count out)");
  check(
      !out.empty() || !near.empty(),
      "vectors: needs --out or --near (add --out FILE to save the vectors, or --near WORD to list "
      "words)");
  WordVectors vectors;
  if (from.empty()) {
    const Text text_read = read_texts(texts, true);  // carriage returns count as blanks
    vectors = learn_word_vectors(split_words(text_read.bytes(), Case::kLower), options);
  } else {
    vectors = read_word_vectors(from, note);
  }
  if (!out.empty()) {
    write_word_vectors(out, vectors);
    note(text(out, ": ", counted(static_cast<long>(vectors.words.size()), "word"), " of ",
              counted(vectors.vectors.size(1), "number")));
  }
  for (const std::string& word : near) {
    print(nearest_line(vectors, word, count));
  }
  return 0;
}

}  // namespace gradus
