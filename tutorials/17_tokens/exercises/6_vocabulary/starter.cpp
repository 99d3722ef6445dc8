// Exercise 17.6, 10 minutes: how large a vocabulary?
//
// Chapter 17's counted table, for vocabularies up to 4,096 tokens, on the text that it counted and
// on the text that was held out. 0.01 is added to each count.
#include <cstdio>

#include "tutorials/pocket/tokens.h"

using namespace pocket;

int main() {
  const double added = 0.01;  // to each count
  const std::string text = read_text(COURSE_TALES);
  const std::string train = text.substr(0, text.size() * 29 / 30),
                    held_out = text.substr(train.size());
  BytePairTokenizer tokenizer = BytePairTokenizer::learn(train, 4096);
  std::printf("   V  bytes per token  bits per byte: training text  held-out text\n");
  for (const Index vocab : {4096, 2048, 1024, 512, 256}) {
    tokenizer.pieces.resize(static_cast<std::size_t>(vocab));
    std::erase_if(tokenizer.merges, [&](const auto& merge) { return merge.second >= vocab; });
    const Tokens learned = tokenizer.encode(train), asked = tokenizer.encode(held_out);
    std::map<Pair, double> pairs;
    std::map<std::int32_t, double> firsts;
    for (std::size_t i = 1; i < learned.size(); ++i) {
      ++pairs[{learned[i - 1], learned[i]}], ++firsts[learned[i - 1]];
    }
    const auto bits = [&](const Tokens& tokens, const std::string& of) {
      double nats = 0;
      for (std::size_t i = 1; i < tokens.size(); ++i) {
        const Pair pair{tokens[i - 1], tokens[i]};
        const auto found = pairs.find(pair);
        const double count = found == pairs.end() ? 0 : found->second;
        nats -= std::log((count + added) / (firsts[pair.first] + added * double(vocab)));
      }
      return nats / double(of.size()) / std::log(2);
    };
    std::printf("%4d %16.2f %29.3f %14.3f\n", static_cast<int>(vocab),
                double(held_out.size()) / double(asked.size()), bits(learned, train),
                bits(asked, held_out));
  }
}
