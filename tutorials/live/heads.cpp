// Chapter 10's model of two layers and four heads, trained when pages are made, on words that the
// reader types.
#include "live/weights.h"
#include "tutorials/10_multi_head_attention/copier.h"

using namespace pocket;
using live::Numbers;

namespace {

constexpr Index kLength = 12;
std::unique_ptr<Copier> copier;

#ifndef __EMSCRIPTEN__
/// The weights of the chapter's model of seed 1.
Numbers make(const Numbers&) {
  Copier model = trained(2, 4, 1);
  return live::weights_of(model);
}
#endif

/// Loads a model's weights.
Numbers start(const Numbers& in) {
  KeySequence keys(0);
  copier = std::make_unique<Copier>(2, 4, keys);
  live::set_weights(*copier, in);
  return {};
}

/// The arguments are the layer and head that are switched off (from 0; none: -1), and T words as
/// numbers. Returns the weights of all heads, [2, 4, T, T], and for each word the word that the
/// model expects next, and its probability among the words of the row.
Numbers look(const Numbers& in) {
  const NoGrad no_grad;
  const Tokens words(in.begin() + 2, in.end());
  const Index length = std::ssize(words);
  check(0 < length && length <= kLength, "From 1 to 12 words");
  Tokens row = words;
  row.resize(kLength);  // the padding does not matter: the mask is causal
  std::vector<Tensor> weights;
  Tensor logits;
  const auto read = [&] {
    logits = (*copier)(IndexTensor({1, kLength}, row), &weights);
    return 0.0;
  };
  const std::vector<Index> off(in[0] < 0 ? 0 : 1, Index(in[1]));
  without(*copier, std::max(0, static_cast<int>(in[0])), off, read);
  Numbers seen;
  for (const Tensor& layer : weights) {
    const Tensor own = slice(slice(layer, -1, 0, length), -2, 0, length);
    seen.insert(seen.end(), own.begin(), own.end());
  }
  const Index known = 1 + *std::max_element(words.begin(), words.end());
  const Tensor p = softmax(slice(logits, -1, 0, known));
  const IndexTensor next = argmax(p, -1);
  for (Index t = 0; t < length; ++t) {
    seen.push_back(next.data()[t]);
    seen.push_back(p.data()[t * known + next.data()[t]]);
  }
  return seen;
}

const live::Piece piece("heads", {
#ifndef __EMSCRIPTEN__
                                     {"make", make},
#endif
                                     {"start", start},
                                     {"look", look}});

}  // namespace
