#include "tutorials/19_the_full_transformer/exercises.h"

Tokens my_greedy(const Transformer& model, const IndexTensor& src, const WriteLimits& limits) {
  const NoGrad no_grad;
  const Tensor h = model.encode(src);
  std::vector<MultiHeadAttention::KeyValues> source, own(model.layers.size());
  for (const DecoderLayer& layer : model.layers) {
    source.push_back(layer.cross_attention.key_values(h));
  }
  Tokens written{limits.begin};
  for (Index t = 0; t < limits.max_tokens; ++t) {
    Tensor x = model.positions.embed(model.trg_embed(IndexTensor({1, 1}, {written.back()})), t);
    const AttentionOptions self{.causal = true, .bias = model.positions.bias(1, t + 1)};
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      const DecoderLayer& layer = model.layers[i];
      const auto look_back = [&](const Tensor& y) {
        const auto [keys, values] = layer.self_attention.key_values(y, t);
        own[i].keys = t > 0 ? concat({own[i].keys, keys}, 2) : keys;
        own[i].values = t > 0 ? concat({own[i].values, values}, 2) : values;
        return layer.self_attention.attend(own[i], y, self, t);
      };
      const auto ask_source = [&](const Tensor& y) {
        return layer.cross_attention.attend(source[i], y, {});
      };
      x = residual(x, layer.norm_1, layer.options, look_back);
      x = residual(x, layer.norm_2, layer.options, ask_source);
      x = residual(x, layer.norm_3, layer.options, layer.feed_forward);
    }
    const bool pre = model.config.layer.norm_place == NormPlace::kPre;
    written.push_back(*argmax(model.out(pre ? model.norm(x) : x), -1).data());
    if (written.back() == limits.end) break;
  }
  return written;
}
