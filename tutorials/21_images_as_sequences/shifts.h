/// @file
/// Chapter 21: images that are shifted in training, and at test time.
#pragma once

#include "tutorials/21_images_as_sequences/seeds.h"

// [shifts]
/// Each image moved right and down by shift(image), in pixels. Paper comes in.
inline Tensor moved(const Tensor& images, const auto& shift) {
  Tensor result(images.shape());
  for (Index image = 0; image < images.size(0); ++image) {
    const auto [right, down] = shift(image);
    const Scalar* from = images.data() + image * kSide * kSide;
    Scalar* to = result.mutable_data() + image * kSide * kSide;
    for (Index i = 0; i < kSide * kSide; ++i) {
      const Index y = i / kSide - down, x = i % kSide - right;
      const bool inside = y >= 0 && y < kSide && x >= 0 && x < kSide;
      to[i] = inside ? from[y * kSide + x] : 0;
    }
  }
  return result;
}

/// The images, each shifted at random by -2 to 2 pixels across and down.
inline Tensor at_random(const Tensor& images, const RandomKey& key) {
  return moved(images, [&](Index image) {
    return std::pair(uniform_index(key, 2 * image, 5) - 2,
                     uniform_index(key, 2 * image + 1, 5) - 2);
  });
}

/// A model that reads each image in nine places, shifted by -1, 0 and 1 pixels across and down. It
/// answers with the mean of its probabilities.
template <class Model>
struct Averaged {
  Tensor operator()(const Tensor& images) const {
    Tensor mean = zeros({images.size(0), 10});
    for (Index i = 0; i < 9; ++i) {
      const auto shift = [&](Index) { return std::pair(i % 3 - 1, i / 3 - 1); };
      mean = mean + softmax(model(moved(images, shift))) / Scalar(9);
    }
    return mean;
  }
  const Model& model;
};

/// Trains five models for 3000 steps, on the images as drawn or with random shifts. Each is tested
/// on held-out images, as drawn and shifted, each read once and as the mean of nine.
template <class Make>
void print_shifts(const char* name, const Data& data, double rate, const Make& make) {
  const Digits drawn = data.held_out;
  const Digits shifted{at_random(drawn.images, {.seed = 8}), drawn.labels};
  for (const bool shifts : {false, true}) {
    Score scores[4];
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      auto model = make(seed);
      AdamW optimiser(parameters(model), {});
      const Schedule schedule{.rate = rate, .floor = rate / 10, .warmup = 50, .decay = 3000};
      train(optimiser, {.steps = 3000, .schedule = schedule}, [&](int step) {
        const RandomKey key{seed, static_cast<std::uint32_t>(step)};
        const Digits batch = random_digits(data.train, 16, key);
        const RandomKey other{seed + 100, key.step};
        return cross_entropy(model(shifts ? at_random(batch.images, other) : batch.images),
                             batch.labels);
      });
      const Averaged<decltype(model)> averaged{model};
      scores[0].add(percent_right(model, drawn)), scores[1].add(percent_right(averaged, drawn));
      scores[2].add(percent_right(model, shifted)), scores[3].add(percent_right(averaged, shifted));
    }
    std::printf("%-21s", shifts ? "... trained shifted" : name);
    for (const Score& s : scores) std::printf("  %.1f, %.1f to %.1f", s.mean, s.least, s.most);
    std::printf("\n");
  }
}

inline void shifts(const Data& data) {
  const Part part("shifts");
  std::printf("3000 steps            as drawn: once      mean of nine        shifted: once       ");
  std::printf("mean of nine\n");
  print_shifts("hidden layer of 100", data, 0.01, [](std::uint64_t seed) {
    KeySequence keys(seed);
    return HiddenLayer(keys);
  });
  for (const Index patch : {8, 4, 2}) {
    const std::string name = "patches of " + std::to_string(patch);
    print_shifts(name.c_str(), data, 0.005, transformer(patch));
  }
}
// [shifts]
