// Exercise 16.4, 45 minutes: a small model drafts, a large one decides.
//
// Until there are `count` new tokens: the small model drafts `ahead` of them, one step() each. The
// large model reads them in one step(). Keep drafts from the first on, as the page says; the first
// that is rejected is replaced, and those after it are dropped. If all are kept, the large model
// has already said what may come next: draw one token more.
//
// Both readers must have read the same text when the next round begins, but for its last token:
// cut() what they read too much. Each needs its last token when it steps. Return the new tokens.
#include "tutorials/16_writing/exercises.h"

Tokens speculate(Reader& large, Reader& small, const Tokens& prompt, Index count, Index ahead,
                 const std::function<double()>& draw) {
  return {};
}
