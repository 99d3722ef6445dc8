#include "tutorials/common/check.h"

#include "pocket/tokens.h"

namespace {

using gradus::green, gradus::red;
using pocket::CountedWords, pocket::Index, pocket::Pair;

void ask(const std::string& what, const CountedWords& words, const Pair& pair, Index count) {
  const auto [got, times] = pocket::most_frequent_pair(words);
  if (times == count && (count == 0 || got == pair)) return green(what);
  const auto text = [](const Pair& pair, Index count) {
    return "(" + std::to_string(pair.first) + ", " + std::to_string(pair.second) + ") " +
           std::to_string(count) + " times";
  };
  red(what, ": got ", text(got, times), ", expected ",
      (count == 0 ? "a count of 0" : text(pair, count)));
}

}  // namespace

CHECK_ANSWER() {
  ask("one word", {{{1, 2, 3, 1, 2}, 1}}, {1, 2}, 2);
  ask("three words", {{{1, 2}, 1}, {{3, 4, 5}, 1}, {{6, 3, 4}, 1}}, {3, 4}, 2);
  ask("a frequent word", {{{1, 2, 9, 1, 2}, 2}, {{3, 4}, 5}}, {3, 4}, 5);
  ask("words that end and begin alike", {{{1, 2}, 3}, {{1, 2}, 3}, {{2, 1, 5}, 5}}, {1, 2}, 6);
  ask("the order in a pair", {{{1, 2}, 3}, {{2, 1}, 3}, {{5, 6}, 5}}, {5, 6}, 5);
  ask("equal counts: the smaller first token", {{{7, 1}, 4}, {{3, 9}, 4}, {{3, 12}, 4}}, {3, 9}, 4);
  ask("equal counts: the smaller second token", {{{5, 300}, 2}, {{5, 90}, 2}, {{6, 1}, 2}}, {5, 90},
      2);
  ask("three times the same token", {{{8, 8, 8}, 2}, {{1, 2}, 3}}, {8, 8}, 4);
  ask("tokens above 255", {{{70000, 513}, 3}, {{112, 1}, 2}, {{368, 1}, 2}}, {70000, 513}, 3);
  ask("a count above two billion", {{{4, 5}, 2000000000}, {{4, 5, 6}, 2000000000}}, {4, 5},
      4000000000);
  ask("words without pairs", {{{7}, 9}, {{}, 5}, {{8}, 9}}, {}, 0);
  ask("no words", {}, {}, 0);
}
