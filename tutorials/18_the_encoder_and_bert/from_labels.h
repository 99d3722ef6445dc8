/// @file
/// Chapter 18: classifiers that learn from labels, and their use of word order.
#pragma once

#include <cstdio>

#include "pocket/bert.h"
#include "tutorials/18_the_encoder_and_bert/figures.h"
#include "tutorials/18_the_encoder_and_bert/reviews.h"
#include "tutorials/common/part.h"

namespace reviews {

using namespace course;

// [data]
/// Three sets of the same distribution, which share no text: the kinds in turn, and in each kind
/// all texts of the grammar equally probable. None of the sets has a review of kAsked.
struct Data {
  std::vector<Kind> kinds = {kPlain, kContrast, kShifting};
  std::vector<Review> all = shuffled_reviews(kAsked, 1);
  std::vector<Review> held_out = {all.begin(), all.begin() + 450};
  std::vector<Review> labelled = {all.begin() + 450, all.begin() + 950};
  std::vector<Review> texts = {all.begin() + 950, all.end()};  // with their verdicts
  WordTokenizer tokenizer = WordTokenizer::learn(texts);
};
// [data]

inline RandomKey key_of(std::uint64_t seed, int step) { return {seed, std::uint32_t(step)}; }

// [small_bert]
/// Two blocks of 32 channels, with pre-norm and a last norm.
inline BertConfig small_bert(const Data& data, Position position = Position::kLearned) {
  BertConfig config{.vocab_size = std::ssize(data.tokenizer.names), .n_layer = 2};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = position};
  config.layer.max_length = 16;
  return config;
}
// [small_bert]

// [visible]
/// For both sides, hides only padding. For the left side only, hides all later positions.
inline IndexTensor visible(const IndexTensor& tokens, bool both) {
  return both ? padding_mask(tokens, kPad) : causal_mask(tokens.size(1), tokens.size(1));
}
// [visible]

// [learn_labels]
/// The classifier reads the vector at this token, or the mean over all tokens except padding.
struct Read {
  std::int32_t token = kCls;
  bool mean = false;
  bool both = true;  // the model sees both sides
};

inline Tensor label_logits(const Bert& model, const Data& data, const std::vector<Review>& reviews,
                           const Read& read = {}) {
  const auto [tokens, segments] = rows_of(reviews, data.tokenizer, false);
  const Tensor features = model.features(tokens, visible(tokens, read.both), segments);
  if (read.token == kCls && !read.mean) return model.sequence_logits(features);
  const Index rows = tokens.size(0), length = tokens.size(1);
  Tensor shares({rows, 1, length});  // the weight of each position
  for (Index row = 0; row < rows; ++row) {
    const std::int32_t* first = tokens.data() + row * length;
    const auto chosen = [&](std::int32_t x) { return read.mean ? x != kPad : x == read.token; };
    const Scalar count = Scalar(std::count_if(first, first + length, chosen));
    for (Index t = 0; t < length; ++t) {
      if (chosen(first[t])) shares.mutable_data()[row * length + t] = 1 / count;
    }
  }
  return model.sequence_logits(matmul(shares, features));
}

/// Trains a new classifier and the whole model, on 16 reviews a step.
inline void learn_labels(Bert& model, const Data& data, const std::vector<Review>& reviews,
                         std::uint64_t seed, int steps = 300, const Read& read = {}) {
  model.set_labels(2, seed);
  std::vector<NamedTensor> learning = parameters(model);
  std::erase_if(learning, [](const NamedTensor& x) { return !x.tensor.requires_grad(); });
  AdamW optimiser(learning, {});
  const Schedule schedule{.rate = 3e-3, .floor = 3e-4, .warmup = 20, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const std::vector<Review> batch = some(reviews, 16, key_of(seed, step));
    return cross_entropy(label_logits(model, data, batch, read), labels_of(batch));
  });
}
// [learn_labels]

// [bag]
/// Counts of words: [B, V].
inline Tensor counts_of(const std::vector<Review>& reviews, const WordTokenizer& tokenizer) {
  const Index vocab_size = std::ssize(tokenizer.names);
  Tensor counts({std::ssize(reviews), vocab_size});
  for (std::size_t i = 0; i < reviews.size(); ++i) {
    for (const std::int32_t token : tokenizer.encode(reviews[i].text)) {
      counts.mutable_data()[Index(i) * vocab_size + token] += 1;
    }
  }
  return counts;
}

/// Counts to logits. Without hidden channels, each word has one number for each label.
struct Bag {
  Bag(const Data& data, Index hidden, std::uint64_t seed) {
    KeySequence keys(seed);
    const Index vocab_size = std::ssize(data.tokenizer.names);
    if (hidden > 0) first = Linear(vocab_size, hidden, keys);
    last = Linear(hidden > 0 ? hidden : vocab_size, 2, keys);
  }
  Tensor operator()(const Tensor& counts) const {
    return last(first.weight.defined() ? relu(first(counts)) : counts);
  }
  void fields(auto&& f) { f("first", first), f("last", last); }
  Linear first, last;
};

inline Bag bag_of_words(const Data& data, const std::vector<Review>& reviews, Index hidden = 0,
                        std::uint64_t seed = 1) {
  Bag bag(data, hidden, seed);
  const Tensor counts = counts_of(reviews, data.tokenizer);
  AdamW optimiser(parameters(bag), {});
  const Schedule schedule{.rate = 0.05, .floor = 0.005, .warmup = 10, .decay = 200};
  train(optimiser, {.steps = 200, .schedule = schedule},
        [&](int) { return cross_entropy(bag(counts), labels_of(reviews)); });
  return bag;
}
// [bag]

// [by_group]
/// Replaces each noun by its topic's first noun, and each shifting quality by its group's first.
inline std::vector<Review> by_group(std::vector<Review> reviews) {
  std::map<std::string, std::string> first;
  for (const auto& lists : {kNouns, kShiftingQualities}) {
    for (const Words& words : lists) {
      for (const std::string& word : words) first[word] = words[0];
    }
  }
  for (Review& review : reviews) {
    const Words words = WordTokenizer::words_of(review.text);
    review.text.clear();
    for (const std::string& word : words) {
      review.text += (first.contains(word) ? first[word] : word) + " ";
    }
  }
  return reviews;
}
// [by_group]

// [measure]
/// Appends the share of right labels among the held-out reviews of each kind.
inline void measure(const Tensor& logits, const Data& data, Shares& shares) {
  double right[3] = {}, all[3] = {};
  const IndexTensor said = argmax(logits, -1);
  for (std::size_t i = 0; i < data.held_out.size(); ++i) {
    const Review& review = data.held_out[i];
    right[review.kind] += said.data()[i] == review.label, ++all[review.kind];
  }
  for (const Kind kind : data.kinds) shares[kind].push_back(right[kind] / all[kind]);
}
// [measure]

// [siblings]
/// Held-out contrasts: the share of right labels if a labelled review has the same counts, and if
/// none has.
inline std::array<int, 2> measure_siblings(const Tensor& logits, const Data& data,
                                           std::vector<double>& with,
                                           std::vector<double>& without) {
  const auto sorted = [](const Review& review) {
    Words words = WordTokenizer::words_of(review.text);
    std::ranges::sort(words);
    return words;
  };
  std::set<Words> labelled;
  for (const Review& review : data.labelled) labelled.insert(sorted(review));
  const IndexTensor said = argmax(logits, -1);
  double right[2] = {}, all[2] = {};
  for (std::size_t i = 0; i < data.held_out.size(); ++i) {
    const Review& review = data.held_out[i];
    if (review.kind != kContrast) continue;
    const bool known = labelled.contains(sorted(review));
    right[known] += said.data()[i] == review.label, ++all[known];
  }
  with.push_back(right[1] / all[1]), without.push_back(right[0] / all[0]);
  return {int(all[1]), int(all[0])};
}
// [siblings]

// [copy]
/// A copy with its own numbers: copied tensors are handles to the same numbers.
inline Bert copy_of(const Bert& model) {
  Bert copy = model;
  visit_parameters(copy, [](const std::string&, Tensor& x) {
    x = tensor(x.shape(), {x.begin(), x.end()}).set_requires_grad();
  });
  return copy;
}
// [copy]

// [heads_off]
/// The model with a head of its first block switched off: this head's D rows of W^o are 0.
inline Bert without_head(const Bert& model, Index head) {
  Bert copy = copy_of(model);
  MultiHeadAttention& attention = copy.encoder.layers[0].attn;
  Tensor& rows = attention.output.weight;  // [H D, C]
  const Index size = rows.size() / attention.num_heads;
  std::fill_n(rows.mutable_data() + head * size, size, Scalar(0));
  return copy;
}
// [heads_off]

// [order]
/// Measures how models use the order of words, at this number of seeds.
inline void order(const Data& data, int seeds) {
  Shares bag, hidden, without, with;
  std::vector<double> with_sibling, without_sibling;
  std::array<int, 2> siblings = {};
  std::array<Shares, 4> without_head_of;
  measure(bag_of_words(data, data.labelled)(counts_of(data.held_out, data.tokenizer)), data, bag);
  for (int seed = 1; seed <= seeds; ++seed) {
    const Bag with_hidden = bag_of_words(data, data.labelled, 32, std::uint64_t(seed));
    const Tensor logits = with_hidden(counts_of(data.held_out, data.tokenizer));
    measure(logits, data, hidden);
    siblings = measure_siblings(logits, data, with_sibling, without_sibling);
    Bert deaf(small_bert(data, Position::kNone), std::uint64_t(seed));
    learn_labels(deaf, data, data.labelled, std::uint64_t(seed), 600);
    measure(label_logits(deaf, data, data.held_out), data, without);
    Bert model(small_bert(data), std::uint64_t(seed));
    learn_labels(model, data, data.labelled, std::uint64_t(seed), 600);
    measure(label_logits(model, data, data.held_out), data, with);
    for (Index head = 0; head < 4; ++head) {
      const Bert copy = without_head(model, head);
      measure(label_logits(copy, data, data.held_out), data, without_head_of[std::size_t(head)]);
    }
  }
  {
    const Part part("order_long");
    print_head("right, in percent");
    print_shares("bag of words", bag);
    print_shares("bag, two layers", hidden);
    print_shares("encoder without positions", without);
    print_shares("encoder", with);
  }
  {
    const Part part("siblings");
    std::printf("contrasts held out, bag with two layers, right in percent\n");
    print_shares(std::to_string(siblings[0]) + " with labelled counts", {with_sibling});
    print_shares(std::to_string(siblings[1]) + " others", {without_sibling});
  }
  const Part part("heads_long");
  std::printf("encoder, right in contrasts, in percent, without a head of the first block\n");
  print_seeds("none", with[kContrast]);
  for (std::size_t head = 0; head < 4; ++head) {
    print_seeds("head " + std::to_string(head + 1), without_head_of[head][kContrast]);
  }
}
// [order]

// [same_words]
/// Trains a bag and an encoder on all labels, and tests two reviews that are in no set. At seed 5
/// the answers do not depend on rounding; at seed 1 they do.
inline Bert same_words(const Data& data) {
  const Bag bag = bag_of_words(data, data.labelled);
  Bert model(small_bert(data), 5);
  learn_labels(model, data, data.labelled, 5, 600);
  const auto ask = [&](const std::string& text) {
    const Tensor by_bag = softmax(bag(counts_of({{text, 0}}, data.tokenizer)));
    const Tensor by_model = softmax(label_logits(model, data, {{text, 0}}));
    std::printf("%-43s %14.2f %9.2f\n", text.c_str(), double{by_bag.data()[1]},
                double{by_model.data()[1]});
  };
  const Part part("same_words");
  std::printf("                                              bag of words   encoder\n");
  ask("the soup was stale but the bread was lovely");
  ask("the bread was lovely but the soup was stale");
  return model;
}
// [same_words]

// [heads]
/// Prints the encoder's answers without each head of its first block.
inline void heads(const Bert& model, const Data& data) {
  const Part part("heads");
  std::vector<Review> asked;
  for (const auto text : {"the soup was stale but lovely", "the soup was stale although lovely",
                          "the soup was lovely but stale", "the soup was lovely although stale"}) {
    asked.push_back({text, 0});
  }
  std::printf("                  stale … lovely       lovely … stale   contrasts right,\n");
  std::printf("switched off     but    although      but    although         in percent\n");
  for (Index head = -1; head < model.config.layer.num_heads; ++head) {
    const Bert copy = head < 0 ? model : without_head(model, head);
    Shares shares;
    measure(label_logits(copy, data, data.held_out), data, shares);
    const Tensor p = softmax(label_logits(copy, data, asked));
    std::printf("%-12s", head < 0 ? "none" : ("head " + std::to_string(head + 1)).c_str());
    for (Index i = 0; i < 4; ++i) {
      std::printf(i % 2 ? "%12.2f" : "%8.2f", double{p.data()[2 * i + 1]});
    }
    std::printf("%19.0f\n", 100 * shares[kContrast][0]);
  }
}
// [heads]

// [cls_weights]
/// How [CLS] attends to each position in the first block: [H, T].
inline Tensor cls_weights(const Bert& model, const Data& data, const std::string& text) {
  const IndexTensor tokens = rows_of({{text, 0}}, data.tokenizer, false).tokens;
  const IndexTensor segments(tokens.shape(), Tokens(tokens.size()));
  const Block& block = model.encoder.layers[0];
  const Tensor y = model.encoder.positions.embed(model.words(tokens) + model.segments(segments));
  const Tensor x = block.ln_1(y);
  const Index heads = block.attn.num_heads;
  const Tensor weights = attention_weights(split_heads(block.attn.query(x), heads),
                                           split_heads(block.attn.key(x), heads));
  return reshape(slice(weights, 2, 0, 1), {heads, -1});  // the first query is [CLS]'s
}
// [cls_weights]

}  // namespace reviews
