/// @file
/// Files of word vectors: what is read is written and read again.
#include <cmath>

#include "nn/files/word_vector_files.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {

void fuzz(std::string_view input) {
  static const FuzzFolder folder("vectors");
  const std::string file = folder.file("a", input);
  WordVectors found;
  if (!accepts([&] { found = read_word_vectors(file); })) return;
  holds(found.vectors.rank() == 2 && found.vectors.size(0) == std::ssize(found.words),
        "each word has a vector");
  for (const Scalar value : found.vectors.values())
    holds(std::isfinite(value), "numbers are finite");
  static_cast<void>(nearest_words(found, found.words.at(0), 3));
  if (!accepts([&] { write_word_vectors(folder / "b", found, 9); })) return;
  const WordVectors again = read_word_vectors(folder / "b");
  holds(again.words == found.words, "words are read back as they were");
  holds(again.vectors.shape() == found.vectors.shape(), "vectors are read back");
  write_word_vectors(folder / "c", again, 9);
  holds(read_file(folder / "b", 1 << 26) == read_file(folder / "c", 1 << 26),
        "vectors are written as they were read");
}

}  // namespace gradus
