/// @file
/// Chapter 21: what a model without positions reads in shuffled patches, and models with positions
/// in 5s whose rows change places.
#pragma once

#include "tutorials/21_images_as_sequences/learning.h"

// [opening]
/// Prints what both models answer for the 5 at the top of the page, as drawn and shuffled.
inline void opening(const Data& data, const VisionTransformer& model,
                    const VisionTransformer& orderless) {
  const Part part("opening");
  const Opening images(data);
  std::printf("the 5 above          as drawn   shuffled\n");
  const auto show = [&](const char* name, const VisionTransformer& model) {
    std::printf("%-18s", name);
    for (const Tensor& image : {images.five, images.shuffled}) {
      const NoGrad no_grad;
      const Tensor p = softmax(model(image));
      const auto most = std::max_element(p.begin(), p.end());
      std::printf("   %d, %3.0f %%", int(most - p.begin()), 100 * double(*most));
    }
    std::printf("\n");
  };
  show("transformer", model);
  show("without positions", orderless);
}
// [opening]

// [shuffle]
inline void shuffle(const Data& data, const VisionTransformer& orderless) {
  const Part part("shuffle");
  const Digits some = some_of(data.held_out, random_order(100, {5}));
  const Tensor before = orderless(some.images), after = orderless(shuffled(some, 4).images);
  must_equal("without positions, logits before and after the shuffle", before, after, 1e-4);
}
// [shuffle]

// [rows]
/// Prints how models with positions read 5s whose four rows of patches change places: as drawn,
/// with the bottom row first, and in the 22 other orders, on average and at most.
inline void rows_of_fives(const Data& data, const std::vector<VisionTransformer>& models) {
  const Part part("rows");
  std::vector<Index> which, rows = {0, 1, 2, 3};
  for (Index i = 0; i < data.held_out.labels.size(); ++i) {
    if (data.held_out.labels.data()[i] == 5) which.push_back(i);
  }
  const Digits some = some_of(data.held_out, which);
  std::vector<double> as_5, as_2;  // for each order
  do {
    const auto order = [&](Index) {
      std::vector<Index> patches(16);
      for (Index i = 0; i < 16; ++i) patches[i] = rows[i / 4] * 4 + i % 4;
      return patches;
    };
    const Digits moved{with_patches(some.images, 4, order), some.labels};
    double all = 0, fives = 0, twos = 0;
    for (const VisionTransformer& model : models) {
      for (const int guess : guesses_of(model, moved)) {
        ++all, fives += guess == 5, twos += guess == 2;
      }
    }
    as_5.push_back(100 * fives / all), as_2.push_back(100 * twos / all);
  } while (std::next_permutation(rows.begin(), rows.end()));
  const auto show = [](const char* name, double five, double two) {
    std::printf("%-24s %6.0f %% %7.0f %%\n", name, five, two);
  };
  const auto mean = [](const std::vector<double>& of) {
    return std::accumulate(of.begin() + 1, of.end() - 1, 0.0) / double(of.size() - 2);
  };
  const auto most = [](const std::vector<double>& of) {
    return *std::max_element(of.begin() + 1, of.end() - 1);
  };
  std::printf("5s, rows of patches      read as 5      as 2\n");
  show("as drawn", as_5.front(), as_2.front());
  show("bottom row first", as_5.back(), as_2.back());
  show("22 other orders, mean", mean(as_5), mean(as_2));
  show("22 other orders, most", most(as_5), most(as_2));
}
// [rows]
