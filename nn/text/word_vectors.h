/// @file
/// Learns word vectors and finds the nearest words: Pennington, Socher and Manning, "GloVe: global
/// vectors for word representation", EMNLP 2014.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup text
/// @{

/// Words with one vector each.
/// @code
/// const WordVectors vectors{{"cat", "dog", "car"}, tensor({{1, 0}, {9, 1}, {0, 1}})};
/// vectors.rows().at("dog");          // 1
/// nearest_words(vectors, "cat", 1);  // ["dog"]
/// @endcode
struct WordVectors {
  std::vector<std::string> words;  ///< V words; any bytes except line ends
  Tensor vectors;                  ///< [V, C], row i for words[i]

  /// Returns the index of each word; the first index if a word is listed twice.
  std::unordered_map<std::string, std::size_t> rows() const;
};

/// The settings of learn_word_vectors(). The defaults are the paper's, except for `channels`.
struct WordVectorOptions {
  Index channels = 50;          ///< C, the width of a vector
  std::size_t min_count = 5;    ///< rarer words get no vector and are skipped
  std::size_t window = 10;      ///< number of words of context on each side
  double x_max = 100;           ///< the value of X from which all pairs have the same weight
  double alpha = 0.75;          ///< the exponent with which the weight grows up to x_max
  double learning_rate = 0.05;  ///< AdaGrad's learning rate
  int epochs = 25;              ///< passes over all pairs, each in a different order
  std::uint64_t seed = 1;       ///< for the initial values and the orders
};

/// Learns vectors from the words of a text in their order.
///
/// \f$ X_{ij} \f$ is the sum of 1 / distance over all occurrences of word j within the window on
/// both sides of word i. Vectors w, v and biases b, c minimise
/// \f[ \sum_{X_{ij} > 0} f(X_{ij}) \left( w_i^\top v_j + b_i + c_j - \ln X_{ij} \right)^2, \qquad
/// f(x) = \min\left( (x / x_{\max})^\alpha,\, 1 \right) \f]
/// with AdaGrad (Duchi, Hazan and Singer, 2011), one pair at a time. The result is w + v, as the
/// paper recommends, [V, C], with the most frequent words first and equally frequent ones in the
/// order of their bytes. Runs on one thread. The same words and options give the same bits on the
/// same machine.
/// @code
/// const auto words = split_words(*bundled_text("fables"), Case::kLower);
/// learn_word_vectors(words, {.channels = 8, .min_count = 500, .epochs = 1}).vectors.size(1);  // 8
/// @endcode
/// @throws std::invalid_argument if an option is not positive, or fewer than two different words
/// are frequent enough
WordVectors learn_word_vectors(std::span<const std::string> words,
                               const WordVectorOptions& options = {});

/// Returns the `count` words whose vectors have the largest cosine with the vector of `word`,
/// nearest first, without the word itself. Fewer if there are fewer words, and none if the word has
/// no vector.
std::vector<std::string> nearest_words(const WordVectors& vectors, const std::string& word,
                                       std::size_t count);

/// @}

}  // namespace gradus
