#include "tutorials/common/check.h"

#include "pocket/tokens.h"

namespace {

using gradus::green, gradus::listed, gradus::red;

void ask(const pocket::Tokens& tokens, const pocket::Pair& pair, std::int32_t merged,
         const pocket::Tokens& expected) {
  const pocket::Tokens got = pocket::merge(tokens, pair, merged);
  if (got == expected) return;
  red("merge ", listed(tokens), " where (", pair.first, ", ", pair.second, ") becomes ", merged,
      ": got ", listed(got), ", expected ", listed(expected));
}

}  // namespace

CHECK_ANSWER() {
  ask({116, 104, 101}, {104, 101}, 256, {116, 256});
  ask({104, 101, 110}, {104, 101}, 256, {256, 110});
  ask({7, 1, 2, 7, 1, 2, 1}, {1, 2}, 300, {7, 300, 7, 300, 1});
  green("a pair at the beginning, in the middle and at the end");
  ask({1, 3, 2, 1, 1}, {1, 2}, 300, {1, 3, 2, 1, 1});
  ask({}, {1, 2}, 300, {});
  ask({5}, {5, 5}, 300, {5});
  green("nothing to merge: the same tokens");
  ask({9, 9, 9}, {9, 9}, 256, {256, 9});
  ask({9, 9, 9, 9}, {9, 9}, 256, {256, 256});
  green("pairs that overlap: from the left");
  ask({1, 2, 2}, {1, 2}, 1, {1, 2});
  ask({2, 1, 1, 2}, {1, 2}, 2, {2, 1, 2});
  green("the new token is not merged again");
  ask({70000, 300, 70000, 300}, {70000, 300}, 70001, {70001, 70001});
  pocket::Tokens long_list, half(4000, 512);
  for (int i = 0; i < 4000; ++i) long_list.push_back(300), long_list.push_back(301);
  ask(long_list, {300, 301}, 512, half);
  green("large tokens, and eight thousand of them");
}
