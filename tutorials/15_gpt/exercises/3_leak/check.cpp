#include "tutorials/common/check.h"

#include "tutorials/15_gpt/exercises.h"

using gradus::green, gradus::red;

namespace {

constexpr Index kVocabulary = 11, kLength = 9, kChannels = 8;

/// Embedding, one attention under a mask [T, T], and an output layer, with random weights.
Model with_mask(std::uint64_t seed, const std::function<bool(Index, Index)>& sees) {
  KeySequence keys(seed);
  const Embedding tokens(kVocabulary, kChannels, keys);
  const Tensor positions = normal({kLength, kChannels}, keys.next());
  const MultiHeadAttention attention(kChannels, 2, keys, {});
  const Linear output(kChannels, kVocabulary, keys);
  return [=](const IndexTensor& text) {
    const NoGrad no_grad;
    const Index length = text.size(1);
    Tokens mask;
    for (Index i = 0; i < length * length; ++i) mask.push_back(sees(i / length, i % length));
    const Tensor x = tokens(text) + slice(positions, 0, 0, length);
    return output(x + attention(x, x, {.mask = IndexTensor({length, length}, mask)}));
  };
}

/// No attention at all: its leak, if any, is that all positions are brought to mean 0 together.
Model centred(std::uint64_t seed, bool leaks) {
  KeySequence keys(seed);
  const Embedding tokens(kVocabulary, kChannels, keys);
  const Linear output(kChannels, kVocabulary, keys);
  return [=](const IndexTensor& text) {
    const NoGrad no_grad;
    const Tensor x = tokens(text);
    return output(x - mean(x, leaks ? 1 : 2, {.keepdim = true}));
  };
}

/// The first model, with a small part of the second model's output.
Model mixed(const Model& first, const Model& second) {
  return [=](const IndexTensor& text) { return first(text) + second(text) * Scalar(0.003); };
}

bool back(Index t, Index s) { return s <= t; }
bool near(Index t, Index s) { return s <= t && s + 3 > t; }
bool itself(Index t, Index s) { return s == t; }
bool all(Index, Index) { return true; }
/// Causal, except that position `from` sees position `to`.
auto all_but(Index from, Index to) {
  return [=](Index t, Index s) { return s <= t || (t == from && s == to); };
}

}  // namespace

CHECK_ANSWER() {
  struct Trio {
    std::string leak;
    std::vector<Model> models;
    int answer;
  };
  const std::vector<Trio> trios = {
      {"no mask at all", {with_mask(1, back), with_mask(2, near), with_mask(3, all)}, 2},
      {"a mask that is off by one",
       {with_mask(4, [](Index t, Index s) { return s <= t + 1; }), with_mask(5, back),
        with_mask(6, itself)},
       0},
      {"a mean over all positions", {with_mask(7, back), centred(8, true), centred(9, false)}, 1},
      {"a leak from position 4 to position 3 alone",
       {with_mask(10, near), with_mask(11, back), with_mask(12, all_but(3, 4))},
       2},
      {"a leak from the last position to the first",
       {with_mask(13, all_but(0, kLength - 1)), with_mask(14, itself), with_mask(15, back)},
       0},
      {"a leak from position 6 to position 2 alone",
       {with_mask(16, back), with_mask(17, all_but(2, 6)), with_mask(18, near)},
       1},
      {"a leak from position 2 to position 1 alone",
       {with_mask(25, back), with_mask(26, all_but(1, 2)), with_mask(27, itself)},
       1},
      {"a leak from position 8 to position 7 alone",
       {with_mask(28, back), with_mask(29, near), with_mask(30, all_but(7, 8))},
       2},
      {"a leak that changes logits by less than a thousandth",
       {with_mask(19, near), with_mask(22, itself), mixed(with_mask(23, back), with_mask(24, all))},
       2}};
  std::vector<int> said, right;
  std::string table;
  for (const Trio& trio : trios) {
    said.push_back(which_leaks(trio.models, kVocabulary, kLength)), right.push_back(trio.answer);
    table +=
        gradus::detail::text("\n  ", trio.leak, ": got ", said.back(), ", expected ", right.back());
  }
  if (said != right) red("a leak was missed, or found where there is none", table);
  green("nine leaks are found", table);
}
