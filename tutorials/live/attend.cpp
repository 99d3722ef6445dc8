// Chapter 09's reader, and the weights with which it attends to the words of a typed sentence.
#include "live/weights.h"
#include "tutorials/09_self_attention/reader.h"

using namespace pocket;
using live::Numbers;

namespace {

std::unique_ptr<Reader> reader;

#ifndef __EMSCRIPTEN__
/// Trains readers from the seeds 1 to 10. Returns the weights of each.
Numbers make(const Numbers&) {
  Numbers all;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    KeySequence keys(seed);
    Reader trained(16, keys);
    learn(trained, seed, 0.02);
    const Numbers weights = live::weights_of(trained);
    all.insert(all.end(), weights.begin(), weights.end());
  }
  return all;
}
#endif

/// Loads a reader's weights.
Numbers start(const Numbers& in) {
  KeySequence keys(0);
  reader = std::make_unique<Reader>(16, keys);
  live::set_weights(*reader, in);
  return {};
}

/// For the words of a sentence: their weights [T, T], and for each word the reader's guess of the
/// word itself and of its partner, with the probabilities.
Numbers look(const Numbers& in) {
  const NoGrad no_grad;
  const IndexTensor words({1, std::ssize(in)}, Tokens(in.begin(), in.end()));
  const Tensor weights = reader->weights(words), y = reader->context(words);
  Numbers seen(weights.begin(), weights.end());
  for (const Linear* output : {&reader->itself, &reader->partner}) {
    const Tensor p = softmax((*output)(y));
    const IndexTensor best = argmax(p, -1);
    for (Index t = 0; t < best.size(); ++t) {
      seen.push_back(best.data()[t]);
      seen.push_back(p.data()[t * p.size(-1) + best.data()[t]]);
    }
  }
  return seen;
}

const live::Piece piece("attend", {
#ifndef __EMSCRIPTEN__
                                      {"make", make},
#endif
                                      {"start", start},
                                      {"look", look}});

}  // namespace
