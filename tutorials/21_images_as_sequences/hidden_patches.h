/// @file
/// Chapter 21: hidden patches that a model draws, and the gain from such training with few labels.
#pragma once

#include "tutorials/21_images_as_sequences/exercises/6_masked/answer.cpp"  // needs no labels
#include "tutorials/21_images_as_sequences/seeds.h"

// [masked]
/// Hides half of the patches, with the answer to exercise 21.6, and lets a model draw them.
inline MaskedAutoencoder learn_masked(const Data& data, int steps, std::uint64_t seed) {
  MaskedAutoencoder model(config_of(4), seed);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const RandomKey key{.seed = seed, .step = static_cast<std::uint32_t>(step)};
    return hidden_error(model, random_digits(data.train, 8, key).images, hide(8, 16, 8, key));
  });
  return model;
}

inline void masked(const Data& data) {
  const MaskedAutoencoder model = learn_masked(data, 1000, 1);
  const NoGrad no_grad;
  const Tensor& images = data.held_out.images;
  const Tensor hidden = hide(images.size(0), 16, 8, {.seed = 9});
  show_masked(images, hidden, completed(model, images, hidden), mean(data.train.images, 0),
              {first_of_each(data.held_out)[2], first_of_each(data.held_out)[6]});
}
// [masked]

// [labels]
/// The errors of five masked autoencoders, mean and range. Returns the models of 10000 steps.
inline std::vector<MaskedAutoencoder> masked_long(const Data& data) {
  const Part part("masked");
  const Tensor& images = data.held_out.images;
  const Tensor hidden = hide(images.size(0), 16, 8, {.seed = 9});
  std::vector<MaskedAutoencoder> models;
  for (const int steps : {1000, 10000}) {
    models.clear();
    double mean = 0, least = 1, most = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      models.push_back(learn_masked(data, steps, seed));
      const NoGrad no_grad;
      const double error = hidden_error(models.back(), images, hidden).item();
      mean += error / 5, least = std::min(least, error), most = std::max(most, error);
    }
    std::printf("after %5d steps: %.3f, %.3f to %.3f\n", steps, mean, least, most);
  }
  return models;
}

/// Makes a classifier with copies of a masked autoencoder's embedding, positions and blocks: copied
/// tensors would be handles to the same numbers. Class token and head are new.
inline VisionTransformer classifier_of(const MaskedAutoencoder& from, std::uint64_t seed) {
  VisionTransformer model(config_of(4), seed);
  model.embed = from.embed, model.encoder.norm = from.encoder.norm;
  model.encoder.layers = from.encoder.layers;
  Tensor& positions = model.encoder.positions.weight;
  positions = concat({slice(positions, 0, 0, 1), from.encoder.positions.weight}, 0);
  visit_parameters(model, [](const std::string&, Tensor& x) {
    x = tensor(x.shape(), std::vector<Scalar>(x.begin(), x.end())).set_requires_grad();
  });
  return model;
}

/// Trains with few labels; each seed has other images.
inline void few_labels(const Data& data, const std::vector<MaskedAutoencoder>& models) {
  const Part part("labels");
  std::printf("held out: mean, range        100 labels          1000 labels\n");
  const char* names[] = {"from nothing", "from nothing, 3000 steps", "from hidden patches",
                         "hidden layer of 100"};
  Score scores[4][2];
  for (const int column : {0, 1}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      std::vector<Index> which(column == 0 ? 100 : 1000);
      std::iota(which.begin(), which.end(), Index(1000 * (seed - 1)));
      const Digits few = some_of(data.train, which);
      const auto add = [&](int row, auto model, int steps = 500, double rate = 0.005) {
        learn(model, few, steps, rate, seed);
        scores[row][column].add(percent_right(model, data.held_out));
      };
      KeySequence keys(seed);
      add(0, VisionTransformer(config_of(4), seed));
      add(1, VisionTransformer(config_of(4), seed), 3000);
      add(2, classifier_of(models[seed - 1], seed));
      add(3, HiddenLayer(keys), 500, 0.01);
    }
  }
  for (int row = 0; row < 4; ++row) {
    std::printf("%-27s", names[row]);
    for (const Score& s : scores[row]) {
      std::printf("  %.1f, %.1f to %.1f", s.mean, s.least, s.most);
    }
    std::printf("\n");
    if (row != 2) continue;
    std::printf("... better than both above  ");
    for (const int column : {0, 1}) {
      int better = 0;
      for (int i = 0; i < 5; ++i) {
        better += scores[2][column].seeds[i] >
                  std::max(scores[0][column].seeds[i], scores[1][column].seeds[i]);
      }
      std::printf(" at %d of 5 seeds%s", better, column == 0 ? "    " : "\n");
    }
  }
}
// [labels]
