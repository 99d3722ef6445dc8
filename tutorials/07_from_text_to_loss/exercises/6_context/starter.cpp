// Exercise 07.6: counting further back
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include "tutorials/pocket/text.h"

using namespace pocket;

int main() {
  const double added = 0.1;  // to each count
  const std::string text = read_text(COURSE_TALES);
  const CharTokenizer characters = CharTokenizer::learn(text);
  const Tokens all = characters.encode(text);
  const Index vocab = characters.vocab_size(), cut = std::ssize(all) * 29 / 30;
  const Tensor draws = uniform({60}, {.seed = 1});
  for (const Index known : {0, 1, 2, 3, 4, 5}) {
    const auto context = [&](const Tokens& tokens,
                             Index i) {  // the `known` before i, as one number
      Index number = 0;
      for (Index k = known; k > 0; --k) number = number * vocab + tokens[i - k];
      return number;
    };
    std::unordered_map<Index, int> counts, totals;  // of a context with a token, and alone
    for (Index i = known; i < cut; ++i) {
      ++counts[context(all, i) * vocab + all[i]], ++totals[context(all, i)];
    }
    const auto p = [&](Index before, Index token) {
      return (counts[before * vocab + token] + added) / (totals[before] + added * double(vocab));
    };
    const auto loss = [&](Index begin, Index end) {
      double sum = 0;
      for (Index i = begin; i < end; ++i) sum -= std::log(p(context(all, i), all[i]));
      return sum / double(end - begin);
    };
    std::printf("%d characters known: training text %.3f, held-out text %.3f\n", int(known),
                loss(known, cut), loss(cut, std::ssize(all)));
    Tokens written(all.begin(), all.begin() + known);
    for (const Scalar draw : draws) {
      const Index before = context(written, std::ssize(written));
      double rest = draw;
      std::int32_t token = 0;
      while (token + 1 < vocab && (rest -= p(before, token)) >= 0) ++token;
      written.push_back(token);
    }
    std::string words = characters.decode(written);
    std::replace(words.begin(), words.end(), '\n', ' ');
    std::printf("  %s\n", words.c_str());
  }
}
