/// @file
/// Word vectors in the text formats of GloVe, word2vec and fastText.
#pragma once

#include <functional>
#include <string>

#include "nn/text/word_vectors.h"

namespace gradus {

/// @addtogroup files
/// @{

/// Reads GloVe's text format, as in glove.6B.50d.txt: on each line a word and C numbers, with one
/// blank before each number. C is the first line's. A word may be any bytes, and may contain blanks
/// (glove.840B has such words); a number too many is an error, not part of the word. Lines may end
/// in CR LF or LF. A byte order mark is skipped.
///
/// The text formats of word2vec and fastText are read too: blanks at the end of a line are skipped,
/// and so is a first line of two whole numbers, V and C, if the second line has more than one
/// number. C is then the header's; V may be wrong, since many files are the first lines of others.
///
/// Of a word that occurs again the first vector counts. `remark` is called once if there are such
/// lines, with the first of them and their number, and once if V is wrong.
/// @code
/// write_word_vectors("vectors.txt", {{"cat", "dog"}, tensor({{1, 2}, {3, 4}})});
/// read_word_vectors("vectors.txt").vectors;  // [[1, 2], [3, 4]]
/// @endcode
/// @throws std::runtime_error naming the file, and the line with too few or too many numbers, an
///   invalid or infinite number, or no word
WordVectors read_word_vectors(const std::string& file,
                              const std::function<void(const std::string&)>& remark = {});

/// Writes this format, each number with `digits` decimals.
/// @throws std::invalid_argument unless vectors are [V, C] with V words and C >= 1, all numbers
///   finite, and each word another one that can be read back; std::runtime_error if the file cannot
///   be written
void write_word_vectors(const std::string& file, const WordVectors& vectors, int digits = 6);

/// @}

}  // namespace gradus
