#include "tutorials/common/check.h"

#include "tutorials/17_tokens/exercises.h"

using gradus::green;
using gradus::red;

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

void ask(const std::string& word, const std::vector<std::string>& pieces,
         const std::string& cause) {
  const std::vector<std::string> got = fewest(word, pieces);
  const int expected = right(word, pieces);
  std::string joined, list;
  for (const std::string& piece : got) {
    joined += piece, list += " " + piece;
    if (std::find(pieces.begin(), pieces.end(), piece) == pieces.end()) {
      red("\"" + piece + "\" is not one of the pieces");
    }
  }
  const std::string shown = word.size() > 40 ? word.substr(0, 40) + "..." : word;
  const std::string what = "\"" + shown + "\"";
  if (list.size() > 80) list = list.substr(0, 80) + " ...";
  if (expected < 0) {
    if (!got.empty()) red(what + " cannot be cut: got" + list + "\nlikely cause: " + cause);
    return green(what + ": cannot be cut");
  }
  if (joined != word) {
    red(what + ": the pieces" + (list.empty() ? " (none)" : list) +
        " do not make the word\nlikely cause: " + cause);
  }
  if (std::ssize(got) != expected) {
    red(what + ": got " + std::to_string(got.size()) + " pieces," + list + ", expected " +
        std::to_string(expected) + "\nlikely cause: " + cause);
  }
  green(what + ": " + std::to_string(expected) + " pieces");
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const std::vector<std::string> letters{"a", "b", "c", "d", "e"};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), letters.begin(), letters.end());
      return more;
    };
    ask("bad", letters, "single letters, in their order");
    ask("", letters, "an empty word has no pieces");
    ask("abcde", with({"ab", "cde", "abc"}), "the longest first piece leaves d and e alone");
    ask("edcba", with({"ba", "edc", "cba"}), "the longest last piece leaves e and d alone");
    ask("abcd", {"ab", "abc", "cd"}, "the longest first piece leaves d, which is no piece");
    ask("dcba", {"ba", "cba", "dc"}, "the longest last piece leaves d, which is no piece");
    ask("aabaab", with({"aab", "aa", "ba", "baab"}),
        "the first cut that is found may not be the shortest");
    ask("abx", with({"ab"}), "then return nothing: there is no piece with x");
    ask("xab", with({"ab"}), "then return nothing: there is no piece with x");
    ask("abababa", {"aba", "ab", "ba"}, "at each byte, keep the fewest pieces up to there");
    ask(std::string(3000, 'a'), {"a", "aaaaaaa", "aaaaa"}, "keep what is known up to each byte");
    std::string word;
    unsigned state = 1;
    for (int i = 0; i < 2000; ++i)
      word += char('a' + ((state = state * 1664525u + 1013904223u) >> 16) % 3);
    ask(word, {"a", "b", "c", "ab", "bca", "cab", "abca", "bb", "aac", "caab", "bcab"},
        "at each byte, keep the fewest pieces up to there");
  });
}
