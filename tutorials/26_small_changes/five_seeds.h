/// @file
/// Chapter 26: the long run, which measures everything with five seeds.
#pragma once

#include "tutorials/26_small_changes/eight_bits.h"
#include "tutorials/26_small_changes/examples.h"

// [five_seeds]
inline void five_seeds(const Course& course) {
  std::vector<Columns> learned(6), bits, examples, both(4, Columns(3));
  std::array<std::array<std::vector<double>, 7>, 6> curves{};  // [2 loss + answer][step / 10]
  const std::array<Learns, 3> losses = {Learns::kDpo, Learns::kBetter, Learns::kBoth};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt half = new_gpt(course, seed), model = translator(course, seed, half);
    add_row(learned[0], course, model);
    add_row(learned[1], course, learned_with_all(course, model, seed, 5e-3));
    add_row(learned[2], course, learned_with_all(course, model, seed, 1e-3));
    for (const std::size_t i : {3, 4}) {
      Gpt frozen = copy_of(model);
      const Lora lora = learned_with_pairs(course, frozen, i == 3 ? 4 : 1, seed);
      add_row(learned[i], course, frozen);
      lora.put_into(frozen, false);
      if (i == 3) add_row(learned[5], course, frozen);
    }
    add_int8(bits, course, model);
    add_few(examples, course, model);
    const Preferences answers = own_mistakes(half, first_rows(course, 400));
    const Preferences held_out = own_mistakes(half, course.held_out[kTranslation]);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      learn_pairs(half, answers, losses[i], seed, [&](int step, const Gpt& now) {
        const std::array<double, 3> all = measured(course, now, held_out);
        const auto at = std::size_t(step / 10);
        curves[2 * i][at].push_back(all[0]), curves[2 * i + 1][at].push_back(all[1]);
        for (std::size_t k = 0; k < 3; ++k) {
          if (step == 0 && i == 0) both[0][k].push_back(all[k]);
          if (step == 60) both[i + 1][k].push_back(all[k]);
        }
      });
    }
  }
  {
    const Part part("long_learned");
    print_learned({"before", "all numbers", "all, a fifth of the rate", "pairs, rank 4",
                   "pairs, rank 1", "pairs taken off"},
                  learned);
  }
  {
    const Part part("long_bits");
    print_int8_table(bits);
  }
  {
    const Part part("long_preferences");
    const std::array<const char*, 4> names = {"before", "DPO", "better answers alone",
                                              "DPO + better answers"};
    print_heads("after 60 steps", {"ln p: better", "worse", "right"});
    for (std::size_t i = 0; i < 4; ++i) print_row(names[i], both[i], {2, 2, 2});
  }
  {
    const Part part("long_curves");
    std::printf("mean ln p   DPO             better alone    DPO + better\n");
    std::printf("steps       better  worse   better  worse   better  worse\n");
    for (std::size_t step = 0; step < 7; ++step) {
      std::printf("%5zu    ", 10 * step);
      for (const auto& curve : curves) {
        const std::vector<double>& seeds = curve[step];
        std::printf(" %7.2f", std::accumulate(seeds.begin(), seeds.end(), 0.0) / 5);
      }
      std::printf("\n");
    }
  }
  const Part part("long_few");
  print_few(examples);
}
// [five_seeds]
