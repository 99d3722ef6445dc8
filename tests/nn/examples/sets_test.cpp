#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "nn/data/baselines.h"
#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/data/words.h"
#include "nn/examples/draws.h"
#include "nn/examples/prompts.h"
#include "nn/examples/sentences.h"
#include "nn/text/utf8.h"
#include "tests/nn/digest.h"

using namespace gradus;

namespace {

template <class Item>
std::set<std::string> texts(const std::vector<Item>& items, std::string Item::*text) {
  std::set<std::string> found;
  for (const Item& item : items) found.insert(item.*text);
  return found;
}

template <class Item>
std::set<std::string> words(const std::vector<Item>& items, std::string Item::*text) {
  std::set<std::string> found;
  for (const Item& item : items) {
    for (const std::string& word : split_words(item.*text)) found.insert(word);
  }
  return found;
}

/// Checks that no text of the held-out items is in the training items, but each of their words is.
template <class Item>
bool fair(const DataSplit<Item>& data, std::string Item::*text) {
  const auto trained = texts(data.train, text), held = texts(data.held_out, text);
  const auto known = words(data.train, text), needed = words(data.held_out, text);
  return std::ranges::none_of(held, [&](const auto& x) { return trained.count(x) > 0; }) &&
         std::ranges::includes(known, needed);
}

std::vector<std::size_t> label_counts(const LabelledSet& set) {
  std::vector<std::size_t> counts(set.labels.size());
  for (const LabelledText& item : set.items) ++counts[static_cast<std::size_t>(item.label)];
  return counts;
}

double bag_of_words_accuracy(const LabelledSet& set) {
  const auto data = divide(set.items, &LabelledText::text, 0.2, 1);
  CHECK(fair(data, &LabelledText::text));
  const double accuracy = BagOfWords(data.train, set.labels.size()).accuracy(data.held_out);
  MESSAGE("bag of words on held-out items: " << accuracy);
  return accuracy;
}

const Prompt* find(const std::vector<Prompt>& prompts, const std::string& prompt) {
  const auto found = std::ranges::find(prompts, prompt, &Prompt::prompt);
  return found == prompts.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("labelled: sets are balanced, different in every item and a function of the seed") {
  for (const auto make : {&sentiment_sentences, &topic_sentences}) {
    const LabelledSet set = make(1000, 1), again = make(1000, 1), other = make(1000, 2);
    CHECK(texts(set.items, &LabelledText::text).size() == 1000);
    const auto counts = label_counts(set);
    CHECK(std::ranges::all_of(counts, [&](auto n) { return n == 1000 / counts.size(); }));
    std::size_t same = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
      CHECK(set.items[i].text == again.items[i].text);
      CHECK(set.items[i].label == again.items[i].label);
      same += set.items[i].text == other.items[i].text;
    }
    CHECK(same < 25);
  }
  CHECK(sentiment_sentences(8, 1).labels == std::vector<std::string>{"negative", "positive"});
}

TEST_CASE("draws: as many different items as asked for, or an error that says how many there are") {
  const auto tens = [](std::uint32_t draw, std::size_t place) {
    return LabelledText{std::to_string(draw / 3 % 10), static_cast<int>(place)};
  };
  const std::vector<LabelledText> items = draw_distinct("tens", 10, &LabelledText::text, tens);
  CHECK(texts(items, &LabelledText::text).size() == 10);
  CHECK(items[9].label == 9);
  CHECK_THROWS_WITH_AS(draw_distinct("tens", 11, &LabelledText::text, tens),
                       "tens: needs 11 different items, found 10 (ask for fewer)",
                       std::invalid_argument);
}

TEST_CASE("labelled: a bag of words finds topics, and fails where order decides") {
  CHECK(bag_of_words_accuracy(topic_sentences(4000, 1)) > 0.9);
  const double sentiment = bag_of_words_accuracy(sentiment_sentences(4000, 1));
  CHECK(sentiment < 0.72);
  CHECK(sentiment > 0.45);
}

TEST_CASE("labelled: the same words in another order mean the opposite") {
  const LabelledSet set = sentiment_sentences(8000, 1);
  std::map<std::vector<std::string>, std::set<int>> labels;  // labels of each sorted list of words
  for (const LabelledText& item : set.items) {
    auto words = split_words(item.text, Case::kLower);
    std::ranges::sort(words);
    labels[words].insert(item.label);
  }
  const auto both =
      std::ranges::count_if(labels, [](const auto& x) { return x.second.size() == 2; });
  CHECK(both > 250);
}

TEST_CASE("bag of words: learns labels that one word decides, and refuses unsuitable examples") {
  const std::vector<LabelledText> train = {{"a red hat", 0}, {"A blue hat", 1}, {"red", 0}};
  const BagOfWords model(train, 2);
  CHECK(model.words() == 4);
  CHECK(model.predict("the RED coat") == 0);
  CHECK(model.predict("blue") == 1);
  CHECK(model.accuracy(train) == 1.0);
  CHECK(model.accuracy({}) == 0.0);
  CHECK_THROWS_WITH_AS(BagOfWords(train, 1), "bag of words: labels must be in [0, 1), got 1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(BagOfWords({}, 2), "bag of words: needs at least one text to train on",
                       std::invalid_argument);
}

TEST_CASE("neighbour predictor: both neighbours, then one, then the most frequent token") {
  NeighbourPredictor neighbours;
  CHECK_THROWS_WITH_AS(neighbours.between(1, 2), doctest::Contains("needs observed tokens"),
                       std::invalid_argument);
  const std::vector<std::int32_t> tokens = {1, 5, 2, 1, 6, 3, 1, 6, 4, 7, 7, 7, 7};
  neighbours.observe(tokens);
  CHECK(neighbours.unigram() == 7);
  CHECK(neighbours.between(1, 2) == 5);  // only 5 was between them
  CHECK(neighbours.between(1, 3) == 6);
  CHECK(neighbours.between(1, 9) == 6);  // 9 is new: after 1, 6 occurred twice and 5 once
  CHECK(neighbours.between(1, 7) == 6);  // no token was between: uses the left neighbour
  CHECK(neighbours.between(9, 2) == 5);
  CHECK(neighbours.between(NeighbourPredictor::kUnknown, NeighbourPredictor::kUnknown) == 7);
  // c(l, v) c(v, r) / c(v): 9 is rare and always here, 8 is frequent in other places.
  NeighbourPredictor chain;
  chain.observe(std::vector<std::int32_t>{1, 9, 2});
  chain.observe(std::vector<std::int32_t>{1, 8, 2, 8, 8, 8, 8});
  CHECK(chain.between(1, 2) == 9);
  CHECK_THROWS_WITH_AS(neighbours.observe(std::vector<std::int32_t>{-1}),
                       doctest::Contains("must not be negative, got -1"), std::invalid_argument);
}

TEST_CASE("masked accuracy: counts the masked words, with masked neighbours unknown") {
  NeighbourPredictor neighbours;
  neighbours.observe(std::vector<std::int32_t>{1, 5, 2, 7, 7, 7});
  const std::int32_t mask = 0;
  const IndexTensor inputs = indices({{1, mask, 5}, {mask, mask, 3}});
  const IndexTensor labels = indices({{-100, 5, -100}, {7, 2, -100}});
  const MaskedAccuracy accuracy = masked_accuracy(neighbours, inputs, labels, mask);
  CHECK(accuracy.positions == 3);
  CHECK(accuracy.unigram == doctest::Approx(1.0 / 3));  // 7 for 5, 7, 2
  CHECK(accuracy.bigram == doctest::Approx(2.0 / 3));   // 5 right, 7 right, 7 for 2
  CHECK_THROWS_WITH_AS(masked_accuracy(neighbours, inputs, indices({1, 2}), mask),
                       doctest::Contains("must both be [B, T]"), std::invalid_argument);
}

TEST_CASE("prompts: different, valid UTF-8, split without leaks or unseen words") {
  for (const auto make : {&tweet_prompts, &french_prompts, &summary_prompts, &mixed_prompts}) {
    const std::vector<Prompt> prompts = make(3000, 1);
    CHECK(texts(prompts, &Prompt::prompt).size() == 3000);
    CHECK(texts(make(3000, 2), &Prompt::prompt) != texts(prompts, &Prompt::prompt));
    const auto again = make(3000, 1);
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      CHECK(prompts[i].prompt == again[i].prompt);
      CHECK_NOTHROW(utf8_decode(prompts[i].answer));
      CHECK(prompts[i].answer[0] == ' ');
    }
    for (const std::uint64_t seed : {1, 2, 3}) {
      const auto data = divide(make(6000, seed), &Prompt::prompt, 0.1, seed);
      CHECK(fair(data, &Prompt::prompt));
      CHECK(std::ranges::includes(words(data.train, &Prompt::answer),
                                  words(data.held_out, &Prompt::answer)));
    }
  }
}

TEST_CASE("labelled and prompts: every compiler and machine draws the same") {
  Digest prompts, labelled;
  for (const Prompt& prompt : mixed_prompts(6000, 1)) {
    prompts.add(prompt.prompt);
    prompts.add(prompt.answer);
  }
  for (const auto make : {&sentiment_sentences, &topic_sentences}) {
    for (const LabelledText& item : make(6000, 1).items) labelled.add(item.text);
  }
  CHECK(prompts.value() == 8332038799118248220U);
  CHECK(labelled.value() == 2679934833524470504U);
}

TEST_CASE("prompts: as many positive tweets as negative, each in its form") {
  std::size_t positive = 0;
  for (const Prompt& prompt : tweet_prompts(3000, 1)) {
    positive += prompt.answer == " positive";
    CHECK(prompt.prompt.starts_with("Tweet: "));
    CHECK(prompt.prompt.ends_with(" Sentiment:"));
  }
  CHECK(positive == 1500);
  std::array<std::size_t, 3> tasks{};
  for (const Prompt& prompt : mixed_prompts(3000, 1)) {
    tasks[prompt.task == "sentiment" ? 0 : prompt.task == "to-fr" ? 1 : 2]++;
  }
  CHECK(tasks == std::array<std::size_t, 3>{1000, 1000, 1000});
}

TEST_CASE("prompts: French elides, contracts and agrees") {
  const std::vector<Prompt> prompts = french_prompts(4000, 1);
  for (const auto& expected : std::vector<std::array<std::string, 2>>{
           {"The women are tired.", " Les femmes sont fatiguées."},
           {"The boys are tired.", " Les garçons sont fatigués."},
           {"We go to the market.", " Nous allons au marché."},
           {"She goes to the school.", " Elle va à l'école."},
           {"I have a hat.", " J'ai un chapeau."},
           {"Marie is not busy.", " Marie n'est pas occupée."}}) {
    const Prompt* found = find(prompts, expected[0] + " <to-fr>");
    REQUIRE_MESSAGE(found != nullptr, expected[0]);
    CHECK(found->answer == expected[1]);
  }
  for (const Prompt& prompt : prompts) {
    CAPTURE(prompt.answer);
    for (const std::string wrong :
         {" le a", " la a", " le o", " la o", " ne a", " ne é", "Je a", " à le ", " ma o", " ma a",
          " les pomme ", " une chapeau", " un robe"}) {
      CHECK(prompt.answer.find(wrong) == std::string::npos);
    }
  }
}

TEST_CASE("prompts: a summary is the report's fact, shortened") {
  for (const Prompt& prompt : summary_prompts(2000, 1)) {
    CAPTURE(prompt.prompt);
    CHECK(std::ranges::count(prompt.prompt, '.') == 3);
    const std::size_t on = prompt.prompt.find("On ");
    const std::string fact = prompt.prompt.substr(on, prompt.prompt.find('.', on) + 1 - on);
    CHECK(fact.ends_with(prompt.answer.substr(prompt.answer.find(" in "))));
    const auto shortened = split_words(prompt.answer);
    const auto whole = split_words(fact);
    std::size_t kept = 0;  // in the same order; "a" may have been "an"
    for (const std::string& word : whole) {
      if (kept < shortened.size() && (word == shortened[kept] || word + "n" == shortened[kept] ||
                                      word == shortened[kept] + "n")) {
        ++kept;
      }
    }
    CHECK(kept == shortened.size());
    CHECK(whole.size() == shortened.size() + 5);  // On, day, the, trade, adjective
  }
}
