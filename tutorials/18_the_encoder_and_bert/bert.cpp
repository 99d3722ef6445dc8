// Chapter 18: an encoder that reads both sides: a classifier, hidden words, and what they teach.
#include "pocket/bert.h"

#include <cstdio>
#include <cstring>
#include <map>

#include "tutorials/18_the_encoder_and_bert/figures.h"
#include "tutorials/18_the_encoder_and_bert/reviews.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;
using namespace reviews;

namespace {

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

RandomKey key_of(std::uint64_t seed, int step) { return {seed, std::uint32_t(step)}; }

// [small_bert]
/// Two blocks of 32 channels, with pre-norm and a last norm.
BertConfig small_bert(const Data& data, Position position = Position::kLearned) {
  BertConfig config{.vocab_size = std::ssize(data.tokenizer.names), .n_layer = 2};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = position};
  config.layer.max_length = 16;
  return config;
}
// [small_bert]

// [learn_labels]
/// What the classifier reads: [CLS]; [CLS] with "we [MASK] it" behind the review; or that [MASK].
enum Read { kCls, kClsBesideMask, kMaskItself };

Tensor label_logits(const Bert& model, const Data& data, std::vector<Review> reviews,
                    Read read = kCls) {
  for (Review& review : reviews) review.verdict = "we [MASK] it";
  const auto [tokens, segments] = rows_of(reviews, data.tokenizer, read != kCls);
  const Tensor features = model.features(tokens, padding_mask(tokens, kPad), segments);
  if (read != kMaskItself) return model.sequence_logits(features);
  Tensor is_mask({tokens.size(0), 1, tokens.size(1)});
  for (Index i = 0; i < tokens.size(); ++i) is_mask.mutable_data()[i] = tokens.data()[i] == kMask;
  return model.sequence_logits(matmul(is_mask, features));
}

/// A new classifier, trained with all of the model, on 16 reviews a step.
void learn_labels(Bert& model, const Data& data, const std::vector<Review>& reviews,
                  std::uint64_t seed, int steps = 300, Read read = kCls) {
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
Tensor counts_of(const std::vector<Review>& reviews, const WordTokenizer& tokenizer) {
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

Bag bag_of_words(const Data& data, const std::vector<Review>& reviews, Index hidden = 0,
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

// [sides]
/// The words that always blame, and those that always praise.
std::array<std::set<std::string>, 2> sides() {
  std::array<std::set<std::string>, 2> words;
  for (const auto& of_topic : kQualities) {
    for (const std::size_t side : {0, 1}) {
      words[side].insert(of_topic[side].begin(), of_topic[side].end());
    }
  }
  return words;
}
// [sides]

// [glove]
/// How often two words are in one review, each time divided by their distance: [V, V].
Tensor cooccurrences(const std::vector<Review>& reviews, const WordTokenizer& tokenizer,
                     bool verdicts = true) {
  const Index vocab_size = std::ssize(tokenizer.names);
  Tensor counts({vocab_size, vocab_size});
  for (const Review& review : reviews) {
    const Tokens tokens = tokenizer.encode(review.text + (verdicts ? " " + review.verdict : ""));
    for (Index i = 0; i < std::ssize(tokens); ++i) {
      for (Index j = 0; j < std::ssize(tokens); ++j) {
        if (i == j) continue;
        counts.mutable_data()[tokens[i] * vocab_size + tokens[j]] += 1 / Scalar(std::abs(i - j));
      }
    }
  }
  return counts;
}

/// GloVe: w_i c_j + a_i + b_j is to be ln X_ij. Pairs count by f(X) = min(1, (X / 100)^(3/4)).
Tensor glove(const Tensor& counts, Index channels, std::uint64_t seed) {
  const Index vocab_size = counts.size(0);
  KeySequence keys(seed);
  Tensor w = normal({vocab_size, channels}, keys.next(), 0, Scalar(0.1)).set_requires_grad();
  Tensor c = normal({vocab_size, channels}, keys.next(), 0, Scalar(0.1)).set_requires_grad();
  Tensor a = zeros({vocab_size, 1}).set_requires_grad(),
         b = zeros({vocab_size}).set_requires_grad();
  Tensor logs(counts.shape()), weights(counts.shape());
  for (Index i = 0; i < counts.size(); ++i) {
    const Scalar x = counts.data()[i];
    logs.mutable_data()[i] = std::log(std::max(x, Scalar(1e-3)));
    weights.mutable_data()[i] = std::min(Scalar(1), std::pow(x / 100, Scalar(0.75)));  // 0 for 0
  }
  AdamW optimiser({{"w", w}, {"c", c}, {"a", a}, {"b", b}}, {.weight_decay = 0});
  const Schedule schedule{.rate = 0.03, .floor = 0.003, .warmup = 10, .decay = 300};
  train(optimiser, {.steps = 300, .schedule = schedule}, [&](int) {
    const Tensor miss = matmul(w, c, {.b = true}) + a + b - logs;
    return mean(weights * miss * miss);
  });
  const Tensor vectors = (w + c).detach();
  return vectors - mean(vectors, 0, {.keepdim = true});  // what all words share says nothing
}
// [glove]

// [measure]
/// Adds the shares of right labels among the reviews of each kind that are held out.
void measure(const Tensor& logits, const Data& data, Shares& shares) {
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
/// Contrasts held out: the share of right labels where a labelled review has the same counts, and
/// where none has.
std::array<int, 2> measure_siblings(const Tensor& logits, const Data& data,
                                    std::vector<double>& with, std::vector<double>& without) {
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
/// A copy with numbers of its own: copied tensors are handles to the same ones.
Bert copy_of(const Bert& model) {
  Bert copy = model;
  visit_parameters(copy, [](const std::string&, Tensor& x) {
    x = tensor(x.shape(), {x.begin(), x.end()}).set_requires_grad();
  });
  return copy;
}
// [copy]

// [heads_off]
/// The model with a head of its first block switched off: this head's D rows of W^o are 0.
Bert without_head(const Bert& model, Index head) {
  Bert copy = copy_of(model);
  MultiHeadAttention& attention = copy.encoder.layers[0].attn;
  Tensor& rows = attention.output.weight;  // [H D, C]
  const Index size = rows.size() / attention.num_heads;
  std::fill_n(rows.mutable_data() + head * size, size, Scalar(0));
  return copy;
}
// [heads_off]

// [order]
/// What models make of order, at so many seeds.
void order(const Data& data, int seeds) {
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
/// A model of each kind for all labels, asked for two reviews of none of the sets.
Bert same_words(const Data& data) {
  const Bag bag = bag_of_words(data, data.labelled);
  Bert model(small_bert(data), 1);
  learn_labels(model, data, data.labelled, 1, 600);
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
/// What the encoder says without each head of its first block.
void heads(const Bert& model, const Data& data) {
  const Part part("heads");
  std::printf("switched off   \"but\"  \"although\"   contrasts right, in percent\n");
  for (Index head = -1; head < model.config.layer.num_heads; ++head) {
    const Bert copy = head < 0 ? model : without_head(model, head);
    Shares shares;
    measure(label_logits(copy, data, data.held_out), data, shares);
    const Tensor p = softmax(label_logits(
        copy, data,
        {{"the soup was stale but lovely", 0}, {"the soup was stale although lovely", 0}}));
    std::printf("%-14s %5.2f %11.2f %11.0f\n",
                head < 0 ? "none" : ("head " + std::to_string(head + 1)).c_str(),
                double{p.data()[1]}, double{p.data()[3]}, 100 * shares[kContrast][0]);
  }
}
// [heads]

// [cls_weights]
/// How [CLS] attends to each position in the first block: [H, T].
Tensor cls_weights(const Bert& model, const Data& data, const std::string& text) {
  const IndexTensor tokens = rows_of({{text, 0}}, data.tokenizer, false).tokens;
  const IndexTensor segments(tokens.shape(), Tokens(tokens.size()));
  const Block& block = model.encoder.layers[0];
  const Tensor y = model.encoder.positions.embed(model.words(tokens) + model.segments(segments));
  const Tensor x = block.ln_1(y);
  const Index heads = block.attn.num_heads;
  const Tensor weights = attention_weights(split_heads(block.attn.query(x), heads),
                                           split_heads(block.attn.key(x), heads));
  return reshape(slice(weights, 2, 0, 1), {heads, -1});  // the first query is that of [CLS]
}
// [cls_weights]

// [rows_shown]
void rows_shown(const Data& data) {
  const Part part("rows");
  const auto [tokens, segments] =
      rows_of({data.texts.begin() + 11, data.texts.begin() + 13}, data.tokenizer, true);
  const IndexTensor mask = padding_mask(tokens, kPad);
  std::printf("reviews: %d held out, %d with labels, %d texts\n", int(data.held_out.size()),
              int(data.labelled.size()), int(data.texts.size()));
  const auto texts = [](Kind kind) { return int(all_reviews(kind).size() / 2); };  // two verdicts
  std::printf("the grammar's texts: %d plain, %d contrast, %d shifting; in the %d, %d of each\n",
              texts(kPlain), texts(kContrast), texts(kShifting), int(data.texts.size()),
              int(data.texts.size() / 3));
  std::printf("token      word  segment  mask\n");
  for (Index i = 0; i < tokens.size(1); ++i) {
    const std::int32_t token = tokens.data()[i];
    std::printf("%5d %9s %8d %5d\n", token, data.tokenizer.names[std::size_t(token)].c_str(),
                segments.data()[i], mask.data()[i]);
  }
}
// [rows_shown]

// [parameters]
void parameter_counts(const Data& data) {
  const Part part("parameters");
  Bert model(small_bert(data));
  model.set_labels(2);
  const auto row = [](const char* name, Index n) { std::printf("%-24s %6d\n", name, int(n)); };
  const Index positions = count(parameters(model.encoder.positions));
  row("words", count(parameters(model.words)));
  row("segments and positions", count(parameters(model.segments)) + positions);
  row("blocks and last norm", count(parameters(model.encoder)) - positions);
  row("head for words",
      count(parameters(model.transform)) + count(parameters(model.transform_norm)));
  row("head for labels", count(parameters(model.pooler)) + count(parameters(model.classifier)));
  row("together", count(parameters(model)));
}
// [parameters]

// [nearest]
/// The cosines between all vectors: [V, V].
Tensor cosines_of(const Tensor& vectors) {
  const Tensor lengths = sqrt(sum(vectors * vectors, -1, {.keepdim = true}) + Scalar(1e-9));
  return matmul(vectors / lengths, vectors / lengths, {.b = true});
}

/// The words whose vectors have the largest cosine with this word's.
void nearest(const Tensor& vectors, const Data& data, const std::string& word) {
  const Index i = data.tokenizer.token_of(word);
  Tensor cosines = slice(cosines_of(vectors), 0, i, i + 1);
  for (Index token = 0; token <= kUnk; ++token) cosines.mutable_data()[token] = -1;
  cosines.mutable_data()[i] = -1;
  std::printf("%-6s", word.c_str());
  print_best({cosines.begin(), cosines.end()}, data.tokenizer.names, 5);
}

/// Of the words that always praise or blame: how many have one of their own side as the nearest.
int beside_their_own(const Tensor& vectors, const Data& data) {
  const Tensor cosines = cosines_of(vectors);
  const auto words = sides();
  int own = 0;
  for (const std::size_t side : {0, 1}) {
    for (const std::string& word : words[side]) {
      Scalar best[2] = {-1, -1};  // of the other side, of its own
      for (const std::size_t other : {0, 1}) {
        for (const std::string& neighbour : words[other]) {
          if (neighbour == word) continue;
          const Index at = data.tokenizer.token_of(word) * cosines.size(1);
          Scalar& most = best[side == other];
          most = std::max(most, cosines.data()[at + data.tokenizer.token_of(neighbour)]);
        }
      }
      own += best[1] > best[0];
    }
  }
  return own;
}
// [nearest]

void word_vectors(const Data& data) {
  const Part part("nearest");
  // [vectors]
  const Tensor vectors = glove(cooccurrences(data.texts, data.tokenizer), 32, 1);
  for (const auto word : {"soup", "fresh", "loved", "sharp"}) nearest(vectors, data, word);
  // [vectors]
}

// [beside]
/// GloVe at five seeds, on texts with their verdicts and without.
void sides_of_vectors(const Data& data) {
  const Part part("sides");
  const Tensor with = cooccurrences(data.texts, data.tokenizer);
  const Tensor without = cooccurrences(data.texts, data.tokenizer, false);
  std::printf("without verdicts\n");
  for (const auto word : {"fresh", "witty"}) nearest(glove(without, 32, 1), data, word);
  std::printf("\nnearest of the 12 is of the same side\n");
  for (const bool verdicts : {true, false}) {
    std::printf("%-18s", verdicts ? "with verdicts" : "without verdicts");
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      std::printf("%4d", beside_their_own(glove(verdicts ? with : without, 32, seed), data));
    }
    std::printf("\n");
  }
}
// [beside]

// [set_words]
/// Word vectors as the model's own, at the size of its initial values. Frozen, they do not learn.
void set_words(Bert& model, const Tensor& vectors, bool frozen) {
  const Tensor scaled = vectors * (Scalar(0.1) / std::sqrt(mean(vectors * vectors).item()));
  const Index first = (kUnk + 1) * vectors.size(1);  // special tokens have none
  Tensor& table = model.words.weight;
  std::copy(scaled.begin() + first, scaled.end(), table.mutable_data() + first);
  table.set_requires_grad(!frozen);
}
// [set_words]

// [all_hidden]
/// [MASK] wherever a word is asked.
IndexTensor all_hidden(const IndexTensor& tokens, const IndexTensor& targets) {
  Tokens inputs(tokens.begin(), tokens.end());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (targets.data()[i] >= 0) inputs[i] = kMask;
  }
  return IndexTensor(tokens.shape(), inputs);
}
// [all_hidden]

// [pretrain]
/// Both sides: padding alone is hidden. The left alone: all later positions are.
IndexTensor visible(const IndexTensor& tokens, bool both) {
  return both ? padding_mask(tokens, kPad) : causal_mask(tokens.size(1), tokens.size(1));
}

struct Lesson {
  bool both = true;          // the model sees both sides
  bool always_mask = false;  // [MASK] wherever a word is asked
  bool verdicts = true;      // the texts end with them
};

void pretrain(Bert& model, const Data& data, int steps, std::uint64_t seed,
              const Lesson& lesson = {}) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 3e-3, .floor = 3e-4, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const auto batch = some(data.texts, 32, key_of(seed + 100, step));
    const auto [tokens, segments] = rows_of(batch, data.tokenizer, lesson.verdicts);
    auto [inputs, targets] =
        mask_words(tokens, data.tokenizer.words(), kMask, key_of(seed + 200, step));
    if (lesson.always_mask) inputs = all_hidden(tokens, targets);
    const Tensor features = model.features(inputs, visible(tokens, lesson.both), segments);
    return cross_entropy(model.word_logits(features), targets);
  });
}
// [pretrain]

// [hidden]
const Words kSorts = {"the, was, we, it", "and, but, although", "nouns",
                      "qualities",        "verdicts",           "all"};

int sort_of(const std::string& word) {
  const auto in = [&](const auto& lists) {
    return std::ranges::any_of(lists, [&](const Words& x) { return std::ranges::count(x, word); });
  };
  if (in(std::array{Words{"the", "was", "we", "it"}})) return 0;
  if (in(std::array{Words{"and", "but", "although"}})) return 1;
  return in(kNouns) ? 2 : in(kVerdicts) ? 4 : 3;
}

/// The hidden words of the reviews held out, and the losses at each sort of them, and at all.
struct Hidden {
  explicit Hidden(const Data& data)
      : data(data), rows(rows_of(data.held_out, data.tokenizer, true)) {
    targets = mask_words(rows.tokens, data.tokenizer.words(), kMask, {.seed = 7}).targets;
  }
  /// `p` gives the hidden word at i its probability.
  void measure(std::vector<std::vector<double>>& losses, auto&& p) {
    std::vector<double> loss(kSorts.size());
    asked.assign(kSorts.size(), 0);
    for (Index i = 0; i < targets.size(); ++i) {
      const std::int32_t target = targets.data()[i];
      if (target < 0) continue;
      const double here = -std::log(p(i));
      for (const int sort : {sort_of(data.tokenizer.names[std::size_t(target)]), 5}) {
        loss[std::size_t(sort)] += here, ++asked[std::size_t(sort)];
      }
    }
    losses.resize(kSorts.size());
    for (std::size_t k = 0; k < loss.size(); ++k) losses[k].push_back(loss[k] / asked[k]);
  }
  const Data& data;
  Rows rows;
  IndexTensor targets;
  std::vector<int> asked = {};
};

void measure_model(const Bert& model, bool both, Hidden& hidden,
                   std::vector<std::vector<double>>& losses) {
  const NoGrad no_grad;
  const auto& [tokens, segments] = hidden.rows;
  const IndexTensor inputs = all_hidden(tokens, hidden.targets);
  const Tensor p =
      softmax(model.word_logits(model.features(inputs, visible(tokens, both), segments)));
  hidden.measure(
      losses, [&](Index i) { return double{p.data()[i * p.size(-1) + hidden.targets.data()[i]]}; });
}
// [hidden]

// [guess]
/// What may be in the place of each [MASK].
void guess(const Bert& model, const Data& data, const std::string& row, bool both) {
  const NoGrad no_grad;
  const Tokens row_tokens = data.tokenizer.encode(row);
  const IndexTensor tokens({1, std::ssize(row_tokens)}, row_tokens);
  const auto sep = std::find(row_tokens.begin(), row_tokens.end(), kSep) - row_tokens.begin();
  Tokens segments(row_tokens.size(), 0);
  for (Index i = sep + 1; i < std::ssize(segments); ++i) segments[std::size_t(i)] = 1;
  const Tensor p = softmax(model.word_logits(
      model.features(tokens, visible(tokens, both), IndexTensor(tokens.shape(), segments))));
  for (Index i = 0; i < tokens.size(); ++i) {
    if (tokens.data()[i] != kMask) continue;
    const Tensor here = slice(p, 1, i, i + 1);
    print_best({here.begin(), here.end()}, data.tokenizer.names, 4);
  }
}
// [guess]

// [verdicts]
/// No label at all: which word is more probable for [MASK] in "we [MASK] it"?
Tensor verdict_logits(const Bert& model, const Data& data) {
  const NoGrad no_grad;
  std::vector<Review> asked = data.held_out;
  for (Review& review : asked) review.verdict = "we [MASK] it";
  const auto [tokens, segments] = rows_of(asked, data.tokenizer, true);
  const Tensor logits = model.word_logits(model.features(tokens, visible(tokens, true), segments));
  std::vector<Scalar> two;
  for (Index i = 0; i < tokens.size(); ++i) {
    for (const auto word : {"hated", "loved"}) {
      if (tokens.data()[i] != kMask) continue;
      two.push_back(logits.data()[i * logits.size(-1) + data.tokenizer.token_of(word)]);
    }
  }
  return tensor({std::ssize(asked), 2}, two);
}
// [verdicts]

// [labels]
/// How many of the words that always praise or always blame are in these reviews at most once.
int hardly_seen(const std::vector<Review>& reviews) {
  std::map<std::string, int> times;
  for (const Review& review : reviews) {
    for (const std::string& word : WordTokenizer::words_of(review.text)) ++times[word];
  }
  int rare = 0;
  for (const auto& side : sides()) {
    rare += int(std::ranges::count_if(side, [&](const auto& word) { return times[word] < 2; }));
  }
  return rare;
}

/// What is known before the labels come, with the verdicts in the texts and without.
struct Known {
  Tensor vectors;
  std::vector<Bert> pretrained;  // one for each seed
};

/// So many labels, others for each seed. The last two rows read elsewhere than at [CLS].
Table labels(const Data& data, const Known& with, const Known& without, Index count) {
  Table table = {{"bag of words", {}},          {"from nothing", {}},
                 {"  2800 steps", {}},          {"word vectors, trained", {}},
                 {"word vectors, frozen", {}},  {"  texts without verdict", {}},
                 {"BERT, fine-tuned", {}},      {"  texts without verdict", {}},
                 {"with \"we [MASK] it\"", {}}, {"read at this [MASK]", {}}};
  std::vector<int> rare;
  for (std::size_t seed = 1; seed <= with.pretrained.size(); ++seed) {
    const auto first = data.labelled.begin() + Index(seed - 1) * count;
    const std::vector<Review> reviews(first, first + count);
    rare.push_back(hardly_seen(reviews));
    std::size_t row = 0;
    measure(bag_of_words(data, reviews)(counts_of(data.held_out, data.tokenizer)), data,
            table[row++].second);
    const auto learn = [&](Bert model, int steps = 300, Read read = kCls) {
      learn_labels(model, data, reviews, seed, steps, read);
      measure(label_logits(model, data, data.held_out, read), data, table[row++].second);
    };
    const auto with_words = [&](const Tensor& vectors, bool frozen) {
      Bert model(small_bert(data), seed);
      set_words(model, vectors, frozen);
      return model;
    };
    learn(Bert(small_bert(data), seed));
    learn(Bert(small_bert(data), seed), 2800);
    learn(with_words(with.vectors, false));
    learn(with_words(with.vectors, true));
    learn(with_words(without.vectors, true));
    learn(copy_of(with.pretrained[seed - 1]));
    learn(copy_of(without.pretrained[seed - 1]));
    learn(copy_of(with.pretrained[seed - 1]), 300, kClsBesideMask);
    learn(copy_of(with.pretrained[seed - 1]), 300, kMaskItself);
  }
  const auto [least, most] = std::ranges::minmax(rare);
  if (most > 0) {
    const Part part("rare");
    std::printf("%d labels: of 12 words that always praise or blame, %d to %d occur at most once\n",
                int(count), least, most);
  }
  return table;
}
// [labels]

// [senses]
const Words kSenses = {"bad",   "awful",   "good",  "lovely", "raw",
                       "sharp", "strange", "light", "mild",   "soft"};

/// The cosines between the vectors of kSenses, each as the last word of "the NOUN was ...".
Tensor cosines_beside(const std::string& noun, const Bert& model, const Data& data) {
  const NoGrad no_grad;
  std::vector<Review> reviews;
  for (const std::string& word : kSenses) {
    reviews.push_back({"the " + noun + " was " + word, 0, kShifting, "we [MASK] it"});
  }
  const auto [tokens, segments] = rows_of(reviews, data.tokenizer, true);
  const Tensor features = model.features(tokens, visible(tokens, true), segments);
  return cosines_of(reshape(slice(features, 1, 4, 5), {std::ssize(kSenses), -1}));
}

/// Of 6 shifting qualities beside 10 nouns: how many are nearer to the words of their own side.
int right_senses(const Bert& model, const Data& data) {
  int right = 0;
  for (const std::size_t topic : {0, 1}) {
    for (const std::string& noun : kNouns[topic]) {
      const Tensor cosines = cosines_beside(noun, model, data);
      for (std::size_t i = 4; i < kSenses.size(); ++i) {
        const Scalar* with = cosines.data() + i * kSenses.size();
        const bool praise = std::ranges::count(kShiftingQualities[0], kSenses[i]) == Index(topic);
        right += (with[2] + with[3] > with[0] + with[1]) == praise;
      }
    }
  }
  return right;
}
// [senses]

// [best]
/// The losses of a model that knows the grammar's probabilities.
void measure_best(bool both, Hidden& hidden, std::vector<std::vector<double>>& losses) {
  const Data& data = hidden.data;
  std::vector<Review> all;
  std::vector<double> share;  // each kind is a third of the reviews
  for (const Kind kind : data.kinds) {
    const std::vector<Review> same = all_reviews(kind);
    all.insert(all.end(), same.begin(), same.end());
    share.resize(all.size(), 1.0 / 3 / double(same.size()));
  }
  const IndexTensor possible = rows_of(all, data.tokenizer, true).tokens;
  const std::int32_t *tokens = hidden.rows.tokens.data(), *targets = hidden.targets.data();
  const Index length = hidden.rows.tokens.size(1);
  hidden.measure(losses, [&](Index i) {
    const Index row = i / length * length, end = both ? length : i - row + 1;
    double right = 0, sum = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::int32_t* words = possible.data() + Index(k) * length;
      bool fits = true;  // the same words wherever none is hidden
      for (Index t = 0; t < end && fits; ++t) {
        fits = targets[row + t] < 0 ? words[t] == tokens[row + t] : words[t] > kUnk;
      }
      if (!fits) continue;
      sum += share[k];
      if (words[i - row] == targets[i]) right += share[k];
    }
    return right / sum;
  });
}
// [best]

void guesses(const Bert& model, const Data& data, bool both) {
  // [guesses]
  for (const std::string row : {"[CLS] the [MASK] was stale [SEP] we hated it [SEP]",
                                "[CLS] the soup was [MASK] and tasty [SEP] we loved it [SEP]",
                                "[CLS] the wine was sharp [SEP] we [MASK] it [SEP]",
                                "[CLS] the plot was sharp [SEP] we [MASK] it [SEP]"}) {
    std::printf("%s\n     ", row.c_str());
    guess(model, data, row, both);
  }
  // [guesses]
}

// [quick]
void quick(const Data& data) {
  const Part part("quick");
  Bert model(small_bert(data), 1);
  pretrain(model, data, 500, 1);
  guesses(model, data, true);
}
// [quick]

// [seen]
/// How many words that are plainly visible the model names.
double seen(const Bert& model, const Data& data) {
  const NoGrad no_grad;
  const auto [tokens, segments] = rows_of(data.held_out, data.tokenizer, true);
  Tokens targets(tokens.begin(), tokens.end());
  for (auto& target : targets) target = target > kUnk ? target : -100;
  return accuracy(model.word_logits(model.features(tokens, visible(tokens, true), segments)),
                  IndexTensor(tokens.shape(), targets));
}
// [seen]

// [long]
void long_run(const Data& data, int seeds, int steps) {
  order(data, seeds);
  Hidden hidden(data);
  std::vector<std::vector<double>> left, both, best_left, best_both;
  measure_best(false, hidden, best_left), measure_best(true, hidden, best_both);
  Known with{glove(cooccurrences(data.texts, data.tokenizer), 32, 1), {}};
  Known without{glove(cooccurrences(data.texts, data.tokenizer, false), 32, 1), {}};
  Shares asked;
  std::vector<int> senses;
  std::vector<double> seen_by_rule, seen_always;
  for (int i = 1; i <= seeds; ++i) {
    const auto seed = std::uint64_t(i);
    const auto pretrained = [&](const Lesson& lesson) {
      Bert model(small_bert(data), seed);
      pretrain(model, data, steps, seed, lesson);
      return model;
    };
    const Bert& model = with.pretrained.emplace_back(pretrained({}));
    without.pretrained.push_back(pretrained({.verdicts = false}));
    const Bert one_sided = pretrained({.both = false});
    measure_model(model, true, hidden, both);
    measure_model(one_sided, false, hidden, left);
    measure(verdict_logits(model, data), data, asked);
    senses.push_back(right_senses(model, data));
    seen_by_rule.push_back(seen(model, data));
    seen_always.push_back(seen(pretrained({.always_mask = true}), data));
    if (i > 1) continue;
    {
      const Part part("both_sides");
      guesses(model, data, true);
    }
    const Part part("left_alone");
    guesses(one_sided, data, false);
  }
  {
    const Part part("senses");
    std::printf("BERT's vectors at five seeds, right of 60:");
    for (const int right : senses) std::printf("%4d", right);
    std::printf("\n");
  }
  {
    const Part part("hidden");
    print_losses(kSorts, hidden.asked, left, best_left, both, best_both);
  }
  {
    const Part part("visible");
    std::printf("visible words named, in percent\n");
    print_shares("80, 10, 10", {seen_by_rule});
    print_shares("always [MASK]", {seen_always});
  }
  Table tables[] = {
      {{"BERT, asked", asked}}, labels(data, with, without, 20), labels(data, with, without, 100)};
  const char* names[] = {"no labels", "20 labels", "100 labels"};
  {
    const Part part("labels");
    for (int i = 0; i < 3; ++i) print_table(names[i], tables[i], 0, 8);
  }
  {
    const Part part("read_elsewhere");
    for (int i = 1; i < 3; ++i) print_table(names[i], tables[i], 8, 10);
  }
  const Part part("labels_seeds");
  for (int i = 0; i < 3; ++i) {
    for (const auto& [name, shares] : tables[i]) {
      for (const Kind kind : data.kinds) {
        print_seeds(std::string(names[i]) + ", " + name, shares[kind]);
      }
    }
  }
}
// [long]

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Data data;
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(data, 5, 2500);
    return 0;
  }
  rows_shown(data);
  parameter_counts(data);
  const Bert classifier = same_words(data);
  // [cls_drawn]
  draw_cls({cls_weights(classifier, data, "the soup was stale but lovely"),
            cls_weights(classifier, data, "the soup was stale although lovely")});
  // [cls_drawn]
  heads(classifier, data);
  word_vectors(data);
  sides_of_vectors(data);
  quick(data);
}
// [main]
