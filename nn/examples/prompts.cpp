#include "nn/examples/prompts.h"

#include <array>

#include "nn/examples/draws.h"

namespace gradus {
namespace {

using Words = std::vector<std::string>;

// Tweets ------------------------------------------------------------------------------------------
// The index in lists of two is the sentiment: 0 negative, 1 positive.

const Words kPlaces = {"concert", "film", "party", "hotel", "game",
                       "class",   "trip", "park",  "shop",  "bar"};
const Words kThings = {"concert", "film", "party", "hotel", "game",  "class",  "trip",
                       "park",    "shop", "bar",   "song",  "phone", "laptop", "menu"};
const Words kNewness = {"", "new ", "old "};
const std::array<Words, 2> kVerbs = {Words{"hate", "cannot stand", "regret", "dislike"},
                                     Words{"love", "adore", "recommend", "enjoyed"}};
const std::array<Words, 2> kJudgements = {
    Words{"awful", "boring", "terrible", "disappointing", "horrible", "sad"},
    Words{"awesome", "lovely", "fantastic", "amazing", "wonderful", "great"}};
const std::array<Words, 2> kReactions = {
    Words{"never again", "what a waste of time", "so angry now", "my day is ruined"},
    Words{"best day ever", "what a treat", "so happy now", "see you there again"}};
const Words kEnds = {".", "!", "!!", " #today", " #weekend"};

std::string tweet(std::size_t label, Draws& draws) {
  const std::string& newness = draws.pick(kNewness);
  const std::string thing = newness + draws.pick(kThings);
  const std::string& judgement = draws.pick(kJudgements[label]);
  const std::string& reaction = draws.pick(kReactions[label]);
  const std::string& end = draws.pick(kEnds);
  switch (draws.below(6)) {
    case 0:
      return "I " + draws.pick(kVerbs[label]) + " the " + thing + end;
    case 1:
      return "What " + with_article(judgement + " " + thing) + end;
    case 2:
      return "The " + thing + " was " + judgement + ", " + reaction + end;
    case 3:
      return "Just back from the " + newness + draws.pick(kPlaces) + ", " + reaction + end;
    case 4:
      return "I thought the " + thing + " would be " + draws.pick(kJudgements[1 - label]) +
             ", but it was " + judgement + end;
    default:
      return "The " + thing + " is " + judgement + end;
  }
}

// Reports -----------------------------------------------------------------------------------------

const Words kDays = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
const Words kFirstNames = {"Anna", "Paul", "Clara", "Hugo",  "Emma",
                           "Leon", "Nora", "Marco", "Julia", "Oskar"};
const Words kLastNames = {"Weber",  "Costa", "Novak", "Silva", "Berg",
                          "Moreau", "Lind",  "Rossi", "Kowal", "Hansen"};
const Words kTrades = {"baker", "teacher", "painter", "farmer", "student", "nurse", "carpenter"};
const Words kTowns = {"Oslo",   "Lisbon", "Vienna",   "Dublin", "Prague",
                      "Athens", "Naples", "Helsinki", "Lyon",   "Geneva"};

/// An action with its objects, and adjectives for the objects.
struct Deed {
  std::string verb;
  Words things, qualities;
};
const std::vector<Deed> kDeeds = {
    {"opened", {"shop", "school", "museum", "library"}, {"small", "new", "modern", "bright"}},
    {"built", {"bridge", "boat", "house", "tower"}, {"small", "wooden", "big", "beautiful"}},
    {"found", {"ring", "letter", "painting", "coin"}, {"small", "old", "lost", "precious"}},
    {"sold", {"painting", "boat", "house", "piano"}, {"small", "old", "large", "beautiful"}},
    {"won", {"race", "prize", "match", "contest"}, {"big", "annual", "famous", "local"}},
};

const Words kWeather = {"It was a warm day.",     "It rained all morning.",
                        "The sun was shining.",   "A cold wind was blowing.",
                        "The streets were full.", "There was snow on the roofs."};
const Words kOthers = {"came to look.", "sent flowers.",   "took a photograph.",
                       "was proud.",    "brought a cake.", "gave a short speech."};

std::string full_name(Draws& draws) {
  const std::string& first = draws.pick(kFirstNames);
  return first + " " + draws.pick(kLastNames);
}

/// A report with its summary, and the same summary with the adjective.
struct Report {
  Prompt prompt;
  std::string with_quality;
};

Report report(Draws& draws) {
  const std::string name = full_name(draws);
  std::string other = full_name(draws);
  while (other == name) other = full_name(draws);
  const Deed& deed = draws.pick(kDeeds);
  const std::string& thing = draws.pick(deed.things);
  const std::string& quality = draws.pick(deed.qualities);
  const std::string place = " in " + draws.pick(kTowns) + ".";
  const std::string& day = draws.pick(kDays);
  const std::string& trade = draws.pick(kTrades);
  const std::string fact = "On " + day + " the " + trade + " " + name + " " + deed.verb + " " +
                           with_article(quality + " " + thing) + place;
  const std::string& weather = draws.pick(kWeather);
  const std::string more = other + " " + draws.pick(kOthers);
  std::array<std::string, 3> sentences = {weather, more, fact};
  std::swap(sentences[2], sentences[draws.below(3)]);
  std::swap(sentences[0], sentences[draws.below(2)]);
  const auto summary = [&](const std::string& object) {
    return " " + name + " " + deed.verb + " " + with_article(object) + place;
  };
  return {{sentences[0] + " " + sentences[1] + " " + sentences[2] + " <summarize>", summary(thing),
           "summarize"},
          summary(quality + " " + thing)};
}

}  // namespace

std::vector<Prompt> tweet_prompts(std::size_t count, std::uint64_t seed) {
  return draw_distinct("tweet_prompts", count, &Prompt::prompt,
                       [&](std::uint32_t draw, std::size_t place) {
                         Draws draws(data_key(seed, DataSet::kTweets, draw));
                         return Prompt{"Tweet: " + tweet(place % 2, draws) + " Sentiment:",
                                       place % 2 == 0 ? " negative" : " positive", "sentiment"};
                       });
}

std::vector<Prompt> summary_prompts(std::size_t count, std::uint64_t seed) {
  return draw_distinct("summary_prompts", count, &Prompt::prompt,
                       [&](std::uint32_t draw, std::size_t) {
                         Draws draws(data_key(seed, DataSet::kSummaries, draw));
                         return report(draws).prompt;
                       });
}

std::vector<Prompt> report_prompts(std::size_t count, std::uint64_t seed) {
  return draw_distinct("report_prompts", count, &Prompt::prompt,
                       [&](std::uint32_t draw, std::size_t place) {
                         Draws draws(data_key(seed, DataSet::kSummaries, draw));
                         Report drawn = report(draws);
                         if (place % 2 == 1) drawn.prompt.answer = drawn.with_quality;
                         return drawn.prompt;
                       });
}

std::vector<Preference> quality_preferences(std::size_t count, std::uint64_t seed) {
  return draw_distinct(
      "quality_preferences", count, &Preference::prompt, [&](std::uint32_t draw, std::size_t) {
        Draws draws(data_key(seed, DataSet::kPreferences, draw));
        const Report drawn = report(draws);
        return Preference{drawn.prompt.prompt, drawn.with_quality, drawn.prompt.answer};
      });
}

std::vector<Prompt> mixed_prompts(std::size_t count, std::uint64_t seed) {
  const std::array<std::vector<Prompt>, 3> tasks = {tweet_prompts((count + 2) / 3, seed),
                                                    french_prompts((count + 1) / 3, seed),
                                                    summary_prompts(count / 3, seed)};
  std::vector<Prompt> mixed;
  for (std::size_t i = 0; i < count; ++i) mixed.push_back(tasks[i % 3][i / 3]);
  return mixed;
}

}  // namespace gradus
