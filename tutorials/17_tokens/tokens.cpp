// Chapter 17: tokens: characters, words, or byte pairs, and how to compare them.
#include "pocket/tokens.h"

#include <cstdio>
#include <cstring>

#include "pocket/write.h"
#include "tutorials/17_tokens/figures.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using namespace course;

namespace {

// [shown]
/// Pieces as the page shows them: | between them, _ for a space, / for a line's end, and a number
/// for a byte that is no character.
std::string shown(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) {
    if (!text.empty()) text += '|';
    for (const unsigned char c : piece) {
      char number[8];
      std::snprintf(number, sizeof number, "<%d>", c);
      text += c > 127 ? number : c == ' ' ? "_" : c == '\n' ? "/" : std::string(1, char(c));
    }
  }
  return text;
}

std::vector<std::string> pieces_of_characters(const std::string& text) {
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  return pieces;
}

std::vector<std::string> pieces_of(const BytePairTokenizer& tokenizer, const Tokens& tokens) {
  std::vector<std::string> pieces;
  for (const std::int32_t token : tokens) pieces.push_back(tokenizer.decode({token}));
  return pieces;
}
// [shown]

// [book]
/// The tales as texts: a part to learn from, and the part that is held out.
struct Book {
  Book() : cut(tales.train.size()) {}
  ladder::Tales tales;  // every character of it is one byte
  std::size_t cut;
  std::string train = tales.text.substr(0, cut), held_out = tales.text.substr(cut);
};

/// A book as tokens.
struct Cut {
  Index vocab_size;
  Tokens train, held_out;
};

Cut cut_by(const BytePairTokenizer& tokenizer, const Book& book) {
  return {tokenizer.vocab_size(), tokenizer.encode(book.train), tokenizer.encode(book.held_out)};
}
// [book]

// [counted]
/// The mean of -ln p over the held-out tokens, from counts of pairs in the training tokens. Each
/// count is increased by 0.1, so that no pair is impossible.
double counted_loss(const Cut& text) {
  std::map<Pair, double> pairs;
  std::map<std::int32_t, double> firsts;
  for (std::size_t i = 1; i < text.train.size(); ++i) {
    ++pairs[{text.train[i - 1], text.train[i]}], ++firsts[text.train[i - 1]];
  }
  double total = 0;
  for (std::size_t i = 1; i < text.held_out.size(); ++i) {
    const Pair pair{text.held_out[i - 1], text.held_out[i]};
    total -= std::log((pairs[pair] + 0.1) / (firsts[pair.first] + 0.1 * double(text.vocab_size)));
  }
  return total / double(text.held_out.size() - 1);
}
// [counted]

// [bits]
/// Converts a loss in nats per token to bits per byte of the tokens' text. Tokens that were not
/// predicted, such as the first, count as the mean of the others.
double bits_per_byte(double loss, const Tokens& tokens, const std::string& text) {
  return loss * double(tokens.size()) / double(text.size()) / std::log(2);
}
// [bits]

void two_tables(const Book& book, const BytePairTokenizer& pairs) {
  const Part part("two_tables");
  // [two_tables]
  const Cut characters{book.tales.characters.vocab_size(), book.tales.train, book.tales.held_out};
  const Cut cut = cut_by(pairs, book);
  const auto row = [](const char* name, const Cut& text) {
    const double loss = counted_loss(text), all = loss * double(text.held_out.size());
    std::printf("%-10s  loss %.3f  x %5d tokens held out = %5.0f nats\n", name, loss,
                int(text.held_out.size()), all);
  };
  row("characters", characters), row("pieces", cut);
  // [two_tables]
  std::printf("\n%s\n%s\n", shown(pieces_of_characters(book.held_out.substr(0, 32))).c_str(),
              shown(pieces_of(pairs, {cut.held_out.begin(), cut.held_out.begin() + 12})).c_str());
}

// [letters]
/// Cuts a text into runs of letters and single other characters.
std::vector<std::string> letters_of(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    if (!letter || !inside) words.emplace_back();
    words.back() += c, inside = letter;
  }
  return words;
}

void cuts(const Book& book, const BytePairTokenizer& pairs) {
  const Part part("cuts");
  const std::string sentence = "The drum went boom, and the flute went tweet.";
  const std::vector<std::string> known = letters_of(book.train);
  const std::set<std::string> vocabulary(known.begin(), known.end());
  std::vector<std::string> words = letters_of(sentence);
  for (std::string& word : words) word = vocabulary.contains(word) ? word : "?";
  std::printf("%s\n%s\n\n", shown(words).c_str(),
              shown(pieces_of(pairs, pairs.encode(sentence))).c_str());
  int asked = 0, unknown = 0;
  const std::vector<std::string> held_out = letters_of(book.held_out);
  for (const std::string& word : held_out) {
    if (std::isalpha(static_cast<unsigned char>(word[0])) == 0) continue;
    ++asked, unknown += !vocabulary.contains(word);
  }
  const auto row = [&](const char* name, std::size_t size, std::size_t tokens) {
    std::printf("%-11s %10d %22d %16.2f\n", name, int(size), int(tokens),
                double(book.held_out.size()) / double(tokens));
  };
  std::printf("            vocabulary  tokens held out  bytes per token\n");
  row("characters", book.tales.characters.vocabulary.size(), book.held_out.size());
  row("words", vocabulary.size(), held_out.size());
  row("byte pairs", pairs.pieces.size(), pairs.encode(book.held_out).size());
  std::printf("of %d words held out, %d are unknown\n", asked, unknown);
}
// [letters]

void steps() {
  const Part part("steps");
  // [steps]
  CountedWords words;
  BytePairTokenizer tokenizer;  // has only the bytes
  for (const Tokens& word : words_of("the hen and then the other hen")) words.push_back({word, 1});
  while (true) {
    std::vector<std::string> all;
    for (const auto& word : words) {
      const std::vector<std::string> pieces = pieces_of(tokenizer, word.first);
      all.insert(all.end(), pieces.begin(), pieces.end());
    }
    std::printf("%d tokens: %s\n", int(all.size()), shown(all).c_str());
    const auto [pair, count] = most_frequent_pair(words);
    if (count < 2) break;
    const int merged = int(tokenizer.pieces.size());
    tokenizer.pieces.push_back(tokenizer.pieces[pair.first] + tokenizer.pieces[pair.second]);
    for (auto& word : words) word.first = merge(word.first, pair, merged);
    std::printf("%d times: %d and %d become %d\n", int(count), pair.first, pair.second, merged);
  }
  // [steps]
}

void on_tales(const BytePairTokenizer& pairs) {
  const Part part("on_tales");
  // [on_tales]
  for (const std::size_t first : {256, 500, 1012}) {
    const auto begin = pairs.pieces.begin() + std::ptrdiff_t(first);
    std::printf("%4d to %4d: %s\n", int(first), int(first + 11),
                shown({begin, begin + 12}).c_str());
  }
  // [on_tales]
}

void encoding(const BytePairTokenizer& pairs) {
  const Part part("encoding");
  // [encoding]
  for (const std::string text : {"Lucas will visit Chile in January.",
                                 "Lucas irá visitar o Chile em janeiro.", "2026 + 17 = 2043"}) {
    const Tokens tokens = pairs.encode(text);
    std::printf("%2d bytes, %2d tokens, %s: %s\n", int(text.size()), int(tokens.size()),
                pairs.decode(tokens) == text ? "decoded" : "NOT DECODED",
                shown(pieces_of(pairs, tokens)).c_str());
  }
  // [encoding]
}

// [first]
/// The tokenizer at the time when it had `vocab_size` tokens.
BytePairTokenizer first_of(BytePairTokenizer tokenizer, Index vocab_size) {
  tokenizer.pieces.resize(static_cast<std::size_t>(vocab_size));
  std::erase_if(tokenizer.merges, [&](const auto& merge) { return merge.second >= vocab_size; });
  return tokenizer;
}
// [first]

void sizes(const Book& book, const BytePairTokenizer& pairs) {
  const Part part("sizes");
  std::vector<double> vocabularies, losses, bits;
  // [sizes]
  std::printf("   V  bytes per token  loss per token  bits per byte\n");
  for (const Index vocab_size : {256, 320, 512, 768, 1024}) {
    const Cut cut = cut_by(first_of(pairs, vocab_size), book);
    const double loss = counted_loss(cut);
    const double bytes = double(book.held_out.size()) / double(cut.held_out.size());
    const double each = bits_per_byte(loss, cut.held_out, book.held_out);
    std::printf("%4d %16.2f %15.3f %14.3f\n", int(vocab_size), bytes, loss, each);
    vocabularies.push_back(double(vocab_size)), losses.push_back(loss), bits.push_back(each);
  }
  // [sizes]
  draw_sizes(vocabularies, losses, bits);
}

// [gpt]
/// Chapter 15's small GPT, trained on the ladder's batches: 16 rows of `length` tokens.
Gpt trained_gpt(const Cut& text, Index length, int steps, std::uint64_t seed) {
  GptConfig config{.vocab_size = text.vocab_size, .n_positions = length};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 64, config.dropout = 0;
  Gpt model(config, seed);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 5e-3, .floor = 5e-4, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const auto [inputs, targets] =
        random_batch(text.train, 16, length, {seed, static_cast<std::uint32_t>(step)});
    return model.loss(inputs, targets);
  });
  return model;
}

/// Prints a row: the mean of a GPT over `seeds` seeds, in nats per token and bits per byte.
void climb(const char* name, const Book& book, const Cut& text, Index length, int steps,
           int seeds) {
  double loss = 0, least = 1e9, most = 0, bits = 0;
  const double before = seconds_of_cpu();
  for (int seed = 1; seed <= seeds; ++seed) {
    const Gpt model = trained_gpt(text, length, steps, std::uint64_t(seed));
    const double each = mean_loss(text.held_out, length, model);
    const double measured = bits_per_byte(each, text.held_out, book.held_out);
    loss += each / seeds, bits += measured / seeds;
    least = std::min(least, measured), most = std::max(most, measured);
  }
  std::printf("%-10s %6d %5d %10.2f %10.2f", name, int(length), steps, loss, bits);
  if (seeds > 1) {
    std::printf("  %.2f to %.2f %8.0f s", least, most, (seconds_of_cpu() - before) / seeds);
  }
  std::printf("\n");
}
// [gpt]

void quick(const Book& book, const BytePairTokenizer& pairs) {
  const Part part("quick");
  // [quick]
  const Cut characters{book.tales.characters.vocab_size(), book.tales.train, book.tales.held_out};
  std::printf("reads       length steps  per token   per byte\n");
  climb("characters", book, characters, 32, 100, 1);
  climb("512 tokens", book, cut_by(first_of(pairs, 512), book), 32, 100, 1);
  // [quick]
}

void long_run(const Book& book, const BytePairTokenizer& pairs) {
  const Cut characters{book.tales.characters.vocab_size(), book.tales.train, book.tales.held_out};
  const Cut cut = cut_by(first_of(pairs, 512), book);
  {
    const Part part("long");
    // [long]
    std::printf("reads       length steps  per token   per byte   five seeds        time\n");
    climb("characters", book, characters, 32, 500, 5);
    climb("512 tokens", book, cut, 32, 500, 5);
    climb("characters", book, characters, 32, 700, 5);  // as much time
    climb("characters", book, characters, 76, 500, 5);  // as much text in each row
    // [long]
  }
  const Part part("text");
  // [text]
  const BytePairTokenizer tokenizer = first_of(pairs, 512);
  const Gpt model = trained_gpt(cut, 32, 500, 1);
  const Tokens text =
      generate(model, tokenizer.encode("The"), 150, {.temperature = 0.7}, {.seed = 1});
  std::printf("%s\n", wrapped("The" + tokenizer.decode(text)).c_str());
  // [text]
}

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  // [learn]
  const Book book;
  const BytePairTokenizer pairs = BytePairTokenizer::learn(book.train, 1024);
  // [learn]
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(book, pairs);
    return 0;
  }
  two_tables(book, pairs);
  cuts(book, pairs);
  steps();
  on_tales(pairs);
  encoding(pairs);
  sizes(book, pairs);
  quick(book, pairs);
}
// [main]
