// Exercise 16.4, 45 minutes: a small model drafts, a large one decides.
//
// Until there are `count` new tokens: the small model drafts `ahead` of them, one step() each. The
// large model reads them in one step(). Keep drafts from the first on, as the page says; the first
// that is rejected is replaced, and those after it are dropped. If all are kept, the large model
// has already said what may come next: draw one token more.
//
// When the next round begins, neither reader may have read what is not in the text: cut() it. What
// a reader has not read of the text, at least its last token, it reads first. choose() of
// exercises.h draws from shares. Return the new tokens.
#include "tutorials/16_writing/exercises.h"

Tokens speculate(Reader& large, Reader& small, const Tokens& prompt, Index count, Index ahead,
                 const std::function<double()>& draw) {
  return {};
}
