/// @file
/// Chapter 21: how a patch depends on its place, and the cost of small patches.
#pragma once

#include "tutorials/21_images_as_sequences/seeds.h"

// [places]
/// All patches with ink; the label of each is its place in the image.
inline Digits patches_with_ink(const Tensor& images, Index patch) {
  const Tensor all = patchify(images, patch);
  const Index places = all.size(1), pixels = patch * patch;
  std::vector<Scalar> kept;
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < all.size(0) * places; ++i) {
    const Scalar* first = all.data() + i * pixels;
    if (std::accumulate(first, first + pixels, 0.0) <= 0.15 * double(pixels)) continue;
    kept.insert(kept.end(), first, first + pixels);
    labels.push_back(static_cast<std::int32_t>(i % places));
  }
  const Index count = std::ssize(labels);
  return {tensor({count, patch, patch}, kept), IndexTensor({count}, labels)};
}

/// A network with a hidden layer guesses a patch's place from its pixels alone. Beside it is the
/// share of the most frequent place, which is a guess without looking.
inline void print_places(const char* name, const std::vector<Data>& all, Index patch) {
  const Index pixels = patch * patch, places = kSide * kSide / pixels;
  std::vector<Data> some;
  double most = 0;  // the mean over the data
  for (const Data& data : all) {
    some.push_back({patches_with_ink(data.train.images, patch),
                    patches_with_ink(data.held_out.images, patch)});
    const IndexTensor& labels = some.back().held_out.labels;
    std::vector<double> times(std::size_t(places), 0.0);
    for (const int place : labels) ++times[std::size_t(place)];
    most += 100 * *std::max_element(times.begin(), times.end()) / double(labels.size()) /
            double(all.size());
  }
  const Score s = five_seeds(some, 0.01, [&](std::uint64_t seed) {
    KeySequence keys(seed);
    return HiddenLayer(keys, pixels, places);
  });
  char guessed[40];
  std::snprintf(guessed, sizeof guessed, "%.1f, %.1f to %.1f", s.mean, s.least, s.most);
  std::printf("%-15s%6d   %-23s%17.1f\n", name, int(places), guessed, most);
}

inline void places(const Data& data, const Data& rolling, const std::vector<Data>& cuts) {
  const char* head = "patches of     places   guessed: mean, range   the most frequent\n";
  {
    const Part part("places");
    std::printf("%s", head);
    print_places("8", {data}, 8);
    print_places("4", {data}, 4);
    print_places("2", {data}, 2);
  }
  const Part part("other_places");
  std::printf("%s", head);
  print_places("8, rolled", {rolling}, 8);
  print_places("4, random cut", cuts, 4);
}
// [places]

// [cost]
/// Prints the multiplications of one image's forward pass, in millions: in the linear maps, which
/// grow with the tokens, and in attention's two products, which grow with the pairs of tokens.
inline void print_cost(Index side, Index patch, Index channels, int layers) {
  const double tokens = double(side / patch * (side / patch) + 1), c = double(channels);
  const double maps = layers * tokens * 12 * c * c + double(side * side) * c;
  const double products = layers * 2 * tokens * tokens * c;
  std::printf("%5d %6d %8.0f %14.0f %12.2f %14.2f %8.0f %%\n", int(side), int(patch), tokens,
              tokens * tokens, maps / 1e6, products / 1e6, 100 * products / (maps + products));
}

inline void cost() {
  std::printf(" side  patch   tokens  weights a head    maps, 10^6  products, 10^6  of both\n");
  for (const Index patch : {8, 4, 2, 1}) print_cost(16, patch, 32, 2);
  for (const Index patch : {32, 16, 8, 1}) print_cost(224, patch, 768, 12);  // the paper's Base
}
// [cost]
