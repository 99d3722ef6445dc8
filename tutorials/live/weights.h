/// @file
/// The parameters of a model as numbers: a piece's model is trained natively when pages are made,
/// and not in the reader's browser.
#pragma once

#include "live/live.h"
#include "pocket/learn.h"

namespace live {

/// All parameters of a model, in the order of its fields.
inline Numbers weights_of(auto& model) {
  Numbers weights;
  for (const auto& [name, x] : pocket::parameters(model))
    weights.insert(weights.end(), x.begin(), x.end());
  return weights;
}

/// The reverse, from number `first` on.
inline void set_weights(auto& model, const Numbers& weights, std::size_t first = 0) {
  for (auto& [name, x] : pocket::parameters(model)) {
    for (pocket::Index i = 0; i < x.size(); ++i) {
      x.mutable_data()[i] = static_cast<pocket::Scalar>(weights.at(first++));
    }
  }
}

}  // namespace live
