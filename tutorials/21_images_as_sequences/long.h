/// @file
/// Chapter 21: the runs of `--long`, five seeds each.
#pragma once

#include "tutorials/21_images_as_sequences/attention.h"
#include "tutorials/21_images_as_sequences/hidden_patches.h"
#include "tutorials/21_images_as_sequences/shifts.h"
#include "tutorials/21_images_as_sequences/similar_positions.h"
#include "tutorials/21_images_as_sequences/size_of_a_word.h"
#include "tutorials/21_images_as_sequences/without_positions.h"

// [order]
/// All that `--long` prints.
inline void long_run(const Data& data) {
  const auto linear = [](std::uint64_t seed) {
    KeySequence keys(seed);
    return LinearClassifier(keys);
  };
  const auto hidden = [](std::uint64_t seed) {
    KeySequence keys(seed);
    return HiddenLayer(keys);
  };
  std::vector<Grid> similar;       // one of each seed, after 1000 steps
  std::vector<int> with, without;  // predictions of five models, with positions and without
  const auto read = [&](std::vector<int>& all) {
    return [&](const VisionTransformer& model) {
      const std::vector<int> guesses = guesses_of(model, data.held_out);
      all.insert(all.end(), guesses.begin(), guesses.end());
    };
  };
  {
    const Part part("long");
    print_head();
    print_both("linear", {data}, 0.03, linear);
    print_both("hidden layer of 100", {data}, 0.01, hidden);
    print_both("patches of 8", {data}, 0.005, transformer(8));
    print_both("patches of 8, no positions", {data}, 0.005, transformer(8, Position::kNone));
    print_row("patches of 4", {five_seeds({data}, 0.005, transformer(4), 1000, keep(similar)),
                               five_seeds({data}, 0.005, transformer(4), 3000, read(with))});
    print_row("patches of 4, no positions",
              {five_seeds({data}, 0.005, transformer(4, Position::kNone)),
               five_seeds({data}, 0.005, transformer(4, Position::kNone), 3000, read(without))});
    print_both("patches of 2", {data}, 0.005, transformer(2));
    print_row("patches of 2, no positions",
              {five_seeds({data}, 0.005, transformer(2, Position::kNone))}, "  not run");
  }
  // [order]
  {
    const Part part("by_digit");
    // [by_digit]
    const IndexTensor& labels = data.held_out.labels;
    print_confusions({labels.begin(), labels.end()}, with, without);
    // [by_digit]
  }
  // [others]
  const Data rolling = rolled(data);
  const std::vector<Data> cuts = random_cuts(data);
  places(data, rolling, cuts);
  {
    const Part part("other_images");
    print_head();
    print_both("rolled, hidden layer of 100", {rolling}, 0.01, hidden);
    print_both("rolled, patches of 8", {rolling}, 0.005, transformer(8));
    print_both("... no positions", {rolling}, 0.005, transformer(8, Position::kNone));
    print_both("rolled, patches of 4", {rolling}, 0.005, transformer(4));
    print_both("... no positions", {rolling}, 0.005, transformer(4, Position::kNone));
    print_both("random cut, words of 16", cuts, 0.005, transformer(4));
    print_both("... no positions", cuts, 0.005, transformer(4, Position::kNone));
  }
  neighbours(similar);
  few_labels(data, masked_long(data));
  fixed_order(data);
  ink_of_five(data);
  shifts(data);
}
// [others]
