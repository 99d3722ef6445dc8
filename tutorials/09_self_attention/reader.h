/// @file
/// The model of chapter 09 that learns its attention, and its training.
#pragma once

#include "tutorials/09_self_attention/tasks.h"

namespace pocket {

// [reader]
struct Reader {
  Reader(Index width, KeySequence& keys) : embedding(16, 32, keys) {
    for (Linear* map : {&query, &key, &value}) *map = Linear(32, width, keys);
    for (Linear* map : {&itself, &partner}) *map = Linear(width, 16, keys);
  }
  Tensor weights(const IndexTensor& words) const {
    const Tensor x = embedding(words);                         // [B, 4, 32]
    return attention_weights(query(x) * query_scale, key(x));  // [B, 4, 4]
  }
  Tensor context(const IndexTensor& words) const {
    return matmul(weights(words), value(embedding(words)));  // [B, 4, D]
  }
  Tensor loss(const Sentences& some) const {
    const Tensor y = context(some.words);
    return cross_entropy(itself(y), some.words) + cross_entropy(partner(y), some.partners);
  }
  void fields(auto&& f) {
    f("embedding", embedding), f("query", query), f("key", key), f("value", value);
    f("itself", itself), f("partner", partner);
  }
  Embedding embedding;
  Linear query, key, value, itself, partner;
  Scalar query_scale = 1;  // for an experiment further down
};
// [reader]

// [learn]
inline double learn(Reader& reader, std::uint64_t seed, double rate) {
  AdamW optimiser(parameters(reader), {.weight_decay = 0});
  const TrainOptions options{.steps = 400, .schedule = {rate, rate / 20, 1, 400}};
  return train(optimiser, options,
               [&](int step) {
                 const RandomKey key{seed, static_cast<std::uint32_t>(step)};
                 return reader.loss({32, key});  // 32 new sentences
               })
      .back();
}
// [learn]

}  // namespace pocket
