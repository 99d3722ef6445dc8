// Chapter 12's vectors of positions and their dot products; chapter 13's rotated query and key.
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

constexpr std::uint64_t kQuery = 1, kKey = 2;  // seeds of chapter 13's query and key

/// One of them, rotated to `count` positions from `first` on: [count, D].
Tensor turned(std::uint64_t seed, const Numbers& in, Index first, Index count) {
  const Index width = Index(in[0]);
  const Tensor same = normal({1, width}, {.seed = seed}) + zeros({count, 1});
  return rotary(same, rotary_table(kPositions, width, in[1]), first);
}

/// For channels, a base and a key's position: its scores for the query at 0 to 99 positions later.
Numbers rotated(const Numbers& in) {
  const Index t = Index(in[2]);
  const Tensor y = matmul(turned(kKey, in, t, 1), turned(kQuery, in, t, kDistances), {.b = true});
  return {y.begin(), y.end()};
}

/// For channels and a base: the query, then the key, at all positions, [2, 200, D]. As in table(),
/// the channels of a pair are neighbours.
Numbers hands(const Numbers& in) {
  Numbers both;
  for (const std::uint64_t seed : {kQuery, kKey}) {
    const Tensor halves = reshape(turned(seed, in, 0, kPositions), {kPositions, 2, -1});
    const Tensor y = permute(halves, {0, 2, 1});
    both.insert(both.end(), y.begin(), y.end());
  }
  return both;
}

const live::Piece piece("positions", {{"table", table},
                                      {"products", products},
                                      {"rotated", rotated},
                                      {"hands", hands}});

}  // namespace
