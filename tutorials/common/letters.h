/// @file
/// Draws rows of the task that the checks of chapters 12 and 13 train on.
#pragma once

#include "tutorials/pocket/text.h"

namespace course {

/// Draws rows of letters, each one of 8. The target is the letter before; the first has none, -100.
inline pocket::Batch letter_before(pocket::Index rows, pocket::Index length,
                                   const pocket::RandomKey& key) {
  pocket::Tokens inputs, targets;
  for (pocket::Index i = 0; i < rows * length; ++i) {
    targets.push_back(i % length > 0 ? inputs.back() : -100);
    inputs.push_back(static_cast<std::int32_t>(pocket::uniform_index(key, i, 8)));
  }
  return {pocket::IndexTensor({rows, length}, inputs),
          pocket::IndexTensor({rows, length}, targets)};
}

}  // namespace course
