#include "tutorials/18_the_encoder_and_bert/exercises.h"

bool follows_the_rule(const Masker& masker) {
  const std::int32_t mask = 3, first = 5, last = 44;  // words between 5 and 44, but not all
  Tokens words, tokens;
  for (std::int32_t token = first; token <= last; token += 2) words.push_back(token);
  const Index length = 20, count = 60000;
  for (Index i = 0; i < count; ++i) {
    tokens.push_back(static_cast<std::int32_t>(uniform_index({.seed = 9}, i, last + 1)));
  }
  const auto is_word = [&](std::int32_t token) {
    return std::count(words.begin(), words.end(), token) > 0;
  };
  double asked = 0, masked = 0, same = 0, random = 0, candidates = 0;
  std::vector<double> drawn(last + 1), at(length), times(last + 1);
  std::set<Tokens> results;
  for (std::uint32_t step = 0; step < 3; ++step) {
    const auto [inputs, targets] = masker(IndexTensor({count / length, length}, tokens), words,
                                          mask, {.seed = 1, .step = step});
    if (inputs.size() != count || targets.size() != count) return false;
    results.emplace(targets.begin(), targets.end());
    for (Index i = 0; i < count; ++i) {
      const std::int32_t token = tokens[std::size_t(i)], now = inputs.data()[i];
      const std::int32_t target = targets.data()[i];
      candidates += is_word(token);
      if (target == -100) {
        if (now != token) return false;
        continue;
      }
      if (target != token || !is_word(token)) return false;
      ++asked, ++at[std::size_t(i % length)], ++times[std::size_t(token)];
      if (now == mask) {
        ++masked;
      } else if (now == token) {
        ++same;  // a random word may be the same: one of 20 times
      } else if (is_word(now)) {
        ++random, ++drawn[std::size_t(now)];
      } else {
        return false;
      }
    }
  }
  const auto near = [](double share, double right) { return std::abs(share / right - 1) < 0.2; };
  if (results.size() != 3 || !near(asked / candidates, 0.15)) return false;
  if (!near(masked / asked, 0.8) || !near(same / asked, 0.1) || !near(random / asked, 0.1)) {
    return false;
  }
  for (const std::int32_t word : words) {
    const double alike = 1 / double(words.size());
    if (std::abs(drawn[std::size_t(word)] / random / alike - 1) > 0.7) return false;
    if (!near(times[std::size_t(word)] / asked, alike)) return false;
  }
  return std::all_of(at.begin(), at.end(),
                     [&](double n) { return near(n / asked, 1 / double(length)); });
}
