/// @file
/// Selects the elements that dropout keeps, with a pure function of a key and the element's
/// position. So the mask is never stored, and it is the same in the forward and the backward pass,
/// on all threads and in resumed runs.
#pragma once

#include <algorithm>

#include "autograd/kernels/philox.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// y[i] = x[i] after dropout, for i in [0, n), where x[i] is element first + i of the key's stream.
/// Dropped elements become 0; kept elements are multiplied by 1 / (1 - p). Element e is dropped if
/// word e of the stream is below p 2^32. y may be x.
inline void drop_row(const RandomKey& key, Index first, Index n, Scalar p, const Scalar* x,
                     Scalar* y) {
  constexpr Index kBlocks = 64;  // at a time, so that the words stay in the L1 cache
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
