#include "nn/examples/sentences.h"

#include <array>

#include "nn/examples/draws.h"

namespace gradus {
namespace {

using Words = std::vector<std::string>;

// Sentiment ---------------------------------------------------------------------------------------

/// Aspects that occur in one sentence: aspects of a film, then of a restaurant.
const std::array<Words, 2> kAspects = {
    Words{"plot", "acting", "music", "ending", "story", "script", "humour"},
    Words{"food", "wine", "service", "view", "dessert", "soup", "terrace"}};

/// Negative (0) and positive (1) words.
const std::array<Words, 2> kQualities = {
    Words{"bad", "dull", "weak", "poor", "boring", "tiresome", "unpleasant", "disappointing"},
    Words{"good", "fine", "lovely", "pleasant", "charming", "impressive", "enjoyable",
          "remarkable"}};

const Words kDegrees = {"", "very ", "really ", "truly ", "quite "};
const Words kDenials = {"not", "never", "hardly", "far from", "anything but"};

/// A sentence whose overall sentiment is `label`.
std::string sentiment(std::size_t label, Draws& draws) {
  const std::string& meant = draws.pick(kQualities[label]);
  const std::string& opposite = draws.pick(kQualities[1 - label]);
  const Words& aspects = draws.pick(kAspects);
  const std::size_t first = draws.below(aspects.size());
  const std::size_t step = 1 + draws.below(aspects.size() - 1);
  const std::string& one = aspects[first];
  const std::string& other = aspects[(first + step) % aspects.size()];
  const std::string& degree = draws.pick(kDegrees);
  switch (draws.below(10)) {
    case 0:
    case 1:
      return "The " + one + " was " + degree + meant + ".";
    case 2:
      return "The " + one + " was " + draws.pick(kDenials) + " " + opposite + ".";
    case 3:
      return "The " + one + " was not " + opposite + " but " + meant + ".";
    case 4:
      return "The " + one + " was " + degree + meant + ", not " + opposite + ".";
    case 5: {
      const std::string join = draws.chance(50) ? "but" : "yet";
      return "The " + one + " was " + degree + opposite + ", " + join + " the " + other + " was " +
             meant + ".";
    }
    case 6:
      return "Although the " + one + " was " + opposite + ", the " + other + " was " + degree +
             meant + ".";
    case 7:
      return "The " + one + " was " + degree + meant + ", although the " + other + " was " +
             opposite + ".";
    case 8:
      return "At first the " + one + " seemed " + opposite + ", but in the end it was " + degree +
             meant + ".";
    default:
      return "The " + one + " was " + degree + opposite + ", yet the " + other +
             (label == 1 ? " saved the evening." : " spoiled the evening.");
  }
}

// Topics ------------------------------------------------------------------------------------------

/// Each subject of a topic fits each of its verbs and objects.
struct Topic {
  std::string name;
  Words subjects, verbs, objects;
};

const std::array<Topic, 5> kTopics = {
    Topic{"cooking",
          {"the cook", "the baker", "our host", "my sister", "the old man", "a neighbour"},
          {"prepared", "tasted", "salted", "served", "burnt"},
          {"the soup", "a loaf of bread", "the apple pie", "a pot of beans", "the sauce",
           "the roast potatoes", "a plate of rice"}},
    Topic{"sport",
          {"the runner", "the goalkeeper", "our team", "my sister", "the old man", "a neighbour"},
          {"won", "lost", "missed", "watched", "trained for"},
          {"the match", "the final", "a long race", "the tournament", "the second round",
           "the relay", "the cup"}},
    Topic{
        "weather",
        {"heavy rain", "a cold wind", "thick fog", "the storm", "the first snow", "warm sunshine"},
        {"reached", "surprised", "came over", "hung over", "filled"},
        {"the valley", "the coast", "the mountain villages", "the harbour", "the eastern hills",
         "the islands", "the plain"}},
    Topic{"music",
          {"the pianist", "the choir", "the band", "my sister", "the old man", "a neighbour"},
          {"played", "rehearsed", "recorded", "practised", "performed"},
          {"the old song", "the symphony", "a slow waltz", "the second movement", "a ballad",
           "the overture", "a string quartet"}},
    Topic{"money",
          {"the bank", "the company", "an investor", "my sister", "the old man", "a neighbour"},
          {"paid", "reduced", "calculated", "checked", "forgot"},
          {"the debts", "the yearly taxes", "the loan", "the bank fees", "the rent", "a large bill",
           "the interest"}},
};

const Words kTimes = {"",           " yesterday",   " in the evening", " last week",
                      " on Monday", " before noon", " once again",     " for the first time"};

}  // namespace

LabelledSet sentiment_sentences(std::size_t count, std::uint64_t seed) {
  const auto make = [&](std::uint32_t draw, std::size_t place) {
    Draws draws(data_key(seed, DataSet::kSentiment, draw));
    return LabelledText{sentiment(place % 2, draws), static_cast<int>(place % 2)};
  };
  return {{"negative", "positive"},
          draw_distinct("sentiment_sentences", count, &LabelledText::text, make)};
}

LabelledSet topic_sentences(std::size_t count, std::uint64_t seed) {
  const auto make = [&](std::uint32_t draw, std::size_t place) {
    Draws draws(data_key(seed, DataSet::kTopics, draw));
    const Topic& topic = kTopics[place % kTopics.size()];
    std::string sentence = draws.pick(topic.subjects) + " ";
    sentence += draws.pick(topic.verbs) + " ";
    sentence += draws.pick(topic.objects);
    sentence += draws.pick(kTimes);
    return LabelledText{capitalised(sentence) + ".", static_cast<int>(place % kTopics.size())};
  };
  LabelledSet set{{}, draw_distinct("topic_sentences", count, &LabelledText::text, make)};
  for (const Topic& topic : kTopics) set.labels.push_back(topic.name);
  return set;
}

}  // namespace gradus
