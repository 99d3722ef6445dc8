/// @file
/// Chapter 21: the same digits with their patches or pixels reordered, or rolled.
#pragma once

#include "tutorials/21_images_as_sequences/patches.h"

// [cut]
/// Puts the patches of all images into one order.
inline Data reordered(const Data& data, Index patch, const std::vector<Index>& order) {
  const auto same = [&](Index) { return order; };
  Data result = data;
  result.train.images = with_patches(data.train.images, patch, same);
  result.held_out.images = with_patches(data.held_out.images, patch, same);
  return result;
}

/// Puts the pixels into a random order, another for each of five seeds: patches of 1 are pixels.
inline std::vector<Data> random_cuts(const Data& data) {
  std::vector<Data> cuts;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    cuts.push_back(reordered(data, 1, random_order(kSide * kSide, {.seed = 10 + seed})));
  }
  return cuts;
}
// [cut]

// [rolled]
/// Moves each image by random numbers of pixels, to the left and up. Pixels that leave it come in
/// on the other side.
inline Data rolled(const Data& data) {
  const auto roll = [](std::uint64_t seed) {
    return [=](Index image) {
      const RandomKey key{seed, static_cast<std::uint32_t>(image)};
      const Index left = uniform_index(key, 0, kSide), up = uniform_index(key, 1, kSide);
      std::vector<Index> from(kSide * kSide);
      for (Index i = 0; i < kSide * kSide; ++i) {
        from[i] = (i / kSide + up) % kSide * kSide + (i + left) % kSide;
      }
      return from;
    };
  };
  Data result = data;
  result.train.images = with_patches(data.train.images, 1, roll(6));
  result.held_out.images = with_patches(data.held_out.images, 1, roll(7));
  return result;
}
// [rolled]
