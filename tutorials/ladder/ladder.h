/// @file
/// The ladder: one text, one loop, and models that grow by one part at a time. Each row of its
/// table is a model's loss on the held-out part of the tales, trained from five seeds.
///
/// This header needs pocket as chapter 07 leaves it. The models of later chapters are in
/// one_head.h, many_heads.h and stack.h.
#pragma once

#include <cstdio>

#include "pocket/text.h"

namespace ladder {

using namespace pocket;

inline constexpr Index kChannels = 64, kLength = 32, kBatch = 16;

// [Tales]
/// The tales, split as everywhere in the course: the last thirtieth, 35,396 characters, is held
/// out. More would make the loss more exact, but each measurement of it slower.
struct Tales {
  explicit Tales(const std::string& path = COURSE_TALES)  // the build defines this path
      : text(read_text(path)), characters(CharTokenizer::learn(text)) {
    const Tokens all = characters.encode(text);
    const auto cut = all.begin() + std::ssize(all) * 29 / 30;
    train.assign(all.begin(), cut);
    held_out.assign(cut, all.end());
  }
  std::string text;
  CharTokenizer characters;
  Tokens train, held_out;
};
// [Tales]

// [TokenAlone]
/// The first row of the table: logits from the vector of the last token alone.
struct TokenAlone {
  TokenAlone(Index vocab_size, KeySequence& keys)
      : embedding(vocab_size, kChannels, keys), output(kChannels, vocab_size, keys) {}
  Tensor operator()(const IndexTensor& tokens) const { return output(embedding(tokens)); }
  void fields(auto&& f) { f("embedding", embedding), f("output", output); }
  Embedding embedding;
  Linear output;
};
// [TokenAlone]

// [babble]
/// Text that a model writes: draws each token with its probability, given the last kLength tokens.
template <class Model>
std::string babble(const Model& model, const Tales& tales, Index count, std::uint64_t seed) {
  const NoGrad no_grad;
  Tokens tokens = tales.characters.encode("\n");
  const Tensor draws = uniform({count}, {.seed = seed});
  for (Index i = 0; i < count; ++i) {
    const Tokens last(tokens.end() - std::min(std::ssize(tokens), kLength), tokens.end());
    const Tensor all = softmax(model(IndexTensor({1, std::ssize(last)}, last)));  // [1, T, V]
    const Scalar* shares = all.end() - all.size(-1);  // probabilities of the next token
    Scalar rest = draws.data()[i];
    std::int32_t token = 0;
    while (token + 1 < all.size(-1) && rest >= shares[token]) rest -= shares[token++];
    tokens.push_back(token);
  }
  std::string text = tales.characters.decode(tokens);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}
// [babble]

// [trained]
/// Trains the model that make(keys) returns, for one seed. Returns its held-out loss and the model.
template <class Make>
auto trained(const Tales& tales, const Make& make, std::uint64_t seed, int steps = 800,
             double rate = 5e-3) {
  KeySequence keys(seed);
  auto model = make(keys);
  AdamW optimiser(parameters(model), {});
  const TrainOptions options{
      .steps = steps, .schedule = {.rate = rate, .floor = rate / 10, .warmup = 50, .decay = steps}};
  train(optimiser, options, [&](int step) {
    const auto [inputs, targets] =
        random_batch(tales.train, kBatch, kLength, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(inputs), targets);
  });
  const double loss = mean_loss(tales.held_out, kLength, model);
  return std::pair(loss, std::move(model));
}
// [trained]

/// A row of the table: the model's name, its mean loss over five seeds, and its text.
template <class Make>
std::string climb(const Tales& tales, const char* name, const Make& make) {
  constexpr std::uint64_t kSeeds = 5;
  double total = 0, least = 1e9, most = 0;
  std::string text;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto [loss, model] = trained(tales, make, seed);
    total += loss, least = std::min(least, loss), most = std::max(most, loss);
    if (seed == 1) text = babble(model, tales, 60, seed);
  }
  char row[80];
  std::snprintf(row, sizeof row, "%-16s %.2f  %.2f to %.2f  ", name, total / kSeeds, least, most);
  std::fprintf(stderr, "%s%s\n", row, text.c_str());
  return row + text + "\n";
}

}  // namespace ladder
