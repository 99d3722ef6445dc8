#include "autograd/ops/cached_attention.h"

#include "autograd/ops/attention.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr int kHeads = 3;
constexpr Index kTexts = 2, kWidth = 5, kRoom = 11, kChannels = kHeads * kWidth;

}  // namespace

TEST_CASE("cached attention: a text in pieces gives the same result as the whole text") {
  const Tensor qkv = drawn({kTexts, kRoom, 3 * kChannels}, 0);
  const Tensor whole = packed_self_attention(qkv, kHeads, {.causal = true});
  for (const std::vector<Index>& pieces :
       std::vector<std::vector<Index>>{{11}, {1, 1, 1, 8}, {7, 1, 1, 1, 1}, {2, 3, 5, 1}, {3, 0}}) {
    KvCache cache(kTexts, kHeads, kRoom, kWidth);
    std::fill_n(cache.keys.mutable_data(), cache.keys.size(),
                kNaN);  // positions that are not filled yet must not be read
    std::fill_n(cache.values.mutable_data(), cache.values.size(), kNaN);
    for (const Index count : pieces) {
      const Index begin = cache.length;
      const Tensor y = cached_self_attention(slice(qkv, 1, begin, begin + count), cache);
      CHECK_CLOSE(y, slice(whole, 1, begin, begin + count), kSameMaths);
      CHECK(cache.length == begin + count);
    }
  }
}

TEST_CASE("cached attention: groups of heads share keys, and a window hides the earliest") {
  const Tensor qkv = drawn({kTexts, kRoom, (6 + 2 * 2) * kWidth}, 0);
  const Tensor bias = drawn({6, kRoom, kRoom}, 1);
  for (const Index window : {0, 1, 3, 50}) {
    const Tensor whole =
        packed_self_attention(qkv, 6, {.causal = true, .window = window, .bias = bias}, 2);
    for (const std::vector<Index>& pieces :
         std::vector<std::vector<Index>>{{11}, {1, 1, 1, 8}, {7, 1, 1, 1, 1}, {2, 3, 5, 1}}) {
      KvCache cache(kTexts, 2, kRoom, kWidth);
      std::fill_n(cache.keys.mutable_data(), cache.keys.size(), kNaN);
      std::fill_n(cache.values.mutable_data(), cache.values.size(), kNaN);
      for (const Index count : pieces) {
        const Index begin = cache.length, end = begin + count;
        const Tensor part = slice(slice(bias, 1, begin, end), 2, 0, end);
        CHECK_CLOSE(cached_self_attention(slice(qkv, 1, begin, end), cache, part, window),
                    slice(whole, 1, begin, end), kSameMaths);
      }
    }
  }
}

TEST_CASE("cached attention: a text on its own shares its part of the cache") {
  const Tensor qkv = drawn({kTexts, kRoom, 3 * kChannels}, 0);
  const Tensor whole = packed_self_attention(qkv, kHeads, {.causal = true});
  KvCache cache(kTexts, kHeads, kRoom, kWidth);
  for (const Index text : {0, 1}) {
    KvCache own = cache.of_row(text);
    cached_self_attention(slice(slice(qkv, 0, text, text + 1), 1, 0, 4), own);
    CHECK(own.length == 4);
  }
  CHECK(cache.length == 0);
  cache.length = 4;
  CHECK_CLOSE(cached_self_attention(slice(qkv, 1, 4, 5), cache), slice(whole, 1, 4, 5), kSameMaths);
}

TEST_CASE("cached attention: refuses arguments that do not fit, without changing the cache") {
  KvCache cache(kTexts, kHeads, kRoom, kWidth);
  cached_self_attention(drawn({kTexts, 9, 3 * kChannels}, 0), cache);
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 3, 3 * kChannels}, 0), cache),
              "the cache has room for 11 positions, but holds 9 and got 3 more");
  CHECK_FAILS(cached_self_attention(drawn({kTexts + 1, 1, 3 * kChannels}, 0), cache),
              "got [3, 1, 45] and [2, 3, 11, 5]");
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 1, 3 * kChannels - 1}, 0), cache),
              "needs qkv [B, T, 3 H D]");
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 3 * kChannels}, 0), cache), "needs qkv");
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 1, 10 * kWidth}, 0), cache),
              "or [B, T, (H + 2 K) D] for one of K heads, got [2, 1, 50] and [2, 3, 11, 5]");
  CHECK_FAILS(cached_self_attention(drawn({kTexts, 1, 3 * kChannels}, 0), cache, Tensor(), -1),
              "the window must not be negative, got -1");
  const Tensor wanting = drawn({kTexts, 1, 3 * kChannels}, 0).clone().set_requires_grad();
  CHECK_FAILS(cached_self_attention(wanting, cache), "has no gradient");
  CHECK(cache.length == 9);
}

TEST_CASE("cached attention: each head has its own bias") {
  const Tensor qkv = drawn({kTexts, kRoom, 3 * kChannels}, 0);
  const Tensor bias = drawn({kHeads, kRoom, kRoom}, 1);
  const Tensor whole = packed_self_attention(qkv, kHeads, {.causal = true, .bias = bias});
  KvCache cache(kTexts, kHeads, kRoom, kWidth);
  for (const Index end : {4, 5, 11}) {
    const Index begin = cache.length;
    const Tensor part = slice(slice(bias, 1, begin, end), 2, 0, end);
    CHECK_CLOSE(cached_self_attention(slice(qkv, 1, begin, end), cache, part),
                slice(whole, 1, begin, end), kSameMaths);
  }
}

TEST_CASE("cached attention: with many keys, a text in a batch has the same bits as alone") {
  const Index room = 2200, width = 64;  // enough work in one head for two threads
  const ThreadScope scope(2);
  KvCache cache(kTexts, 1, room, width);
  cache.keys = drawn({kTexts, 1, room, width}, 0);
  cache.values = drawn({kTexts, 1, room, width}, 1);
  cache.length = room - 1;
  const Tensor qkv = drawn({kTexts, 1, 3 * width}, 2);
  KvCache together = cache;
  const Tensor y = cached_self_attention(qkv, together);
  for (Index text = 0; text < kTexts; ++text) {
    KvCache own = cache.of_row(text);
    const Tensor alone = cached_self_attention(slice(qkv, 0, text, text + 1), own);
    CHECK(slice(y, 0, text, text + 1).values() == alone.values());
  }
}

TEST_CASE("batch_row: the text asked for; one that is not there is refused") {
  CHECK(batch_row(tensor({{1, 2}, {3, 4}}), 1).values() == Values{3, 4});
  CHECK_FAILS(batch_row(ones({2, 3}), 7),
              "batch_row: needs x [B, ...] and a row in [0, B), got [2, 3] and 7");
  CHECK_FAILS(batch_row(ones({2, 3}), 2), "got [2, 3] and 2");
  CHECK_FAILS(batch_row(ones({2, 3}), -1), "got [2, 3] and -1");
  CHECK_FAILS(batch_row(zeros({0, 3}), 0), "got [0, 3] and 0");
  CHECK_FAILS(batch_row(scalar(1), 0), "got [] and 0");
}
