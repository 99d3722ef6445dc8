/// @file
/// Compares layers with dropout. Include it after a header of pocket that has Training.
#pragma once

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
