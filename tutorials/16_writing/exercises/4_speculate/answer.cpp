// Each round: draft, check all drafts in one step, keep as many as agree, and cut both caches.
#include "tutorials/16_writing/exercises.h"

/// The probability that the small model gives too little of.
Shares missing(const Shares& large, const Shares& small) {
  Shares left;
  for (std::size_t i = 0; i < large.size(); ++i) left.push_back(std::max(large[i] - small[i], 0.0));
  return left;
}

Tokens speculate(Reader& large, Reader& small, const Tokens& prompt, Index count, Index ahead,
                 const std::function<double()>& draw) {
  Tokens text = prompt, for_large = prompt, for_small = prompt;  // not read yet
  while (std::ssize(text) < std::ssize(prompt) + count) {
    Tokens drafts;
    std::vector<Shares> guessed;
    for (Index i = 0; i < ahead; ++i) {
      guessed.push_back(small.step(for_small).back());
      drafts.push_back(choose(guessed.back(), draw()));
      for_small = {drafts.back()};
    }
    for_large.insert(for_large.end(), drafts.begin(), drafts.end());
    std::vector<Shares> right = large.step(for_large);
    right.erase(right.begin(), right.end() - ahead - 1);  // the first judges the first draft
    std::size_t kept = 0;
    std::int32_t next = -1;
    while (next < 0 && kept < drafts.size()) {
      const auto d = static_cast<std::size_t>(drafts[kept]);
      if (draw() * guessed[kept][d] < right[kept][d]) {
        text.push_back(drafts[kept++]);
      } else {
        next = choose(missing(right[kept], guessed[kept]), draw());
      }
    }
    const Index agreed = std::ssize(text);
    for_small = {};
    if (next < 0) {  // the small model has not read its last draft
      next = choose(right.back(), draw());
      for_small = {text.back()};
    }
    large.cut(agreed), small.cut(agreed - std::ssize(for_small));
    text.push_back(next), for_small.push_back(next), for_large = {next};
  }
  return {text.begin() + std::ssize(prompt), text.end()};
}
