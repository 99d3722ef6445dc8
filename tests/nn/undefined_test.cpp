// Layers and models that were declared but never initialised: an error, not a crash.
#include "nn/layers/decoder.h"
#include "nn/models/bert.h"
#include "nn/models/classifier.h"
#include "nn/models/gpt.h"
#include "nn/models/transformer.h"
#include "nn/models/vision_transformer.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

const IndexTensor kTokens = indices({{0, 1}});

Tensor input() { return ones({1, 2, 4}); }

}  // namespace

/// Calls a module before it has parameters and checks that the error names the module.
#define CHECK_UNMADE(type, call)                                                    \
  {                                                                                 \
    [[maybe_unused]] const type module;                                             \
    CHECK_FAILS(module call, #type                                                  \
                ": has no parameters, because it was default-constructed (make it " \
                "with its sizes, or load it)");                                     \
  }

TEST_CASE("undefined: a default-constructed layer says that it has no parameters") {
  CHECK_UNMADE(Linear, (input()));
  CHECK_UNMADE(Embedding, (kTokens));
  CHECK_UNMADE(LayerNorm, (input()));
  CHECK_UNMADE(RmsNorm, (input()));
  CHECK_UNMADE(BatchNorm, (input()));
  CHECK_FAILS(Norm()(input()), "LayerNorm: has no parameters");  // the default kind of Norm
  CHECK_UNMADE(FeedForward, (input()));
  CHECK_UNMADE(MultiHeadAttention, (input(), input()));
  CHECK_UNMADE(MultiHeadAttention, .key_values(input()));
  CHECK_UNMADE(MultiHeadAttention, .attend({}, input()));
  CHECK_UNMADE(CausalSelfAttention, (input()));
  CHECK_UNMADE(PositionalEncoding, .embed(input()));
  CHECK_UNMADE(EncoderLayer, (input()));
  CHECK_UNMADE(Block, (input()));
  DecoderLayerCache cache;
  CHECK_UNMADE(DecoderLayer, (input(), cache, {}, {}));
  CHECK(Dropout()(input()).values() == input().values());  // needs no parameters
}

TEST_CASE("undefined: a default-constructed model says that it has no parameters") {
  CHECK_FAILS(Gpt(GptConfig{}), "gpt: vocab_size must be at least 1, got 0");
  CHECK_UNMADE(Encoder, (input()));
  CHECK_UNMADE(Encoder, .run(input()));
  CHECK_UNMADE(Decoder, (input(), input()));
  CHECK_UNMADE(Decoder, .begin(input()));
  DecoderCache cache;
  CHECK_UNMADE(Decoder, .extend(input(), cache));
  CHECK_UNMADE(Transformer, (kTokens, kTokens));
  CHECK_UNMADE(Transformer, .encode(kTokens));
  CHECK_UNMADE(Transformer, .extend(kTokens, cache));
  CHECK_UNMADE(Bert, .features(kTokens));
  CHECK_UNMADE(Bert, .word_logits(input()));
  CHECK_UNMADE(Bert, .pooled(input()));
  CHECK_UNMADE(SequenceClassifier, (kTokens, 0));
  CHECK_UNMADE(VisionTransformer, (ones({1, 28, 28})));
}

TEST_CASE("undefined: an empty cache has read nothing, and cannot be read into") {
  KvCache cache;
  CHECK_FAILS(cached_self_attention(ones({1, 1, 12}), cache), "cached_self_attention: ");
  KeySequence keys(1);
  const CausalSelfAttention attention(4, 2, keys);
  CHECK_FAILS(attention(input(), &cache), "cached_self_attention: ");
  CHECK(DecoderCache{}.length() == 0);
  const Decoder decoder({.d_model = 4, .num_heads = 2}, 1, keys);
  DecoderCache none;
  CHECK_FAILS(decoder.extend(input(), none),
              "decoder: needs a cache for each of its 1 layers, got 0 (begin() makes them)");
}

#define CHECK_REFUSED(expression) \
  CHECK_THROWS_AS(static_cast<void>(expression), std::invalid_argument)

TEST_CASE("undefined: layers and models refuse an input that is not there") {
  KeySequence keys(1);
  const Tensor x;
  const IndexTensor tokens;
  const LayerOptions layer{.d_model = 4, .num_heads = 2, .max_length = 5};
  CHECK_FAILS(Linear(4, 3, keys)(x), "linear: x is undefined");
  CHECK_FAILS(Embedding(4, 3, keys)(tokens), "embedding: tokens is undefined");
  CHECK_FAILS(LayerNorm(4)(x), "layer_norm: x is undefined");
  CHECK_FAILS(RmsNorm(4)(x), "rms_norm: x is undefined");
  CHECK_REFUSED(BatchNorm(4)(x));
  CHECK_REFUSED(FeedForward(4, 4, keys)(x));
  CHECK_REFUSED(MultiHeadAttention(4, 2, keys, {})(input(), x));
  CHECK_REFUSED(MultiHeadAttention(4, 2, keys, {})(x, input()));
  CHECK_REFUSED(CausalSelfAttention(4, 2, keys)(x));
  CHECK_REFUSED(padding_mask(tokens, 0));
  CHECK_REFUSED(Encoder(layer, 1, keys)(x));
  CHECK_REFUSED(Decoder(layer, 1, keys)(input(), x));
  CHECK_REFUSED(Decoder(layer, 1, keys)(x, input()));
  const Gpt gpt({.vocab_size = 3, .n_positions = 4, .n_layer = 1, .n_head = 1, .n_embd = 4});
  CHECK_REFUSED(gpt(tokens));
  CHECK_REFUSED(gpt.loss(kTokens, tokens));
  CHECK_REFUSED(Bert({.vocab_size = 3, .n_layer = 1, .layer = layer}).features(tokens));
  CHECK_REFUSED(Transformer(3, 3, 4, 1, 1)(kTokens, tokens));
  CHECK_REFUSED(Transformer(3, 3, 4, 1, 1)(tokens, kTokens));
  CHECK_REFUSED(SequenceClassifier({.vocab_size = 3, .n_labels = 2, .n_layer = 1, .layer = layer})(
      tokens, 0));
  CHECK_REFUSED(VisionTransformer({.n_layer = 1, .layer = layer})(x));
}
