/// @file
/// Chapter 21: which patches' positions become similar.
#pragma once

#include "tutorials/21_images_as_sequences/other_images.h"
#include "tutorials/21_images_as_sequences/seeds.h"

// [similar]
/// The cosines of the angles between the learned vectors of any two patches' positions, [N, N].
inline Tensor similarities(const VisionTransformer& model) {
  const Tensor& all = model.encoder.positions.weight;  // [N + 1, C]
  const Tensor p = slice(all, 0, 1, all.size(0));      // without the class token's
  const Tensor unit = p / sqrt(sum(p * p, -1, {.keepdim = true}));
  return matmul(unit, unit, {.b = true});
}

/// Keeps the similarities of each trained model.
inline auto keep(std::vector<Grid>& all) {
  return [&](const VisionTransformer& model) { all.push_back(similarities(model)); };
}
// [similar]

// [neighbours]
/// `trained`: the similarities of five models after 1000 steps.
inline void neighbours(const std::vector<Grid>& trained) {
  std::vector<Grid> at_first, in_middle;  // one of each seed
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    at_first.push_back(similarities(transformer(4)(seed)));
  }
  {
    const Part part("neighbours");
    print_neighbours({{"before training", at_first}, {"after training", trained}});
  }
  const Part part("in_middle");
  const Data middle{draw_digits(0, 6000, true), draw_digits(6000, 1000, true)};
  print_row("in the middle, 1000 steps",
            {five_seeds({middle}, 0.005, transformer(4), 1000, keep(in_middle))});
  std::printf("\n");
  print_neighbours({{"digits in the middle", in_middle}});
}
// [neighbours]

// [fixed]
/// The same, with the patches of all images shuffled in one order.
inline void fixed_order(const Data& data) {
  const Part part("fixed");
  const std::vector<Index> order = random_order(16, {.seed = 2});
  std::vector<Grid> similar;  // one of each seed
  print_row("one fixed order, 1000 steps",
            {five_seeds({reordered(data, 4, order)}, 0.005, transformer(4), 1000, keep(similar))});
  std::printf("\n");
  print_neighbours({{"in one fixed order", similar}}, {order.begin(), order.end()});
}
// [fixed]
