#include "tutorials/common/check.h"

#include "tutorials/17_tokens/exercises.h"

using gradus::green, gradus::red;

namespace {

/// The number of pieces that the shortest cut has, -1 if there is none.
int right(const std::string& word, const std::vector<std::string>& pieces) {
  std::vector<int> count(word.size() + 1, -1);
  count[0] = 0;
  for (std::size_t begin = 0; begin < word.size(); ++begin) {
    if (count[begin] < 0) continue;
    for (const std::string& piece : pieces) {
      if (word.compare(begin, piece.size(), piece) != 0) continue;
      int& there = count[begin + piece.size()];
      if (there < 0 || count[begin] + 1 < there) there = count[begin] + 1;
    }
  }
  return count[word.size()];
}

void ask(const std::string& word, const std::vector<std::string>& pieces) {
  const std::vector<std::string> got = fewest(word, pieces);
  const int expected = right(word, pieces);
  std::string joined, list;
  for (const std::string& piece : got) {
    joined += piece, list += " " + piece;
    if (std::find(pieces.begin(), pieces.end(), piece) == pieces.end()) {
      red("\"", piece, "\" is not one of the pieces");
    }
  }
  const std::string shown = word.size() > 40 ? word.substr(0, 40) + "..." : word;
  const std::string what = "\"" + shown + "\"";
  if (list.size() > 80) list = list.substr(0, 80) + " ...";
  if (expected < 0) {
    if (!got.empty()) red(what, " cannot be cut: got", list);
    return green(what, ": cannot be cut");
  }
  if (joined != word) {
    red(what, ": the pieces", (list.empty() ? " (none)" : list), " do not make the word");
  }
  if (std::ssize(got) != expected) {
    red(what, ": got ", got.size(), " pieces,", list, ", expected ", expected);
  }
  green(what, ": ", expected, " pieces");
}

}  // namespace

CHECK_ANSWER() {
  const std::vector<std::string> letters{"a", "b", "c", "d", "e"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), letters.begin(), letters.end());
    return more;
  };
  ask("bad", letters);
  ask("", letters);
  ask("abcde", with({"ab", "cde", "abc"}));
  ask("edcba", with({"ba", "edc", "cba"}));
  ask("abcd", {"ab", "abc", "cd"});
  ask("dcba", {"ba", "cba", "dc"});
  ask("aabaab", with({"aab", "aa", "ba", "baab"}));
  ask("abx", with({"ab"}));
  ask("xab", with({"ab"}));
  ask("abababa", {"aba", "ab", "ba"});
  ask(std::string(3000, 'a'), {"a", "aaaaaaa", "aaaaa"});
  std::string word;
  unsigned state = 1;
  for (int i = 0; i < 2000; ++i)
    word += char('a' + ((state = state * 1664525u + 1013904223u) >> 16) % 3);
  ask(word, {"a", "b", "c", "ab", "bca", "cab", "abca", "bb", "aac", "caab", "bcab"});
}
