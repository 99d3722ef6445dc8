#include "tutorials/common/check.h"

#include "tutorials/18_the_encoder_and_bert/exercises.h"

using gradus::green, gradus::listed, gradus::red;

namespace {

struct Special {
  std::int32_t cls = 1, sep = 2, padding = 0;
};

void ask(const std::string& what, const Tokens& a, const Tokens& b, Index length,
         const PairRow& expected, const Special& special = {}) {
  const PairRow got = row_of_pair(a, b, length, special.cls, special.sep, special.padding);
  const auto same = [&](const char* name, const Tokens& mine, const Tokens& right) {
    if (mine != right) red(what, ": ", name, " ", listed(mine), ", expected ", listed(right));
  };
  same("tokens", got.tokens, expected.tokens);
  same("segments", got.segments, expected.segments);
  green(what);
}

void must_throw(Index length) {
  const std::string what = "length " + std::to_string(length);
  if (gradus::refusal([&] { row_of_pair({}, {}, length, 1, 2, 0); })) {
    return green(what, ": throws std::invalid_argument");
  }
  red(what, ": no std::invalid_argument\nlikely cause: [CLS] and two [SEP] need three places");
}

}  // namespace

CHECK_ANSWER() {
  ask("two sentences and padding", {7, 8, 9}, {5, 6}, 10,
      {{1, 7, 8, 9, 2, 5, 6, 2, 0, 0}, {0, 0, 0, 0, 0, 1, 1, 1, 0, 0}});
  ask("other special tokens", {0, 1}, {2, 1, 0}, 9,
      {{11, 0, 1, 12, 2, 1, 0, 12, 13}, {0, 0, 0, 0, 1, 1, 1, 1, 0}}, {11, 12, 13});
  ask("a row that just fits", {7, 8}, {5, 6}, 7, {{1, 7, 8, 2, 5, 6, 2}, {0, 0, 0, 0, 1, 1, 1}});
  ask("an empty first sentence", {}, {5, 6}, 6, {{1, 2, 5, 6, 2, 0}, {0, 0, 1, 1, 1, 0}});
  ask("an empty second sentence", {7, 8}, {}, 6, {{1, 7, 8, 2, 2, 0}, {0, 0, 0, 0, 1, 0}});
  ask("a long first sentence", {7, 8, 9, 10, 11, 12}, {5, 6}, 8,
      {{1, 7, 8, 9, 2, 5, 6, 2}, {0, 0, 0, 0, 0, 1, 1, 1}});
  ask("a long second sentence", {5, 6}, {7, 8, 9, 10, 11, 12}, 8,
      {{1, 5, 6, 2, 7, 8, 9, 2}, {0, 0, 0, 0, 1, 1, 1, 1}});
  ask("two long sentences, an even number of places", {7, 8, 9, 10}, {4, 5, 6}, 9,
      {{1, 7, 8, 9, 2, 4, 5, 6, 2}, {0, 0, 0, 0, 0, 1, 1, 1, 1}});
  ask("equally long, one too many", {7, 8, 9}, {4, 5, 6}, 8,
      {{1, 7, 8, 9, 2, 4, 5, 2}, {0, 0, 0, 0, 0, 1, 1, 1}});
  ask("b longer, both too long", {7, 8, 9, 10}, {3, 4, 5, 6, 4, 3}, 8,
      {{1, 7, 8, 9, 2, 3, 4, 2}, {0, 0, 0, 0, 0, 1, 1, 1}});
  ask("one word in all", {7, 8}, {5, 6}, 4, {{1, 7, 2, 2}, {0, 0, 0, 1}});
  ask("no room for words", {7, 8}, {5}, 3, {{1, 2, 2}, {0, 0, 1}});
  must_throw(2);
  must_throw(0);
}
