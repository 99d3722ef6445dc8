/// @file
/// Chapter 21: the loop, how right answers are counted, and the models to beat.
#pragma once

#include "tutorials/21_images_as_sequences/patches.h"

// [learn]
/// Chapter 06's loop, with 16 images in each step.
template <class Model>
void learn(Model& model, const Digits& digits, int steps, double rate, std::uint64_t seed) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = rate, .floor = rate / 10, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const Digits batch = random_digits(digits, 16, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(batch.images), batch.labels);
  });
}
// [learn]

// [models]
/// Returns a model's predictions for all images.
template <class Model>
std::vector<int> guesses_of(const Model& model, const Digits& some) {
  const NoGrad no_grad;
  std::vector<int> guesses;
  const Index count = some.labels.size();
  for (Index first = 0; first < count; first += 100) {
    const Index last = std::min(first + 100, count);
    const IndexTensor next = argmax(model(slice(some.images, 0, first, last)), -1);
    guesses.insert(guesses.end(), next.begin(), next.end());
  }
  return guesses;
}

template <class Model>
double percent_right(const Model& model, const Digits& some) {
  const std::vector<int> guesses = guesses_of(model, some);
  double right = 0;
  for (Index i = 0; i < some.labels.size(); ++i) right += guesses[i] == some.labels.data()[i];
  return 100 * right / double(some.labels.size());
}

/// Ten weighted sums of the pixels: the baseline of all other models.
struct LinearClassifier {
  LinearClassifier(KeySequence& keys) : map(kSide * kSide, 10, keys) {}
  Tensor operator()(const Tensor& images) const {
    return map(reshape(images, {images.size(0), -1}));
  }
  void fields(auto&& f) { f("map", map); }
  Linear map;
};

/// Like chapter 03's network, but with GELU: about as many parameters as the transformer, and no
/// patches.
struct HiddenLayer {
  HiddenLayer(KeySequence& keys, Index pixels = kSide * kSide, Index labels = 10)
      : up(pixels, 100, keys), down(100, labels, keys) {}
  Tensor operator()(const Tensor& images) const {
    return down(gelu(up(reshape(images, {images.size(0), -1}))));
  }
  void fields(auto&& f) { f("up", up), f("down", down); }
  Linear up, down;
};

/// The same images, each with its patches in another random order.
inline Digits shuffled(const Digits& some, Index patch) {
  const auto order = [&](Index image) {
    return random_order(kSide / patch * (kSide / patch), {3, static_cast<std::uint32_t>(image)});
  };
  return {with_patches(some.images, patch, order), some.labels};
}
// [models]
