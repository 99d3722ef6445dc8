/// @file
/// Which elements dropout keeps: a pure function of a key and the element's position, so that the
/// mask is never stored and forward, backward, any thread and any resumed run agree on it.
#pragma once

#include <algorithm>

#include "autograd/kernels/philox.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// x[i] for elements first + i, i in [0, n), of the key's stream: dropped ones become 0, kept ones
/// are multiplied by 1 / (1 - p). Element e is dropped if word e of the stream is below p 2^32. y
/// may be x.
inline void drop_row(const RandomKey& key, Index first, Index n, Scalar p, const Scalar* x,
                     Scalar* y) {
  constexpr Index kBlocks = 64;  // at a time, so that the words stay in the first cache
  const auto threshold =
      static_cast<std::uint32_t>(std::min(static_cast<double>(p) * 4294967296.0, 4294967295.0));
  const Scalar scale = 1 / (1 - p);
  Index skip = first % 4;  // elements of the first block that lie before `first`
  Index block = first / 4;
  for (Index done = 0; done < n;) {
    std::uint32_t words[4 * kBlocks];
    const Index blocks = std::min(kBlocks, (skip + n - done + 3) / 4);
    fill_bits(key, static_cast<std::uint64_t>(block), words, static_cast<std::size_t>(blocks));
    const Index count = std::min(4 * blocks - skip, n - done);
    for (Index i = 0; i < count; ++i) {
      y[done + i] = words[skip + i] < threshold ? Scalar(0) : x[done + i] * scale;
    }
    done += count;
    block += blocks;
    skip = 0;
  }
}

/// @}

}  // namespace gradus::detail
