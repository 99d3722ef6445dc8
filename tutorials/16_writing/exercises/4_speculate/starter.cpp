// Exercise 16.4, 45 minutes: a small model drafts, a large one decides.
//
// Until there are `count` new tokens: the small model drafts `ahead` of them, one step() each. The
// large model reads the drafts in one step(). Keep drafts from the first on, by the rule on the
// page. Replace the first draft that is rejected, and drop the drafts after it. If all are kept,
// the large model's last row is for the token after them: draw one more token from it.
//
// Before the next round, cut() both readers: neither may have read a token that is not in the text.
// Each reader then first reads the part of the text that it has not read, which is at least the
// last token. choose() of exercises.h draws from shares. Return the new tokens.
#include "tutorials/16_writing/exercises.h"

Tokens speculate(Reader& large, Reader& small, const Tokens& prompt, Index count, Index ahead,
                 const std::function<double()>& draw) {
  return {};
}
