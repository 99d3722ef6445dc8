#include "nn/layers/attention.h"
#include "tutorials/15_the_decoder_and_gpt/exercises.h"
#include "tutorials/common/check.h"

namespace {

constexpr Index kVocabulary = 11, kTime = 9, kChannels = 8;

/// Embedding, one attention under a mask [T, T], and an output layer: with random weights.
Model with_mask(std::uint64_t seed, const std::function<bool(Index, Index)>& sees) {
  KeySequence keys(seed);
  const Embedding tokens(kVocabulary, kChannels, keys), places(kTime, kChannels, keys);
  const MultiHeadAttention attention(kChannels, 2, keys, {});
  const Linear output(kChannels, kVocabulary, keys);
  return [=](const IndexTensor& text) {
    const Index time = text.size(1);
    IndexTensor mask({time, time}), numbers({time});
    for (Index t = 0; t < time; ++t) {
      numbers.mutable_data()[t] = static_cast<std::int32_t>(t);
      for (Index s = 0; s < time; ++s) mask.mutable_data()[t * time + s] = sees(t, s);
    }
    const Tensor x = tokens(text) + places(numbers);
    return output(x + attention(x, x, {.mask = mask}));
  };
}

/// No attention at all: its leak, if any, is that all places are brought to mean 0 together.
Model centred(std::uint64_t seed, bool leaks) {
  KeySequence keys(seed);
  const Embedding tokens(kVocabulary, kChannels, keys);
  const Linear output(kChannels, kVocabulary, keys);
  return [=](const IndexTensor& text) {
    const Tensor x = tokens(text);
    return output(x - mean(x, {leaks ? 1 : 2}, {.keepdim = true}));
  };
}

/// The first model, with a little of what the second one says.
Model mixed(const Model& first, const Model& second) {
  return [=](const IndexTensor& text) { return first(text) + second(text) * Scalar(0.003); };
}

bool back(Index t, Index s) { return s <= t; }
bool near(Index t, Index s) { return s <= t && s + 3 > t; }
bool itself(Index t, Index s) { return s == t; }

}  // namespace

int main() {
  return run_check([] {
    struct Trio {
      std::string leak;
      std::vector<Model> models;
      int answer;
    };
    const std::vector<Trio> trios = {
        {"no mask at all",
         {with_mask(1, back), with_mask(2, near), with_mask(3, [](Index, Index) { return true; })},
         2},
        {"a mask that is off by one",
         {with_mask(4, [](Index t, Index s) { return s <= t + 1; }), with_mask(5, back),
          with_mask(6, itself)},
         0},
        {"a mean over all places", {with_mask(7, back), centred(8, true), centred(9, false)}, 1},
        {"a leak from place 4 to place 3 alone",
         {with_mask(10, near), with_mask(11, back),
          with_mask(12, [](Index t, Index s) { return s <= t || (t == 3 && s == 4); })},
         2},
        {"a leak from the last place to the first",
         {with_mask(13, [](Index t, Index s) { return s <= t || (t == 0 && s == kTime - 1); }),
          with_mask(14, itself), with_mask(15, back)},
         0},
        {"a leak from place 6 to place 2 alone",
         {with_mask(16, back),
          with_mask(17, [](Index t, Index s) { return s <= t || (t == 2 && s == 6); }),
          with_mask(18, near)},
         1},
        {"a leak that changes logits by less than a thousandth",
         {with_mask(19, near), with_mask(22, itself),
          mixed(with_mask(23, back), with_mask(24, [](Index, Index) { return true; }))},
         2}};
    std::vector<int> said;
    for (const Trio& trio : trios) said.push_back(which_leaks(trio.models, kVocabulary, kTime));
    const auto wrong = [&](std::size_t i) { return said[i] != trios[i].answer; };
    std::string table;
    for (std::size_t i = 0; i < trios.size(); ++i) {
      table += "\n  " + trios[i].leak + ": got " + std::to_string(said[i]) + ", expected " +
               std::to_string(trios[i].answer);
    }
    if (wrong(3) && !wrong(0) && !wrong(1) && !wrong(2)) {
      red("a leak in the middle of the text was missed: change each token in turn" + table);
    }
    if (std::ranges::all_of(said, [](int i) { return i == 0; })) {
      // Ask with sound models alone whether a change that is allowed counts as a leak.
      int asked = 0;
      bool earlier = false;
      const Model sound = with_mask(20, back), lonely = with_mask(21, itself);
      std::vector<std::vector<std::int32_t>> texts;
      const Model spy = [&](const IndexTensor& text) {
        ++asked;
        texts.push_back(text.values());
        return sound(text);
      };
      which_leaks({spy, lonely, lonely}, kVocabulary, kTime);
      for (std::size_t i = 1; i < texts.size(); ++i) {
        earlier = earlier || (texts[i][0] != texts[0][0] && texts[i].back() == texts[0].back());
      }
      if (asked == 0) red("always 0: a leak was missed, or found where there is none" + table);
      red((earlier
               ? "the first model each time: later places may depend on earlier tokens, that is "
                 "what a language model is for"
               : "the first model each time: a place may depend on itself; compare the logits "
                 "before the changed token alone") +
          table);
    }
    for (std::size_t i = 0; i < trios.size(); ++i) {
      if (wrong(i)) {
        // An answer that never asks twice about one place cannot have compared anything.
        int asked = 0;
        const Model counted = [&](const IndexTensor& text) {
          ++asked;
          return trios[i].models[0](text);
        };
        which_leaks({counted, counted, counted}, kVocabulary, kTime);
        red(std::string("a leak was missed, or found where there is none") +
            (asked > 0 && asked <= 3 ? "\nlikely cause: each model was asked once; a low loss says "
                                       "nothing about untrained models: change a token and compare"
                                     : "") +
            table);
      }
      green(trios[i].leak + ": model " + std::to_string(said[i]));
    }
  });
}
