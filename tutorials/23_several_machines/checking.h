/// @file
/// What the checks of chapter 23 share: what each rank has in the end.
#pragma once

#include "tutorials/23_several_machines/processes.h"

namespace course {

using pocket::Index;
using pocket::Scalar;
using Numbers = std::vector<Scalar>;

struct Ended {
  std::vector<Numbers> numbers;  // of each rank
  std::vector<Index> sent;       // bytes, by each rank
};

/// Runs f(ranks, numbers) on `size` ranks, which begin with begin(rank).
inline Ended after(int size, const std::function<Numbers(int rank)>& begin,
                   const std::function<void(Ranks&, Numbers&)>& f) {
  Ended ended{std::vector<Numbers>(size), std::vector<Index>(size)};
  in_ranks(
      size,
      [&](Ranks& ranks) {
        Numbers own = begin(ranks.rank);
        const std::size_t count = own.size();
        f(ranks, own);
        own.resize(count);
        own.push_back(static_cast<Scalar>(ranks.sent / Index(sizeof(Scalar))));
        if (ranks.rank > 0) return ranks.transfer(0, own, 0, {});
        for (int r = 0; r < size; ++r) {
          Numbers& theirs = ended.numbers[r] = own;
          theirs.resize(begin(r).size() + 1);
          if (r > 0) ranks.transfer(r, {}, r, theirs);
          ended.sent[r] = static_cast<Index>(theirs.back()) * Index(sizeof(Scalar));
          theirs.pop_back();
        }
      },
      20);
  return ended;
}

/// Numbers from a small generator: of about `scale`, different for each rank and position.
inline Numbers drawn(std::size_t n, int rank, Scalar scale) {
  Numbers numbers(n);
  std::uint32_t state = 12345u + 1000u * static_cast<std::uint32_t>(rank);
  for (Scalar& x : numbers) {
    state = state * 1664525u + 1013904223u;
    x = scale * (static_cast<Scalar>(state >> 8) * Scalar(0x1p-23) - 1);
  }
  return numbers;
}

}  // namespace course
