#include "autograd/ops/cached_attention.h"

#include "autograd/ops/attention.h"
#include "autograd/ops/shape_ops.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr int kHeads = 3;
constexpr Index kTexts = 2, kWidth = 5, kRoom = 11, kChannels = kHeads * kWidth;

}  // namespace

TEST_CASE("cached attention: a text in pieces gives what it gives whole, whatever the pieces") {
  const Tensor qkv = drawn({kTexts, kRoom, 3 * kChannels}, 0);
  const Tensor whole = packed_self_attention(qkv, kHeads, {.causal = true});
  for (const std::vector<Index>& pieces :
       std::vector<std::vector<Index>>{{11}, {1, 1, 1, 8}, {7, 1, 1, 1, 1}, {2, 3, 5, 1}, {3, 0}}) {
    KeyValueCache cache(kTexts, kHeads, kRoom, kWidth);
    std::ranges::fill(cache.keys, kNaN);  // what is not filled yet must not be read
    std::ranges::fill(cache.values, kNaN);
    for (const Index count : pieces) {
      const Index begin = cache.length;
      const Tensor y = cached_self_attention(slice(qkv, 1, begin, begin + count), cache);
      CHECK_CLOSE(y, slice(whole, 1, begin, begin + count), kSameMaths);
      CHECK(cache.length == begin + count);
    }
  }
}

TEST_CASE("cached attention: a text on its own shares its part of the cache") {
  const Tensor qkv = drawn({kTexts, kRoom, 3 * kChannels}, 0);
  const Tensor whole = packed_self_attention(qkv, kHeads, {.causal = true});
  KeyValueCache cache(kTexts, kHeads, kRoom, kWidth);
  for (const Index text : {0, 1}) {
    KeyValueCache own = cache.of_text(text);
    cached_self_attention(slice(slice(qkv, 0, text, text + 1), 1, 0, 4), own);
    CHECK(own.length == 4);
  }
  CHECK(cache.length == 0);
  cache.length = 4;
  CHECK_CLOSE(cached_self_attention(slice(qkv, 1, 4, 5), cache), slice(whole, 1, 4, 5), kSameMaths);
}

TEST_CASE("cached attention: what does not fit is refused, and leaves the cache as it was") {
  KeyValueCache cache(kTexts, kHeads, kRoom, kWidth);
  cached_self_attention(drawn({kTexts, 9, 3 * kChannels}, 0), cache);
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 3, 3 * kChannels}, 0), cache),
              "the cache has room for 11 positions, got 3 more after 9");
  CHECK_FAILS(cached_self_attention(drawn({kTexts + 1, 1, 3 * kChannels}, 0), cache),
              "got [3, 1, 45] and [2, 3, 11, 5]");
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 1, 3 * kChannels - 1}, 0), cache),
              "needs qkv [B, T, 3 H D]");
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 3 * kChannels}, 0), cache), "needs qkv");
  const Tensor wanting = drawn({kTexts, 1, 3 * kChannels}, 0).clone().set_requires_grad();
  CHECK_FAILS(cached_self_attention(wanting, cache), "has no gradient");
  CHECK(cache.length == 9);
}
