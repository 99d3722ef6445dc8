/// @file
/// Chapter 18: a task on two sentences, with BERT's segments and without.
#pragma once

#include "tutorials/18_the_encoder_and_bert/from_labels.h"
#include "tutorials/common/show.h"

namespace reviews {

// [pairs]
/// Pairs of plain reviews: the second review takes the place of the verdict. In turn: two reviews
/// with the same label (0), a blaming and a praising one (1), and the same two exchanged (2).
inline std::vector<Review> draw_pairs(const std::vector<Review>& reviews, Index count,
                                      std::uint64_t seed) {
  std::array<Words, 2> texts;  // blame, praise
  for (const Review& review : reviews) {
    if (review.kind == kPlain) texts[std::size_t(review.label)].push_back(review.text);
  }
  Index draws = 0;
  const auto one_of = [&](const Words& words) {
    return words[std::size_t(uniform_index({seed}, draws++, std::ssize(words)))];
  };
  std::vector<Review> pairs;
  while (std::ssize(pairs) < count) {
    const Words& same = texts[pairs.size() % 2];
    const std::string one = one_of(same), other = one_of(same);
    const std::string blame = one_of(texts[0]), praise = one_of(texts[1]);
    pairs.push_back({one, 0, kPlain, other});
    pairs.push_back({blame, 1, kPlain, praise});
    pairs.push_back({praise, 2, kPlain, blame});
  }
  return pairs;
}

/// Without segments, each token gets the vector of segment 0.
inline Tensor pair_logits(const Bert& model, const Data& data, const std::vector<Review>& pairs,
                          bool segments) {
  const Rows rows = rows_of(pairs, data.tokenizer, true);
  const IndexTensor mask = visible(rows.tokens, true);
  return model.sequence_logits(
      model.features(rows.tokens, mask, segments ? rows.segments : IndexTensor()));
}

/// The share of right labels after learning from `count` pairs.
inline double right_pairs(const Data& data, Index count, std::uint64_t seed, Position position,
                          bool segments) {
  BertConfig config = small_bert(data, position);
  config.layer.max_length = 32;
  Bert model(config, seed);
  model.set_labels(3, seed);
  const std::vector<Review> learned = draw_pairs(data.labelled, count, seed);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 3e-3, .floor = 3e-4, .warmup = 20, .decay = 300};
  train(optimiser, {.steps = 300, .schedule = schedule}, [&](int step) {
    const std::vector<Review> batch = some(learned, 16, key_of(seed, step));
    return cross_entropy(pair_logits(model, data, batch, segments), labels_of(batch));
  });
  const NoGrad no_grad;
  const std::vector<Review> held_out = draw_pairs(data.held_out, 600, 1);
  return accuracy(pair_logits(model, data, held_out, segments), labels_of(held_out));
}
// [pairs]

// [pair_table]
/// One number for each seed. A column has the same pairs and the same initial values.
inline void pairs(const Data& data, int seeds) {
  const Part part("pairs");
  std::printf("right, in percent, at %d seeds\n", seeds);
  for (const Index count : {48, 480}) {
    const auto row = [&](const char* name, Position position, bool segments) {
      std::vector<double> right;
      for (int seed = 1; seed <= seeds; ++seed) {
        right.push_back(right_pairs(data, count, std::uint64_t(seed), position, segments));
      }
      print_seeds(std::to_string(count) + " pairs, " + name, right);
    };
    row("segments and positions", Position::kLearned, true);
    row("positions alone", Position::kLearned, false);
    row("segments alone", Position::kNone, true);
    row("neither", Position::kNone, false);
  }
}
// [pair_table]

}  // namespace reviews
