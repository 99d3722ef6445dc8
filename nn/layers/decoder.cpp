#include "nn/layers/decoder.h"

#include <algorithm>
#include <numeric>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;
namespace {

using KeyValues = MultiHeadAttention::KeyValues;

/// Makes room for `more` positions in a cache, in memory that no copy of the cache shares.
void reserve(KvCache& cache, Index more) {
  constexpr Index kLeast = 16;
  const Index needed = cache.length + more, room = cache.keys.size(2);
  if (needed > room || !cache.keys.sole_owner() || !cache.values.sole_owner()) {
    IndexTensor all(Shape{cache.keys.size(0)});
    std::iota(all.mutable_data(), all.mutable_data() + all.size(), 0);
    cache = of_rows(cache, all, needed > room ? std::max({needed, 2 * room, kLeast}) : room);
  }
}

/// Causal self-attention of new positions, whose keys and values are appended to the cache.
Tensor extended(const MultiHeadAttention& attention, const Tensor& x, KvCache& cache,
                const AttentionOptions& options) {
  const Index first = cache.length;
  if (first == 0 || options.mask.defined() || is_recording() || Training::active()) {
    KeyValues all = attention.key_values(x, first);
    if (first > 0) {
      all = {concat({filled(cache.keys, first), all.keys}, 2),
             concat({filled(cache.values, first), all.values}, 2)};
    }
    cache.keys = all.keys;
    cache.values = all.values;
    cache.length = all.keys.size(2);
    return attention.attend(all, x, options, first);
  }
  Tensor qkv = concat({attention.query(x), attention.key(x), attention.value(x)}, -1);
  if (attention.angles.defined()) {
    qkv = packed_rotary(qkv, attention.num_heads, attention.angles, first);
  }
  reserve(cache, x.size(1));
  const Tensor y = cached_self_attention(qkv, cache, options.bias);
  if (AttentionRecord::active()) {
    AttentionRecord::keep(split_heads(slice(qkv, -1, 0, x.size(2)), attention.num_heads),
                          filled(cache.keys, cache.length), options);
  }
  return attention.output(y);
}

KvCache chosen(const KvCache& cache, const IndexTensor& rows) {
  if (!wants_gradient(cache.keys)) {
    return cache.length > 0 ? of_rows(cache, rows) : cache;
  }
  KvCache some;
  some.keys = of_rows(cache.keys, rows);
  some.values = of_rows(cache.values, rows);
  some.length = cache.length;
  return some;
}

IndexTensor chosen(const IndexTensor& x, const IndexTensor& rows) {
  if (!x.defined() || x.size(0) == 1) {
    return x;
  }
  IndexTensor y(x.shape().with(0, rows.size()));
  const Index width = x.size() / x.size(0);
  for (Index i = 0; i < rows.size(); ++i) {
    check(rows.data()[i] >= 0 && rows.data()[i] < x.size(0), "decoder: rows must be in [0, ",
          x.size(0), "), got ", rows.data()[i]);
    std::copy_n(x.data() + rows.data()[i] * width, width, y.mutable_data() + i * width);
  }
  return y;
}

}  // namespace

Index DecoderCache::length() const { return layers.empty() ? 0 : layers.front().own.length; }

DecoderCache DecoderCache::of_rows(const IndexTensor& rows) const {
  DecoderCache some{.layers = {}, .source_mask = chosen(source_mask, rows)};
  for (const auto& [own, source] : layers) {
    some.layers.push_back(
        {chosen(own, rows),
         {gradus::of_rows(source.keys, rows), gradus::of_rows(source.values, rows)}});
  }
  return some;
}

DecoderLayer::DecoderLayer(const LayerOptions& options, const Tensor& angles, KeySequence& keys)
    : norm_1(options.make_norm()),
      self_attention(options.make_attention(keys)),
      norm_2(options.make_norm()),
      cross_attention(options.make_attention(keys)),
      norm_3(options.make_norm()),
      feed_forward(options.make_feed_forward(keys)),
      dropout{options.dropout},
      norm_place(options.norm_place) {
  self_attention.angles = angles;
}

Tensor DecoderLayer::operator()(const Tensor& x, DecoderLayerCache& cache,
                                const AttentionOptions& self, const AttentionOptions& cross) const {
  require_made("DecoderLayer", self_attention.query.is_made());
  const Tensor y = residual(x, norm_1, norm_place, [&](const Tensor& x) {
    return dropout(extended(self_attention, x, cache.own, self));
  });
  const Tensor z = residual(y, norm_2, norm_place, [&](const Tensor& y) {
    return dropout(cross_attention.attend(cache.source, y, cross));
  });
  return residual(z, norm_3, norm_place, feed_forward);
}

Decoder::Decoder(const LayerOptions& given, int n, KeySequence& keys) : options(given) {
  options.validate();
  check(options.position != Position::kUnit,
        "decoder: unit positions need the length of the whole text, which is unknown during "
        "generation (choose another position)");
  check(n >= 1, "decoder: needs at least 1 layer, got ", n);
  positions = options.make_positions(false, keys);
  for (int i = 0; i < n; ++i) {
    layers.emplace_back(options, positions.angles, keys);
  }
  norm = options.make_norm();
}

Tensor Decoder::operator()(const Tensor& x, const Tensor& source, const IndexTensor& mask,
                           const IndexTensor& source_mask) const {
  DecoderCache cache = begin(source, source_mask);
  return extend(x, cache, mask);
}

DecoderCache Decoder::begin(const Tensor& source, const IndexTensor& source_mask) const {
  require_made("Decoder", !layers.empty());
  DecoderCache cache{.layers = {}, .source_mask = source_mask};
  for (const DecoderLayer& layer : layers) {
    cache.layers.push_back({{}, layer.cross_attention.key_values(source)});
  }
  return cache;
}

Tensor Decoder::extend(const Tensor& x, DecoderCache& cache, const IndexTensor& mask) const {
  require_made("Decoder", !layers.empty());
  check(cache.layers.size() == layers.size(), "decoder: needs a cache for each of its ",
        layers.size(), " layers, got ", cache.layers.size(), " (begin() makes them)");
  const Index first = cache.length(), t = x.size(1);
  const AttentionOptions self{.mask = mask, .causal = true, .bias = positions.bias(t, first + t)};
  const AttentionOptions cross{.mask = cache.source_mask};
  Tensor y = dropout_in_training(positions.embed(x, first), options.dropout);
  try {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      y = layers[i](y, cache.layers[i], self, cross);
    }
  } catch (...) {
    for (DecoderLayerCache& layer : cache.layers) {
      layer.own.length = first;  // as before the call
    }
    throw;
  }
  return options.norm_place == NormPlace::kPre ? norm(y) : y;
}

}  // namespace gradus
