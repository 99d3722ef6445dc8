//! [07 text]
// From a text to batches of tokens, and the loss on text that was held out.
#pragma once

#include <fstream>
#include <set>

#include "learn.h"

namespace pocket {

inline std::string read_text(const std::string& path) {
  std::ifstream file(path);
  check(file.is_open(), "read_text: there is no ", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Tokens = std::vector<std::int32_t>;

/// Token i is the i-th of a text's different characters, in the order of their codes.
struct CharTokenizer {
  static CharTokenizer learn(const std::string& text) {
    const std::set<char> different(text.begin(), text.end());
    return {{different.begin(), different.end()}};
  }
  Index vocab_size() const { return std::ssize(vocabulary); }
  Tokens encode(const std::string& text) const {
    Tokens tokens;
    //! [07.1]
    for (const char c : text) {
      check(vocabulary.find(c) != std::string::npos, "encode: the vocabulary has no '", c, "'");
      tokens.push_back(static_cast<std::int32_t>(vocabulary.find(c)));
    }
    //! [07.1]
    return tokens;
  }
  std::string decode(const Tokens& tokens) const {
    std::string text;
    for (const std::int32_t token : tokens) text += vocabulary.at(static_cast<std::size_t>(token));
    return text;
  }
  std::string vocabulary;
};
//! [07 text]

//! [07 Batch]
/// B rows of T tokens, and for each token the token that follows.
struct Batch {
  IndexTensor inputs, targets;  // [B, T]
};

/// Rows that begin at these positions of the text.
inline Batch batch_at(const Tokens& tokens, const std::vector<Index>& starts, Index length) {
  Tokens inputs, targets;
  for (const Index start : starts) {
    const auto first = tokens.begin() + start;
    inputs.insert(inputs.end(), first, first + length);
    targets.insert(targets.end(), first + 1, first + length + 1);
  }
  const Shape shape{std::ssize(starts), length};
  return {IndexTensor(shape, inputs), IndexTensor(shape, targets)};
}

inline Batch random_batch(const Tokens& tokens, Index rows, Index length, const RandomKey& key) {
  std::vector<Index> starts(rows);
  for (Index i = 0; i < rows; ++i) starts[i] = uniform_index(key, i, std::ssize(tokens) - length);
  return batch_at(tokens, starts, length);
}
//! [07 Batch]

//! [07 mean_loss]
/// The mean loss over a whole text, in blocks of `length` tokens. `logits` is the model.
inline double mean_loss(const Tokens& tokens, Index length,
                        const std::function<Tensor(const IndexTensor&)>& logits) {
  const NoGrad no_grad;
  const Index blocks = (std::ssize(tokens) - 1) / length;
  double total = 0;
  for (Index i = 0; i < blocks; ++i) {
    const Batch block = batch_at(tokens, {i * length}, length);
    total += cross_entropy(logits(block.inputs), block.targets).item();
  }
  return total / double(blocks);
}
//! [07 mean_loss]

//! [07 Embedding]
/// A table of one vector per token: tokens [...] to [..., C].
struct Embedding {
  Embedding() = default;
  Embedding(Index vocab_size, Index channels, KeySequence& keys)
      : weight(normal({vocab_size, channels}, keys.next())) {
    weight.set_requires_grad();
  }
  Tensor operator()(const IndexTensor& tokens) const { return embedding(tokens, weight); }
  void fields(auto&& f) { f("weight", weight); }
  Tensor weight;
};

}  // namespace pocket
//! [07 Embedding]
