// Chapter 12's vectors of positions, and the dot product of two of them.
#include "live/live.h"
#include "pocket/position.h"

using namespace pocket;
using live::Numbers;

namespace {

constexpr Index kPositions = 200, kDistances = 100;

/// For channels and a base: the vectors of all positions, [200, C].
Tensor vectors(const Numbers& in) { return sinusoidal_table(kPositions, Index(in[0]), in[1]); }

Numbers table(const Numbers& in) {
  const Tensor all = vectors(in);
  return {all.begin(), all.end()};
}

/// For channels, a base and a position: its dot products with the positions 0 to 99 further on.
Numbers products(const Numbers& in) {
  const Tensor all = vectors(in);
  const Index t = Index(in[2]);
  const Tensor y = matmul(slice(all, 0, t, t + 1), slice(all, 0, t, t + kDistances), {.b = true});
  return {y.begin(), y.end()};
}

/// The same for a query and a key that rotary() turns by their positions, as in chapter 13.
Numbers rotated(const Numbers& in) {
  const Index width = Index(in[0]), t = Index(in[2]);
  const Tensor turns = rotary_table(kPositions, width, in[1]);
  const Tensor query = normal({1, width}, {.seed = 1}), key = normal({1, width}, {.seed = 2});
  const Tensor y =
      matmul(rotary(query, turns, t), rotary(key + zeros({kDistances, 1}), turns, t), {.b = true});
  return {y.begin(), y.end()};
}

const live::Piece piece("positions",
                        {{"table", table}, {"products", products}, {"rotated", rotated}});

}  // namespace
