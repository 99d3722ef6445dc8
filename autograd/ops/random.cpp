#include "autograd/ops/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/check.h"
#include "autograd/kernels/parallel_for.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Index kBlockGrain = 512;

/// Calls use(first element, words) for each block of four random words, up to n elements.
template <class Use>
void for_each_block(Index n, const RandomKey& key, Use use) {
  parallel_for((n + 3) / 4, kBlockGrain, [=](Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      use(4 * block, random_block(key, static_cast<std::uint64_t>(block)));
    }
  });
}

}  // namespace

Tensor uniform(const Shape& shape, const RandomKey& key, Scalar low, Scalar high) {
  check(std::isfinite(low) && std::isfinite(high) && low < high,
        "uniform: low must be below high, got ", low, " and ", high);
  const Scalar last = std::nextafter(high, low);  // rounding must not reach `high`
  const bool fits = std::isfinite(high - low);
  Tensor x(shape);
  const Index n = x.size();
  for_each_block(n, key, [=, out = x.mutable_data()](Index at, const PhiloxBlock& words) {
    for (Index i = at; i < std::min(at + 4, n); ++i) {
      const Scalar u = uniform_of(words[i - at]);
      out[i] = std::min(fits ? low + (high - low) * u : low * (1 - u) + high * u, last);
    }
  });
  return x;
}

Tensor normal(const Shape& shape, const RandomKey& key, Scalar mean, Scalar std) {
  check(std::isfinite(mean) && std::isfinite(std) && std >= 0,
        "normal: needs a finite mean and a std that is not negative, got ", mean, " and ", std);
  Tensor x(shape);
  const Index n = x.size();
  for_each_block(n, key, [=, out = x.mutable_data()](Index at, const PhiloxBlock& words) {
    const auto [z0, z1] = normals_of(words[0], words[1]);
    const auto [z2, z3] = normals_of(words[2], words[3]);
    const Scalar z[] = {z0, z1, z2, z3};
    for (Index i = at; i < std::min(at + 4, n); ++i) {
      out[i] = mean + std * z[i - at];
    }
  });
  return x;
}

Index uniform_index(const RandomKey& key, Index element, Index n) {
  check(n > 0, "uniform_index: needs at least one number to choose from, got ", n);
  __extension__ using Wide = unsigned __int128;
  const auto position = static_cast<std::uint64_t>(element);
  const PhiloxBlock words = random_block(key, position / 2);
  const std::size_t low = position % 2 * 2;
  const std::uint64_t word = words[low] | std::uint64_t{words[low + 1]} << 32;
  return static_cast<Index>(Wide{word} * static_cast<std::uint64_t>(n) >> 64);
}

std::vector<Index> permutation(Index n, const RandomKey& key) {
  check(n >= 0, "permutation: the length must not be negative, got ", n);
  std::vector<Index> order;
  check(static_cast<std::size_t>(n) <= order.max_size(), "permutation: the length must be at most ",
        order.max_size(), ", got ", n);
  order.resize(n);
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i) {
    std::swap(order[i], order[uniform_index(key, i, i + 1)]);
  }
  return order;
}

}  // namespace gradus
