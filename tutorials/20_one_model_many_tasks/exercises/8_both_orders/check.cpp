#include "tutorials/20_one_model_many_tasks/exercises.h"
#include "tutorials/common/compare.h"

using gradus::as_library, gradus::green;

namespace {

constexpr Index kVocab = 20, kChannels = 8;
constexpr NewTokens kTokens{17, 19, 18};

/// A model with large weights, so that each token counts.
Gpt drawn(std::uint64_t seed) {
  GptConfig config{.vocab_size = kVocab, .n_positions = 60};
  config.n_layer = 2, config.n_head = 2, config.n_embd = kChannels, config.dropout = 0;
  Gpt model(config, seed);
  KeySequence keys(seed + 100);
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    if (x.rank() == 2) x = normal(x.shape(), keys.next()).set_requires_grad();
  });
  return model;
}

Tokens draw(Index length, const RandomKey& key) {
  Tokens tokens;
  for (Index i = 0; i < length; ++i) tokens.push_back(std::int32_t(uniform_index(key, i, 17)));
  return tokens;
}

/// The features of one input's last token, [1, C].
Tensor read(const Gpt& gpt, const Tokens& first, const Tokens& second, const NewTokens& tokens) {
  Tokens all = {tokens.start};
  all.insert(all.end(), first.begin(), first.end());
  all.push_back(tokens.delimiter);
  all.insert(all.end(), second.begin(), second.end());
  all.push_back(tokens.extract);
  return slice(gpt.features(IndexTensor({1, std::ssize(all)}, all)), 1, -1);
}

void ask(const std::string& what, const std::vector<std::array<Index, 2>>& lengths, Index labels,
         const NewTokens& tokens = kTokens) {
  const std::uint64_t seed = 3 + lengths.size();
  Gpt gpt = drawn(seed);
  KeySequence keys(seed);
  Linear head(kChannels, labels, keys);
  head.bias = normal({labels}, keys.next()).set_requires_grad();
  std::vector<Pair> pairs, swapped;
  for (std::uint32_t i = 0; i < lengths.size(); ++i) {
    pairs.push_back({draw(lengths[i][0], {seed, 1, i}), draw(lengths[i][1], {seed, 2, i})});
    swapped.push_back({pairs.back().second, pairs.back().first});
  }
  const auto right = [&] {
    std::vector<Tensor> each;
    for (const auto& [a, b] : pairs) {
      each.push_back(reshape(read(gpt, a, b, tokens) + read(gpt, b, a, tokens), {1, kChannels}));
    }
    return head(concat(each, 0));
  };
  const gradus::Tensor wanted = as_library(right());
  gradus::expect(what + ", swapped", as_library(similarity(gpt, head, swapped, tokens)), wanted, "",
                 1e-4 * gradus::scale_of(wanted));
  std::vector<NamedTensor> leaves = parameters(gpt);
  for (const NamedTensor& x : parameters(head)) leaves.push_back({"head." + x.name, x.tensor});
  compare(
      what, leaves, [&] { return similarity(gpt, head, pairs, tokens); }, right);
}

}  // namespace

CHECK_ANSWER() {
  ask("one pair of two and three tokens", {{2, 3}}, 2);
  ask("three pairs of unequal lengths", {{2, 3}, {7, 1}, {4, 4}}, 2);
  ask("a long pair first, three labels", {{9, 6}, {1, 2}}, 3);
  ask("one score for each pair", {{3, 5}, {5, 3}, {1, 1}, {2, 6}}, 1);
  ask("a text without tokens", {{0, 3}, {4, 2}}, 2);
  ask("other numbers for the new tokens", {{2, 3}, {5, 1}}, 2, {2, 3, 5});
  std::vector<std::array<Index, 2>> many;
  for (Index i = 0; i < 40; ++i) many.push_back({1 + i * 7 % 24, 1 + i * 5 % 19});
  ask("40 pairs", many, 2);
}
