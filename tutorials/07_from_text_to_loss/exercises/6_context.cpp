// Exercise 07.6: counting further back
#include <cmath>
#include <cstdio>

#include "tutorials/pocket/text.h"

using namespace pocket;

int main() {
  const double added = 0.1;  // to each count
  const std::string text = read_text(COURSE_FABLES);
  const CharTokenizer characters = CharTokenizer::learn(text);
  const Tokens all = characters.encode(text);
  const Index vocab = characters.vocab_size(), cut = std::ssize(all) * 9 / 10;
  for (const Index known : {0, 1, 2, 3}) {
    const auto context = [&](Index i) {  // the `known` tokens before i, as one number
      Index number = 0;
      for (Index k = known; k > 0; --k) number = number * vocab + all[i - k];
      return number;
    };
    std::vector<float> counts(Index(std::pow(vocab, known + 1)), float(added));
    std::vector<float> totals(Index(std::pow(vocab, known)), float(added * double(vocab)));
    for (Index i = known; i < cut; ++i) {
      counts[context(i) * vocab + all[i]] += 1;
      totals[context(i)] += 1;
    }
    const auto loss = [&](Index begin, Index end) {
      double sum = 0;
      for (Index i = begin; i < end; ++i) {
        sum -= std::log(counts[context(i) * vocab + all[i]] / totals[context(i)]);
      }
      return sum / double(end - begin);
    };
    std::printf("%d characters known: training text %.3f, held-out text %.3f\n", int(known),
                loss(known, cut), loss(cut, std::ssize(all)));
  }
}
