/// @file
/// Scores for translations and completions: exact match and BLEU.
#pragma once

#include <string>
#include <vector>

namespace gradus {

/// @addtogroup data
/// @{

/// The correct texts of each item, one or more.
using References = std::vector<std::vector<std::string>>;

/// Returns the fraction of candidates that equal one of their references byte for byte.
/// @code
/// exact_match({"a cat", "a dog"}, {{"a cat", "the cat"}, {"the dog"}});  // 0.5
/// @endcode
/// @throws std::invalid_argument if there are no candidates, or the numbers of candidates and
/// references differ
double exact_match(const std::vector<std::string>& candidates, const References& references);

/// BLEU and its parts.
struct Bleu {
  double score = 0;                ///< from 0 to 1
  std::vector<double> precisions;  ///< \f$ p_1 \f$ to \f$ p_N \f$
  double brevity = 0;              ///< the brevity penalty BP
};

/// Computes BLEU of a corpus (Papineni, Roukos, Ward and Zhu, "BLEU: a method for automatic
/// evaluation of machine translation", 2002).
/// \f[ \mathrm{BLEU} = \mathrm{BP} \cdot \exp\Bigl( \frac{1}{N} \sum_{n=1}^N \ln p_n \Bigr), \qquad
/// \mathrm{BP} = \min\bigl(1,\, e^{1 - r/c}\bigr) \f]
/// \f[ p_n = \frac{\sum_g \min\bigl(\#(g),\, \max_k \#_k(g)\bigr)}{\sum_g \#(g)} \f]
/// Both sums are over all candidates and their different n-grams g. g occurs \f$ \#(g) \f$ times in
/// the candidate and \f$ \#_k(g) \f$ times in its reference k. N is max_n. c is the number of words
/// in all candidates. r is a sum over all candidates of the reference length nearest to the
/// candidate's length, the shorter of two equally near. Words are the result of split_words() with
/// capitals kept. There is no smoothing: BLEU is 0 if some \f$ p_n \f$ is 0 or no candidate has n
/// words. Its value for a few short sentences therefore means little.
/// @code
/// corpus_bleu({"the cat sat on the mat"}, {{"the cat sat on a mat"}}).score;  // 0.5373
/// @endcode
/// @throws std::invalid_argument if there are no candidates, the numbers of candidates and
/// references differ, a candidate has no reference, or max_n < 1
Bleu corpus_bleu(const std::vector<std::string>& candidates, const References& references,
                 int max_n = 4);

/// @}

}  // namespace gradus
