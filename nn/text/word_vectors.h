/// @file
/// Word vectors, and how to learn them:
/// Pennington, Socher and Manning, "GloVe: global vectors for word representation", EMNLP 2014.
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
  std::vector<std::string> words;  ///< V of them; any bytes except line ends
  Tensor vectors;                  ///< [V, C], row i for words[i]

  /// The index of each word; of the first, if one is listed twice.
  std::unordered_map<std::string, std::size_t> rows() const;
};

/// The settings of learn_word_vectors(): the paper's, except the dimension.
struct WordVectorOptions {
  Index channels = 50;          ///< C, the width of a vector
  std::size_t min_count = 5;    ///< rarer words get no vector, and are skipped
  std::size_t window = 10;      ///< how many words count as context on either side
  double x_max = 100;           ///< the count from which all pairs have the same weight
  double alpha = 0.75;          ///< how the weight grows with the count, up to x_max
  double learning_rate = 0.05;  ///< of AdaGrad
  int epochs = 25;              ///< passes over all pairs, each in another order
  std::uint64_t seed = 1;       ///< of the initial values and of the orders
};

/// Learns vectors from the words of a text in their order.
///
/// \f$ X_{ij} \f$ is the sum of 1 / distance over all occurrences of word j within the window of
/// word i, to either side. Vectors w, v and biases b, c minimise
/// \f[ \sum_{X_{ij} > 0} f(X_{ij}) \left( w_i^\top v_j + b_i + c_j - \ln X_{ij} \right)^2, \qquad
/// f(x) = \min\left( (x / x_{\max})^\alpha,\, 1 \right) \f]
/// by AdaGrad (Duchi, Hazan and Singer, 2011), one pair at a time. The result is w + v, as the
/// paper recommends, the words by falling count, equally frequent ones by their bytes. One thread;
/// the same words and options give the same bits on the same machine.
/// @code
/// const auto words = split_words(bundled_fables(), Case::kLower);
/// learn_word_vectors(words, {.channels = 8, .min_count = 500, .epochs = 1}).vectors.size(1);  // 8
/// @endcode
/// @throws std::invalid_argument if an option is not positive, or fewer than two words are frequent
///   enough
WordVectors learn_word_vectors(std::span<const std::string> words,
                               const WordVectorOptions& options = {});

/// The `count` words whose vectors have the largest cosine with that of `word`, nearest first,
/// without the word itself; fewer if there are fewer. Empty if the word has no vector.
std::vector<std::string> nearest_words(const WordVectors& vectors, const std::string& word,
                                       std::size_t count);

/// @}

}  // namespace gradus
