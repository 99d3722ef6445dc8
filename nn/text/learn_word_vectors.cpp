#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "autograd/check.h"
#include "autograd/ops/random.h"
#include "nn/text/word_vectors.h"

namespace gradus {
using namespace detail;
namespace {

/// Two words and their co-occurrence: i, j and X_ij.
struct Pair {
  std::uint32_t word, context;
  double count;
};

/// The words that occur at least `least` times, most frequent first.
std::vector<std::string> frequent_words(std::span<const std::string> words, std::size_t least) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& word : words) ++counts[word];
  std::vector<std::string> frequent;
  for (const auto& [word, count] : counts) {
    if (count >= least) frequent.push_back(word);
  }
  std::ranges::stable_sort(
      frequent, [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
  return frequent;
}

/// All pairs within the window, in both directions. Words without a vector are left out before
/// distances are counted.
std::vector<Pair> cooccurrences(const std::vector<std::uint32_t>& text, std::size_t window) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> counts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (std::size_t distance = 1; distance <= std::min(window, i); ++distance) {
      const double share = 1.0 / static_cast<double>(distance);
      counts[{text[i], text[i - distance]}] += share;
      counts[{text[i - distance], text[i]}] += share;
    }
  }
  std::vector<Pair> pairs;
  for (const auto& [words, count] : counts) pairs.push_back({words.first, words.second, count});
  return pairs;
}

/// One vector and bias per word, and AdaGrad's sums of squared gradients, which start at 1.
struct Side {
  Side(std::size_t words, std::size_t channels, const RandomKey& key)
      : width(channels + 1), values(words * width), squares(words * width, 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double u = static_cast<double>(uniform_at(key, i));
      values[i] = (u - 0.5) / static_cast<double>(channels);
    }
  }
  double* row(std::size_t word) { return values.data() + word * width; }
  double* square(std::size_t word) { return squares.data() + word * width; }

  std::size_t width;  // the last number of a row is the bias
  std::vector<double> values, squares;
};

void step(double& value, double& squares, double gradient, double rate) {
  value -= rate * gradient / std::sqrt(squares);
  squares += gradient * gradient;
}

/// One step of AdaGrad for f(X) (w . v + b + c - ln X)^2 / 2.
void learn(const Pair& pair, Side& words, Side& contexts, const WordVectorOptions& options) {
  double *w = words.row(pair.word), *v = contexts.row(pair.context);
  double *w_squares = words.square(pair.word), *v_squares = contexts.square(pair.context);
  const std::size_t channels = words.width - 1;
  const double product = std::inner_product(w, w + channels, v, 0.0);
  const double difference = product + w[channels] + v[channels] - std::log(pair.count);
  const double weight = std::min(std::pow(pair.count / options.x_max, options.alpha), 1.0);
  const double slope = weight * difference;
  for (std::size_t c = 0; c < channels; ++c) {
    const double w_gradient = slope * v[c], v_gradient = slope * w[c];
    step(w[c], w_squares[c], w_gradient, options.learning_rate);
    step(v[c], v_squares[c], v_gradient, options.learning_rate);
  }
  step(w[channels], w_squares[channels], slope, options.learning_rate);
  step(v[channels], v_squares[channels], slope, options.learning_rate);
}

}  // namespace

WordVectors learn_word_vectors(std::span<const std::string> words,
                               const WordVectorOptions& options) {
  check(
      options.channels >= 1 && options.min_count >= 1 && options.window >= 1 && options.epochs >= 1,
      "learn_word_vectors: channels, min_count, window and epochs must be positive, got ",
      options.channels, ", ", options.min_count, ", ", options.window, " and ", options.epochs);
  check(options.x_max > 0 && options.alpha > 0 && options.learning_rate > 0,
        "learn_word_vectors: x_max, alpha and learning_rate must be positive, got ", options.x_max,
        ", ", options.alpha, " and ", options.learning_rate);
  WordVectors learned{frequent_words(words, options.min_count), Tensor()};
  const std::size_t count = learned.words.size();
  check(count >= 2, "learn_word_vectors: needs at least 2 words that occur ", options.min_count,
        " times or more, got ", count, " (use a longer text, or a lower min_count)");
  const auto rows = learned.rows();
  std::vector<std::uint32_t> text;
  for (const std::string& word : words) {
    const auto row = rows.find(word);
    if (row != rows.end()) text.push_back(static_cast<std::uint32_t>(row->second));
  }
  const std::vector<Pair> pairs = cooccurrences(text, options.window);
  const auto channels = static_cast<std::size_t>(options.channels);
  // No other code uses these keys: training never reaches this step (draws.h has the data sets'
  // steps).
  const auto key = [&](std::uint32_t row) { return RandomKey{options.seed, 0xfffe0000, row}; };
  Side targets(count, channels, key(0)), contexts(count, channels, key(1));
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const auto order =
        permutation(static_cast<Index>(pairs.size()), key(2 + static_cast<std::uint32_t>(epoch)));
    for (const Index i : order) {
      learn(pairs[static_cast<std::size_t>(i)], targets, contexts, options);
    }
  }
  learned.vectors = Tensor({static_cast<Index>(count), options.channels});
  Scalar* out = learned.vectors.mutable_data();
  for (std::size_t word = 0; word < count; ++word) {
    for (std::size_t c = 0; c < channels; ++c) {
      *out++ = static_cast<Scalar>(targets.row(word)[c] + contexts.row(word)[c]);
    }
  }
  return learned;
}

}  // namespace gradus
