/// @file
/// Declarations for the variations of chapter 16, on pocket.
#pragma once

#include "tutorials/pocket/write.h"

using namespace pocket;

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double min_p, Scalar draw);

// Exercise 16.4
using Shares = std::vector<double>;  // the probabilities of all tokens

/// A model that reads each token once, as InferenceSession does. It can also forget its last ones.
struct Reader {
  virtual ~Reader() = default;
  /// Reads more tokens; returns the probabilities of the next one after each of them.
  virtual std::vector<Shares> step(const Tokens& tokens) = 0;
  /// Drops all tokens except the first `length`.
  virtual void cut(Index length) = 0;
};

/// The token for a draw in [0, 1): each by its share of the sum.
std::int32_t choose(const Shares& shares, double draw);

/// Continues the prompt by `count` tokens or a few more, drafting `ahead` at a time. draw() gives
/// the next random number in [0, 1).
Tokens speculate(Reader& large, Reader& small, const Tokens& prompt, Index count, Index ahead,
                 const std::function<double()>& draw);
