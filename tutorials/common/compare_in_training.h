/// @file
/// Compares layers with dropout.
#pragma once

#if __has_include("pocket/learn.h")
#include "pocket/learn.h"
#else
#include "tutorials/pocket/learn.h"
#endif
#include "tutorials/common/compare.h"

/// The same as compare(), in training: both drop the same numbers.
template <class Leaves, class Mine, class Right>
void compare_in_training(const std::string& what, const Leaves& leaves, const Mine& mine,
                         const Right& right) {
  const auto in_training = [](const auto& f) {
    return [&] {
      const pocket::Training training(1, 2);
      return f();
    };
  };
  compare(what + ", in training", leaves, in_training(mine), in_training(right));
}
