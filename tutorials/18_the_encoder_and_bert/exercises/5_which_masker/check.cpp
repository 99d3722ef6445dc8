#include "tutorials/common/check.h"

#include "tutorials/18_the_encoder_and_bert/exercises.h"

using gradus::green, gradus::red;

namespace {

/// A masker, with switches for its faults.
struct Rule {
  double asked = 0.15, masked = 0.8, random = 0.1;
  bool special_too = false;     // asks for tokens that are no words
  bool draws_any = false;       // a random token in place of a random word
  bool target_after = false;    // the target is the changed input
  bool target_always = false;   // a target at each position
  bool changes_others = false;  // random words where nothing is asked
  bool one_key = false;         // the same choice each time
  bool one_word = false;        // the random word is always the same
  bool few_words = false;       // only the first half of the words is drawn
  bool even_alone = false;      // asks at even positions of a row, twice as often
  bool half_asked = false;      // asks for the first half of the words, twice as often
  bool hides_as_0 = false;      // token 0 in place of `mask`
  bool shows_all = false;       // asked, but nothing ever changes
};

Masker masker_of(const Rule& rule, std::uint64_t stream) {
  return [=](const IndexTensor& tokens, const Tokens& words, std::int32_t mask,
             const RandomKey& key) -> MaskedWords {
    RandomKey own = rule.one_key ? RandomKey{} : key;
    own.seed += stream << 32;
    Tokens inputs(tokens.begin(), tokens.end()), targets(inputs.size(), -100);
    const Tensor draws = uniform({tokens.size(), 3}, own);
    const Index size = std::ssize(words), length = tokens.size(1);
    for (Index i = 0; i < tokens.size(); ++i) {
      std::int32_t& token = inputs[std::size_t(i)];
      const std::int32_t before = token;
      const auto found = std::find(words.begin(), words.end(), token);
      const Scalar* draw = draws.data() + 3 * i;
      double asked = rule.asked;
      if (rule.even_alone) asked *= i % length % 2 == 0 ? 2 : 0;
      if (rule.half_asked) asked *= found - words.begin() < size / 2 ? 2 : 0;
      const Index drawn = Index(draw[2] * Scalar(rule.few_words ? size / 2 : size));
      const std::int32_t word = rule.draws_any ? std::int32_t(draw[2] * Scalar(words.back() + 1))
                                               : words[std::size_t(rule.one_word ? 0 : drawn)];
      if (rule.target_always) targets[std::size_t(i)] = before;
      if (found == words.end() && !rule.special_too) continue;
      if (double{draw[0]} >= asked) {
        if (rule.changes_others && draw[1] < Scalar(0.02)) token = word;
        continue;
      }
      if (!rule.shows_all) {
        if (double{draw[1]} < rule.masked) {
          token = rule.hides_as_0 ? 0 : mask;
        } else if (double{draw[1]} < rule.masked + rule.random) {
          token = word;
        }
      }
      targets[std::size_t(i)] = rule.target_after ? token : before;
    }
    return {IndexTensor(tokens.shape(), inputs), IndexTensor(tokens.shape(), targets)};
  };
}

void ask(const std::string& what, const Rule& rule, bool right, std::uint64_t stream) {
  if (follows_the_rule(masker_of(rule, stream)) == right) {
    return green(what, (right ? ": accepted" : ": found out"));
  }
  red(what, (right ? ": it was not accepted, though it follows the rule\nlikely cause: too few "
                     "tokens, or too narrow a limit"
                   : ": it was accepted"));
}

}  // namespace

CHECK_ANSWER() {
  for (std::uint64_t stream = 1; stream <= 4; ++stream) ask("a right one", {}, true, stream);
  ask("always [MASK]", {.masked = 1, .random = 0}, false, 5);
  ask("80% [MASK], 20% stay", {.random = 0}, false, 6);
  ask("80% [MASK], 20% random", {.random = 0.2}, false, 7);
  ask("10% [MASK], 80% random", {.masked = 0.1, .random = 0.8}, false, 8);
  ask("asked, but never changed", {.shows_all = true}, false, 9);
  ask("25% are asked", {.asked = 0.25}, false, 10);
  ask("10% are asked", {.asked = 0.1}, false, 11);
  ask("special tokens are asked, too", {.special_too = true}, false, 12);
  ask("the random one may be a special token", {.draws_any = true}, false, 13);
  ask("the target is the token that was put in", {.target_after = true}, false, 14);
  ask("a target where nothing is asked", {.target_always = true}, false, 15);
  ask("changes tokens that are not asked", {.changes_others = true}, false, 16);
  ask("the same choice for each key", {.one_key = true}, false, 17);
  ask("the random word is always the same", {.one_word = true}, false, 18);
  ask("random words from the first half of the list", {.few_words = true}, false, 19);
  ask("only even positions are asked", {.even_alone = true}, false, 20);
  ask("only the first half of the words is asked", {.half_asked = true}, false, 21);
  ask("token 0 in place of [MASK]", {.hides_as_0 = true}, false, 22);
  ask("a right one", {}, true, 23);
}
