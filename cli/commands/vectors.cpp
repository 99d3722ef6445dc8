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
    "The file has GloVe's format: a word and its numbers on each line; --from reads word2vec's "
    "and\n"
    "fastText's text files too. Words are read in small\n"
    "letters; rare ones get no vector. Without --text they are learnt from the bundled fables.\n"
    "'gradus train --model classifier --word_vectors FILE' begins with them.\n"
    "\n"
    "Examples:\n"
    "  gradus vectors --text notes.txt --out notes.vec\n"
    "  gradus vectors --from notes.vec --near night --near king\n";

std::string nearest_line(const WordVectors& vectors, const std::string& word, std::size_t count) {
  const std::vector<std::string> near = nearest_words(vectors, word, count);
  check(!near.empty(), "--near=", word, ": has no vector (it is too rare, or not there)");
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
  Flags flags("vectors", "Learns word vectors from a text (GloVe), and shows near words.");
  flags.group("Learn");
  flags.add("--text", texts, "a text file; may be repeated; - is standard input", "FILE");
  flags.add("--out", out, "where the vectors go", "FILE");
  flags.add("--channels", options.channels, "numbers of a vector", 1);
  flags.add("--min_count", options.min_count, "how often a word must occur", 1);
  flags.add("--window", options.window, "how far a word sees to either side", 1);
  flags.add("--x_max", options.x_max, "the count from which all pairs weigh alike", 0);
  flags.add("--epochs", options.epochs, "passes over all pairs", 1);
  flags.add("--seed", options.seed, "of the initial values and of the orders", 0);
  flags.group("Look");
  flags.add("--from", from, "read vectors instead of learning them", "FILE");
  flags.add("--near", near, "a word whose neighbours are shown; may be repeated", "WORD");
  flags.add("--count", count, "how many neighbours", 1);
  flags.footer(kVectorsExamples);
  if (!flags.parse(arguments)) {
    return 0;
  }
  check(from.empty() || (texts.empty() && out.empty()),
        "--from: reads vectors, so that --text and --out have no meaning");
  check(!out.empty() || !near.empty(), "vectors: give --out FILE to keep them, or --near WORD");
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
