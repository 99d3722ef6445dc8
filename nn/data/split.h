/// @file
/// A seeded split into training and held-out items, for all data sets of items.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "autograd/check.h"
#include "autograd/ops/random.h"

namespace gradus {

/// @addtogroup data
/// @{

/// The RandomKey::step of divide(). No training run has this many steps.
inline constexpr std::uint32_t kDivisionStep = 0xffff0007;

/// Items to train on, and items held out from training.
template <class Item>
struct DataSplit {
  std::vector<Item> train;     ///< to train on
  std::vector<Item> held_out;  ///< to evaluate on
};

/// Splits items into training and held-out items. Both parts keep the given order.
///
/// Items with the same text stay together. Of the G different texts, round(share G) are held out:
/// the first ones of a permutation(G) with the seed. The text of a translation is its source, so
/// that no source is in both parts.
/// @code
/// const std::vector<LabelledText> items = {{"one", 0}, {"two", 1}, {"one", 1}, {"three", 0}};
/// const auto [train, held_out] = divide(items, &LabelledText::text, 0.34, 1);
/// train.size();     // 2
/// held_out.size();  // 2
/// @endcode
/// @throws std::invalid_argument unless held_out_share is in [0, 1]
template <class Item>
DataSplit<Item> divide(const std::vector<Item>& items, std::string Item::*text,
                       double held_out_share, std::uint64_t seed) {
  detail::check(held_out_share >= 0 && held_out_share <= 1,
                "divide: the held-out share must be in [0, 1], got ", held_out_share);
  std::unordered_map<std::string, std::size_t> groups;  // texts, by first appearance
  for (const Item& item : items) groups.emplace(item.*text, groups.size());
  const auto order =
      permutation(static_cast<Index>(groups.size()), RandomKey{seed, kDivisionStep, 0});
  const auto count = std::llround(held_out_share * static_cast<double>(groups.size()));
  std::vector<bool> held(groups.size());
  for (long long i = 0; i < count; ++i) {
    held[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;
  }
  DataSplit<Item> parts;
  for (const Item& item : items) {
    (held[groups.at(item.*text)] ? parts.held_out : parts.train).push_back(item);
  }
  return parts;
}

/// @}

}  // namespace gradus
