/// @file
/// Chapter 20: sentiment by a head on the last token, and by a prompt.
#pragma once

#include "tutorials/20_one_model_many_tasks/targets.h"

// [Classifier]
/// GPT-1's way: the features of each text's last token go to a new linear layer.
struct Classifier {
  Classifier(const Gpt& gpt, Index labels, KeySequence& keys)
      : gpt(gpt), head(gpt.config.n_embd, labels, keys) {}
  /// Returns the features [B, C] of the last tokens of B prompts.
  Tensor last_features(const Rows& rows) const {
    Rows texts;
    for (const Row& row : rows) texts.push_back({row.prompt, {kEnd}});
    const IndexTensor inputs = batch_of(texts).inputs;  // [B, T]
    Tokens last;
    for (const Row& row : rows) {
      last.push_back(std::int32_t(std::ssize(last) * inputs.size(1) + std::ssize(row.prompt) - 1));
    }
    const Tensor features = reshape(gpt.features(inputs), {-1, gpt.config.n_embd});  // [B T, C]
    return embedding(IndexTensor({std::ssize(last)}, last), features);
  }
  /// Returns logits [B, labels].
  Tensor operator()(const Rows& rows) const { return head(last_features(rows)); }
  void fields(auto&& f) { f("gpt", gpt), f("head", head); }
  Gpt gpt;
  Linear head;
};
// [Classifier]

inline void parameters_of(const Course& course) {
  const Part part("parameters");
  // [parameters]
  Gpt gpt = new_gpt(course, 1);
  KeySequence keys(1);
  Classifier classifier(gpt, 2, keys);
  std::printf("the GPT    %6d\nits head   %6d\n", int(count(parameters(gpt))),
              int(count(parameters(classifier.head))));
  // [parameters]
}

// [pretrained]
/// Trains a GPT on plain tweets, without their sentiment.
inline Gpt pretrained(const Course& course, int steps, std::uint64_t seed) {
  Gpt model = new_gpt(course, seed);
  learn(model, steps, [&](int step) {
    Rows rows = course.draw({16, 0, 0}, seed, step);
    for (Row& row : rows) row.prompt.pop_back(), row.answer = {kEnd};  // without "Sentiment:"
    const auto [inputs, targets] = batch_of(rows, true);
    return model.loss(inputs, targets);
  });
  return model;
}
// [pretrained]

// [two_ways]
inline IndexTensor labels_of(const Course& course, const Rows& rows) {
  Tokens labels;
  for (const Row& row : rows) labels.push_back(row.answer[0] == course.words.encode("positive")[0]);
  return IndexTensor({std::ssize(rows)}, labels);
}

/// Draws 16 of the first `labelled` tweets.
inline Rows labelled_tweets(const Course& course, Index labelled, std::uint64_t seed, int step) {
  Rows rows;
  for (Index i = 0; i < 16; ++i) {
    const Index which = uniform_index({seed, std::uint32_t(step)}, i, labelled);
    rows.push_back(course.train[kSentiment][which]);
  }
  return rows;
}

/// Trains a copy of the GPT with a new head. Returns the share of held-out tweets that are right.
inline double by_head(const Course& course, Gpt& start, Index labelled, int steps,
                      std::uint64_t seed) {
  KeySequence keys(seed);
  Classifier model(copy_of(start), 2, keys);
  learn(model, steps, [&](int step) {
    const Rows rows = labelled_tweets(course, labelled, seed, step);
    return cross_entropy(model(rows), labels_of(course, rows));
  });
  const NoGrad no_grad;
  const Rows& held_out = course.held_out[kSentiment];
  return accuracy(model(held_out), labels_of(course, held_out));
}

/// Trains a copy of the GPT to write the label. Each batch also has `others` rows of each other
/// task. Returns the share of held-out tweets that are right.
inline double by_prompt(const Course& course, Gpt& start, Index labelled, int steps,
                        std::uint64_t seed, Index others = 0) {
  Gpt model = copy_of(start);
  learn(model, steps, [&](int step) {
    Rows rows = labelled_tweets(course, labelled, seed, step);
    for (const Row& row : course.draw({0, others, others}, seed, step)) rows.push_back(row);
    const auto [inputs, targets] = batch_of(rows);
    return model.loss(inputs, targets);
  });
  return score(model, course.held_out[kSentiment]).exact;
}
// [two_ways]

// [heads]
inline void heads(const Course& course) {
  const Part part("heads");
  Gpt start = pretrained(course, 100, 1);
  const IndexTensor labels = labels_of(course, course.held_out[kSentiment]);
  const double positive = double(std::count(labels.begin(), labels.end(), 1));
  std::printf("always positive  %.2f\n", positive / double(labels.size()));
  std::printf("by a head        %.2f\n", by_head(course, start, 256, 120, 1));
  std::printf("by a prompt      %.2f\n", by_prompt(course, start, 256, 120, 1));
}

inline void long_heads(const Course& course) {
  const Part part("long_heads");
  std::array<Columns, 4> shares;
  shares.fill(Columns(2));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt fresh = new_gpt(course, seed), knowing = pretrained(course, 300, seed);
    for (const std::size_t i : {0, 1}) {
      const Index labelled = i == 0 ? 64 : 256;
      shares[0][i].push_back(by_head(course, fresh, labelled, 200, seed));
      shares[1][i].push_back(by_prompt(course, fresh, labelled, 200, seed));
      shares[2][i].push_back(by_head(course, knowing, labelled, 200, seed));
      shares[3][i].push_back(by_prompt(course, knowing, labelled, 200, seed));
    }
  }
  print_heads("labelled tweets", {"64", "256"});
  print_row("head, from nothing", shares[0]);
  print_row("prompt, from nothing", shares[1]);
  print_row("head, pre-trained", shares[2]);
  print_row("prompt, pre-trained", shares[3]);
}

/// Makes the two labels' rows of the output layer as large as the weights of a head.
inline Gpt with_large_labels(const Course& course, Gpt& start) {
  Gpt model = copy_of(start);
  const Index wide = model.config.n_embd;
  for (const std::int32_t label : course.words.encode("positive negative")) {
    Scalar* row = model.wte.weight.mutable_data() + label * wide;
    for (Index i = 0; i < wide; ++i) row[i] *= 1 / (Scalar(0.02) * std::sqrt(Scalar(wide)));
  }
  return model;
}

/// What helps a prompt that starts from nothing, with 256 labels?
inline void long_nothing(const Course& course) {
  const Part part("long_nothing");
  std::array<Columns, 4> shares;
  shares.fill(Columns(1));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt fresh = new_gpt(course, seed), large = with_large_labels(course, fresh);
    shares[0][0].push_back(by_prompt(course, fresh, 256, 200, seed));
    shares[1][0].push_back(by_prompt(course, fresh, 2000, 600, seed));
    shares[2][0].push_back(by_prompt(course, fresh, 256, 200, seed, 5));
    shares[3][0].push_back(by_prompt(course, large, 256, 200, seed));
  }
  print_heads("prompt, from nothing", {"right"});
  print_row("256 labels, 200 steps", shares[0]);
  print_row("2000 labels, 600 steps", shares[1]);
  print_row("256, beside other tasks", shares[2]);
  print_row("256, large label rows", shares[3]);
}
// [heads]
