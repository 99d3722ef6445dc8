// Chapter 18: an encoder that reads both sides: a classifier, and pre-training on hidden words.
#include "pocket/bert.h"

#include <cstdio>
#include <cstring>
#include <map>

#include "tutorials/18_the_encoder_and_bert/hidden_words.h"
#include "tutorials/18_the_encoder_and_bert/pairs.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/plot.h"

using namespace pocket;
using namespace course;
using namespace reviews;

namespace {

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

// [masked_row]
/// BERT's rule on one row, with its draws. The seed is one with all three cases in the row.
void masked_row(const Data& data) {
  const Part part("masked_row");
  const Review review{"the soup was fresh and tasty", 1, kPlain, "we loved it"};
  const IndexTensor tokens = rows_of({review}, data.tokenizer, true).tokens;
  const RandomKey key{.seed = 1391};
  const Tensor draws = uniform({tokens.size(), 3}, key);
  const auto [inputs, targets] = mask_words(tokens, data.tokenizer.words(), kMask, key);
  const auto name = [&](std::int32_t token) {
    return token < 0 ? "-100" : data.tokenizer.names[std::size_t(token)].c_str();
  };
  std::printf("token   is it asked?  which case?  which word?  input   target\n");
  for (Index i = 0; i < tokens.size(); ++i) {
    const Scalar* u = draws.data() + 3 * i;
    std::printf("%-7s %12.2f %12.2f %12.2f  %-7s %s\n", name(tokens.data()[i]), double{u[0]},
                double{u[1]}, double{u[2]}, name(inputs.data()[i]), name(targets.data()[i]));
  }
}
// [masked_row]

// [labels]
/// Counts the words that always praise or always blame and are in these reviews at most once.
int hardly_seen(const std::vector<Review>& reviews) {
  std::map<std::string, int> times;
  for (const Review& review : reviews) {
    for (const std::string& word : WordTokenizer::words_of(review.text)) ++times[word];
  }
  int rare = 0;
  for (const auto& words : blame_and_praise()) {
    rare += int(std::ranges::count_if(words, [&](const auto& word) { return times[word] < 2; }));
  }
  return rare;
}

/// Word vectors and models, pre-trained on texts with verdicts or without; one model of each sort
/// for each seed.
struct Known {
  Tensor vectors;
  std::vector<Bert> pretrained, longer = {}, left_alone = {};
};

/// Trains on `count` labels, others for each seed. The last three rows do not read [CLS].
Table labels(const Data& data, const Known& with, const Known& without, Index count) {
  Table table;
  for (const auto name :
       {"bag of words", "from nothing", "  2800 steps", "  words by group", "word vectors, trained",
        "word vectors, frozen", "  texts without verdict", "BERT, fine-tuned", "  10000 steps",
        "  texts without verdict", "mean of all vectors", "both sides, at [SEP]",
        "left only, at [SEP]"}) {
    table.push_back({name, {}});
  }
  std::vector<int> rare;
  for (std::size_t seed = 1; seed <= with.pretrained.size(); ++seed) {
    const auto first = data.labelled.begin() + Index(seed - 1) * count;
    const std::vector<Review> reviews(first, first + count);
    rare.push_back(hardly_seen(reviews));
    std::size_t row = 0;
    measure(bag_of_words(data, reviews)(counts_of(data.held_out, data.tokenizer)), data,
            table[row++].second);
    const auto learn = [&](Bert model, int steps = 300, const Read& read = {}) {
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
    Bert of_groups(small_bert(data), seed);
    learn_labels(of_groups, data, by_group(reviews), seed);
    measure(label_logits(of_groups, data, by_group(data.held_out)), data, table[row++].second);
    learn(with_words(with.vectors, false));
    learn(with_words(with.vectors, true));
    learn(with_words(without.vectors, true));
    const Bert &model = with.pretrained[seed - 1], &left = with.left_alone[seed - 1];
    learn(copy_of(model));
    learn(copy_of(with.longer[seed - 1]));
    learn(copy_of(without.pretrained[seed - 1]));
    learn(copy_of(model), 300, {.mean = true});
    learn(copy_of(model), 300, {.token = kSep});
    learn(copy_of(left), 300, {.token = kSep, .both = false});
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

// [long]
void print_right(const char* name, const std::vector<double>& right) {
  std::printf("%-24s", name);
  for (const double number : right) std::printf("%4.0f", number);
  std::printf("\n");
}

void long_run(const Data& data, int seeds, int steps) {
  order(data, seeds);
  pairs(data, seeds);
  Hidden hidden(data);
  std::vector<std::vector<double>> left, both, best_left, best_both;
  measure_best(false, hidden, best_left), measure_best(true, hidden, best_both);
  Known with{glove(cooccurrences(data.texts, data.tokenizer), 32, 1), {}};
  Known without{glove(cooccurrences(data.texts, data.tokenizer, false), 32, 1), {}};
  Shares verdict, longer_verdict, left_verdict;
  std::vector<double> senses[4];
  std::vector<double> seen_by_rule, seen_always;
  for (int i = 1; i <= seeds; ++i) {
    const auto seed = std::uint64_t(i);
    const auto pretrained = [&](const Lesson& lesson, int times = 1) {
      Bert model(small_bert(data), seed);
      pretrain(model, data, times * steps, seed, lesson);
      return model;
    };
    const Bert& model = with.pretrained.emplace_back(pretrained({}));
    without.pretrained.push_back(pretrained({.verdicts = false}));
    const Bert& longer = with.longer.emplace_back(pretrained({}, 4));
    const Bert& left_alone = with.left_alone.emplace_back(pretrained({.both = false}));
    measure_model(model, true, hidden, both);
    measure_model(left_alone, false, hidden, left);
    measure(verdict_logits(model, data), data, verdict);
    measure(verdict_logits(longer, data), data, longer_verdict);
    measure(verdict_logits(left_alone, data, false), data, left_verdict);
    senses[0].push_back(right_senses(model, data));
    senses[1].push_back(right_by_classifier(model, data));
    senses[2].push_back(right_by_classifier(left_alone, data, false));
    senses[3].push_back(right_by_classifier(Bert(small_bert(data), seed), data));
    seen_by_rule.push_back(seen(model, data));
    seen_always.push_back(seen(pretrained({.always_mask = true}), data));
    if (i > 1) continue;
    const Part part("gaps");
    guesses(model, data, &left_alone);
  }
  {
    const Part part("senses");
    std::printf("right of 60, at five seeds\n");
    print_right("linear classifier", senses[1]);
    print_right("  left only", senses[2]);
    print_right("  before pre-training", senses[3]);
  }
  {
    const Part part("cosine");
    print_right("nearer by the cosine", senses[0]);
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
  Table tables[] = {{{"filling in the verdict", verdict},
                     {"  left only", left_verdict},
                     {"  10000 steps", longer_verdict}},
                    labels(data, with, without, 20),
                    labels(data, with, without, 100)};
  const char* names[] = {"no labels", "20 labels", "100 labels"};
  {
    const Part part("labels");
    for (int i = 0; i < 3; ++i) print_table(names[i], tables[i], 0, i == 0 ? 3 : 11);
  }
  {
    const Part part("worth");
    for (int i = 1; i < 3; ++i) {
      print_head(names[i]);
      for (const std::size_t row : {0, 1, 7, 9, 12, 11})
        print_shares(tables[i][row].first, tables[i][row].second);
    }
  }
  {
    const Part part("told");
    std::printf("%-25s  plain, 20 labels  shifting, 100 labels\n", "right, in percent");
    for (const std::size_t i : {0, 3, 5, 6, 7, 9}) {
      const auto& [name, few] = tables[1][i];
      print_shares(i == 3 ? "by group, from nothing" : name,
                   {few[kPlain], tables[2][i].second[kShifting], {}});
    }
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
  std::vector<Grid> weights;
  const Words reviews = {"stale but lovely", "stale although lovely", "lovely but stale",
                         "lovely although stale"};
  for (const std::string& review : reviews) {
    weights.push_back(cls_weights(classifier, data, "the soup was " + review));
  }
  draw_cls(weights, reviews);
  // [cls_drawn]
  heads(classifier, data);
  word_vectors(data);
  agreement(data);
  masked_row(data);
  quick(data);
}
// [main]
