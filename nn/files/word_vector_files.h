/// @file
/// Word vectors in the text formats of GloVe, word2vec and fastText.
#pragma once

#include <functional>
#include <string>

#include "nn/text/word_vectors.h"

namespace gradus {

/// @addtogroup files
/// @{

/// Reads GloVe's text format, as in glove.6B.50d.txt: each line has a word and C numbers, with one
/// blank before each number. The first line sets C. A word may have any bytes, also blanks
/// (glove.840B has such words); an extra number is an error and not part of the word. Lines may end
/// in CR LF or LF. A byte order mark is skipped.
///
/// The text formats of word2vec and fastText are read too: blanks at the end of a line are skipped,
/// and so is a header, a first line of two whole numbers V and C, if the second line has more than
/// one number. The header then sets C. V may be wrong, since many files are only the first lines of
/// other files.
///
/// If a word occurs several times, its first vector is used. `remark` is called once if there are
/// such lines, with the first of them and their number, and once if V is wrong.
/// @code
/// write_word_vectors("vectors.txt", {{"cat", "dog"}, tensor({{1, 2}, {3, 4}})});
/// read_word_vectors("vectors.txt").vectors;  // [[1, 2], [3, 4]]
/// @endcode
/// @throws std::runtime_error naming the file and the line with too few or too many numbers, an
/// invalid or infinite number, or no word
WordVectors read_word_vectors(const std::string& file,
                              const std::function<void(const std::string&)>& remark = {});

/// Writes GloVe's text format, each number with `digits` decimals.
/// @throws std::invalid_argument unless vectors are [V, C] with V words and C >= 1, all numbers are
/// finite, and all words differ and can be read back; std::runtime_error if the file cannot be
/// written
void write_word_vectors(const std::string& file, const WordVectors& vectors, int digits = 6);

/// @}

}  // namespace gradus
