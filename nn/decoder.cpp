#include "nn/decoder.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/shape_ops.h"

namespace gradus {
namespace {

using KeysValues = MultiHeadAttention::KeysValues;

/// `more` behind `all` along the places [B, H, S, D].
KeysValues joined(const KeysValues& all, const KeysValues& more) {
  if (!all.keys.defined()) {
    return more;
  }
  return {concat({all.keys, more.keys}, 2), concat({all.values, more.values}, 2)};
}

/// Texts `rows` of x [B, ...].
Tensor of_rows(const Tensor& x, const IndexTensor& rows) {
  const Tensor flat = embedding(rows, reshape(x, {x.size(0), -1}));
  return reshape(flat, x.shape().with(0, rows.size()));
}

KeysValues of_rows(const KeysValues& x, const IndexTensor& rows) {
  return x.keys.defined() ? KeysValues{of_rows(x.keys, rows), of_rows(x.values, rows)} : x;
}

IndexTensor of_rows(const IndexTensor& x, const IndexTensor& rows) {
  if (!x.defined() || x.size(0) == 1) {
    return x;
  }
  IndexTensor y(x.shape().with(0, rows.size()));
  const Index width = x.size() / x.size(0);
  for (Index i = 0; i < rows.size(); ++i) {
    std::copy_n(x.data() + rows.data()[i] * width, width, y.data() + i * width);
  }
  return y;
}

}  // namespace

Index DecoderCache::length() const {
  const Tensor& keys = layers.front().own.keys;
  return keys.defined() ? keys.size(2) : 0;
}

DecoderCache DecoderCache::of_rows(const IndexTensor& rows) const {
  DecoderCache chosen{.layers = {}, .source_mask = gradus::of_rows(source_mask, rows)};
  for (const DecoderLayerCache& layer : layers) {
    chosen.layers.push_back(
        {gradus::of_rows(layer.own, rows), gradus::of_rows(layer.source, rows)});
  }
  return chosen;
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
  const Tensor y = residual(x, norm_1, norm_place, [&](const Tensor& x) {
    const Index first = cache.own.keys.defined() ? cache.own.keys.size(2) : 0;
    cache.own = joined(cache.own, self_attention.keys_values(x, first));
    return dropout(self_attention.look_at(cache.own, x, self, first));
  });
  const Tensor z = residual(y, norm_2, norm_place, [&](const Tensor& y) {
    return dropout(cross_attention.look_at(cache.source, y, cross));
  });
  return residual(z, norm_3, norm_place, feed_forward);
}

Decoder::Decoder(const LayerOptions& given, int n, KeySequence& keys) : options(given) {
  options.validate();
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
  DecoderCache cache{.layers = {}, .source_mask = source_mask};
  for (const DecoderLayer& layer : layers) {
    cache.layers.push_back({{}, layer.cross_attention.keys_values(source)});
  }
  return cache;
}

Tensor Decoder::extend(const Tensor& x, DecoderCache& cache, const IndexTensor& mask) const {
  const Index first = cache.length(), t = x.size(1);
  const AttentionOptions self{.mask = mask, .causal = true, .bias = positions.bias(t, first + t)};
  const AttentionOptions cross{.mask = cache.source_mask};
  Tensor y = dropout_in_training(positions.embed(x, first), options.dropout);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    y = layers[i](y, cache.layers[i], self, cross);
  }
  return options.norm_place == NormPlace::kPre ? norm(y) : y;
}

}  // namespace gradus
