/// @file
/// Chapter 20's data: tweets, translations and summaries by three small grammars, and words as
/// tokens. Every draw comes from a key, so the same seed gives the same data.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#if __has_include("pocket/write.h")
#include "pocket/write.h"  // the reader's, with --mine
#else
#include "tutorials/pocket/write.h"  // an exercise
#endif

namespace tasks {

using namespace pocket;

/// The input of the model, and the expected output.
struct Prompt {
  std::string text, answer;
};

/// The tasks, in this order everywhere.
inline const std::array<std::string, 3> kTasks = {"sentiment", "translation", "summary"};

/// The three prompts at the top of the page. No model of this chapter is trained on them.
inline const std::array<Prompt, 3> kShown = {
    Prompt{"Tweet: I love the new park! Sentiment:", "positive"},
    Prompt{"The girl wears a red dress. <to-fr>", "La fille porte une robe rouge."},
    Prompt{"It was a warm day. On Monday the baker Anna Weber opened a small shop in Oslo. Paul "
           "Costa came to look. <summarize>",
           "Anna Weber opened a shop in Oslo."}};

// [Draws]
/// The random choices of one example, in order. Draw once an expression: its parts have no order.
struct Draws {
  Index below(Index n) { return uniform_index(key, next++, n); }
  bool chance(Index percent) { return below(100) < percent; }
  template <class List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(below(std::ssize(list)))];
  }
  RandomKey key;
  Index next = 0;
};
// [Draws]

inline std::string with_article(const std::string& words) {
  return (std::string("aeiou").find(words[0]) != std::string::npos ? "an " : "a ") + words;
}

// Tweets ------------------------------------------------------------------------------------------

using Words = std::vector<std::string>;

// [tweet]
/// In lists of two, 0 is negative and 1 is positive. A "not" reverses the sentiment.
inline Prompt tweet(Draws& draws) {
  static const Words things = {"park",  "film", "hotel", "party", "game",
                               "class", "shop", "song",  "phone", "menu"};
  static const Words news = {"", "new ", "old "}, ends = {".", "!"};
  static const std::array<Words, 2> verbs = {Words{"hate", "regret", "dislike"},
                                             Words{"love", "adore", "enjoy"}};
  static const std::array<Words, 2> judgements = {Words{"awful", "boring", "terrible", "sad"},
                                                  Words{"lovely", "great", "wonderful", "amazing"}};
  static const std::array<Words, 2> reactions = {
      Words{"never again", "what a waste of time", "so angry now"},
      Words{"best day ever", "what a treat", "so happy now"}};
  const auto label = static_cast<std::size_t>(draws.below(2));
  const std::string& age = draws.pick(news);
  const std::string thing = age + draws.pick(things);
  const std::string& verb = draws.pick(verbs[label]);
  const std::string& other_verb = draws.pick(verbs[1 - label]);
  const std::string& judgement = draws.pick(judgements[label]);
  const std::string& other = draws.pick(judgements[1 - label]);
  const std::string& reaction = draws.pick(reactions[label]);
  const std::string& end = draws.pick(ends);
  const std::array<std::string, 6> forms = {
      "I " + verb + " the " + thing,
      "I " + verb + " the " + thing + ", " + reaction,
      "I do not " + other_verb + " the " + thing,
      "What " + with_article(judgement + " " + thing),
      "The " + thing + " was " + judgement + ", " + reaction,
      "The " + thing + " was " + judgement + ", not " + other};
  return {"Tweet: " + draws.pick(forms) + end + " Sentiment:",
          label == 0 ? "negative" : "positive"};
}
// [tweet]

// Translations ------------------------------------------------------------------------------------

// [translation]
struct Noun {
  std::string english, french;
  bool feminine;
};

/// An English sentence and its French translation: verbs agree in number, articles and adjectives
/// in gender, and most adjectives come after their noun.
inline Prompt translation(Draws& draws) {
  struct Subject {
    std::string english, french;
    bool plural;
  };
  static const std::vector<Subject> subjects = {{"The girl", "La fille", false},
                                                {"The boy", "Le garçon", false},
                                                {"My sister", "Ma sœur", false},
                                                {"My brother", "Mon frère", false},
                                                {"She", "Elle", false},
                                                {"He", "Il", false},
                                                {"The women", "Les femmes", true},
                                                {"The boys", "Les garçons", true}};
  struct Verb {
    std::array<std::string, 2> english, french;  // singular, plural
  };
  static const std::vector<Verb> verbs = {{{"wears", "wear"}, {"porte", "portent"}},
                                          {{"sees", "see"}, {"voit", "voient"}},
                                          {{"buys", "buy"}, {"achète", "achètent"}},
                                          {{"sells", "sell"}, {"vend", "vendent"}},
                                          {{"wants", "want"}, {"veut", "veulent"}}};
  static const std::vector<Noun> nouns = {{"dress", "robe", true},   {"shirt", "chemise", true},
                                          {"skirt", "jupe", true},   {"tie", "cravate", true},
                                          {"hat", "chapeau", false}, {"coat", "manteau", false},
                                          {"bag", "sac", false},     {"scarf", "foulard", false}};
  struct Adjective {
    std::string english, masculine, feminine;
    bool before;
  };
  static const std::vector<Adjective> adjectives = {
      {"red", "rouge", "rouge", false},     {"green", "vert", "verte", false},
      {"white", "blanc", "blanche", false}, {"black", "noir", "noire", false},
      {"small", "petit", "petite", true},   {"big", "grand", "grande", true}};
  const Subject& subject = draws.pick(subjects);
  const Verb& verb = draws.pick(verbs);
  const Noun& noun = draws.pick(nouns);
  const bool described = draws.chance(75), definite = draws.chance(50);
  const Adjective& adjective = draws.pick(adjectives);
  const std::string agreeing = noun.feminine ? adjective.feminine : adjective.masculine;
  std::string english = noun.english, french = noun.french;
  if (described) {
    english = adjective.english + " " + english;
    french = adjective.before ? agreeing + " " + french : french + " " + agreeing;
  }
  const std::string article =
      noun.feminine ? (definite ? "la " : "une ") : (definite ? "le " : "un ");
  return {subject.english + " " + verb.english[subject.plural] + (definite ? " the " : " a ") +
              english + ". <to-fr>",
          subject.french + " " + verb.french[subject.plural] + " " + article + french + "."};
}

// [translation]

// Reports -----------------------------------------------------------------------------------------

// [report]
/// Three sentences; one of them is the news. The summary is the news without the day, the trade
/// and the adjective.
inline Prompt report(Draws& draws) {
  static const Words days = {"Monday", "Tuesday", "Friday", "Sunday"};
  static const Words firsts = {"Anna", "Paul", "Clara", "Hugo", "Emma", "Leon"};
  static const Words lasts = {"Weber", "Costa", "Novak", "Silva", "Berg", "Moreau"};
  static const Words trades = {"baker", "teacher", "painter", "farmer"};
  static const Words towns = {"Oslo", "Lisbon", "Vienna", "Dublin", "Prague", "Athens"};
  static const Words qualities = {"small", "new", "beautiful", "famous"};
  static const Words weather = {"It was a warm day.", "It rained all day.", "The sun was out."};
  static const Words others = {"came to look.", "sent flowers.", "was proud."};
  struct Deed {
    std::string verb;
    Words things;
  };
  static const std::vector<Deed> deeds = {{"opened", {"shop", "school", "museum"}},
                                          {"built", {"bridge", "boat", "house"}},
                                          {"sold", {"house", "boat", "painting"}}};
  const std::string& first = draws.pick(firsts);
  const std::string& last = draws.pick(lasts);
  const std::string& other_first = draws.pick(firsts);
  const std::string& other_last = draws.pick(lasts);
  const Deed& deed = draws.pick(deeds);
  const std::string& thing = draws.pick(deed.things);
  const std::string& town = draws.pick(towns);
  const std::string& day = draws.pick(days);
  const std::string& trade = draws.pick(trades);
  const std::string& quality = draws.pick(qualities);
  const std::string who = first + " " + last, where = " in " + town + ".";
  std::array<std::string, 3> sentences = {draws.pick(weather), "",
                                          "On " + day + " the " + trade + " " + who + " " +
                                              deed.verb + " a " + quality + " " + thing + where};
  sentences[1] = other_first + " " + other_last + " " + draws.pick(others);
  std::swap(sentences[2], sentences[static_cast<std::size_t>(draws.below(3))]);
  return {sentences[0] + " " + sentences[1] + " " + sentences[2] + " <summarize>",
          who + " " + deed.verb + " a " + thing + where};
}

// [report]

// All three ---------------------------------------------------------------------------------------

using Generator = Prompt (*)(Draws&);
inline const std::array<Generator, 3> kGenerators = {tweet, translation, report};

// [Data]
/// A text counts as the same with "!" and with ".".
inline std::string without_sign(std::string text) {
  std::replace(text.begin(), text.end(), '!', '.');
  return text;
}

/// Different prompts of each task, for training and held out. kShown are in neither. No prompt for
/// training is a held-out prompt or one of kShown with another punctuation mark.
struct Data {
  Data(Index train_count, Index held_out_count, const std::vector<Generator>& more = {}) {
    std::vector<Generator> make(kGenerators.begin(), kGenerators.end());
    make.insert(make.end(), more.begin(), more.end());
    train.resize(make.size()), held_out.resize(make.size());
    for (std::size_t task = 0; task < make.size(); ++task) {
      std::set<std::string> seen, kept;
      if (task < 3) kept.insert(without_sign(kShown[task].text));
      for (std::uint32_t i = 0; std::ssize(train[task]) < train_count; ++i) {
        Draws draws{{1, static_cast<std::uint32_t>(task), i}};
        const Prompt prompt = make[task](draws);
        const std::string text = without_sign(prompt.text);
        if (kept.contains(text) || !seen.insert(prompt.text).second) continue;
        if (std::ssize(held_out[task]) < held_out_count) {
          kept.insert(text), held_out[task].push_back(prompt);
        } else {
          train[task].push_back(prompt);
        }
      }
    }
  }
  std::vector<std::vector<Prompt>> train, held_out;
};
// [Data]

/// A token for each word and each sign. Signs follow their word without a space. Token 0 is <end>.
struct WordTokenizer {
  /// Learns the words of all prompts and answers.
  explicit WordTokenizer(const Data& data) {
    const auto learn = [&](const Prompt& prompt) {
      for (const std::string& word : cut(prompt.text + " " + prompt.answer)) {
        if (numbers.emplace(word, static_cast<std::int32_t>(words.size())).second) {
          words.push_back(word);
        }
      }
    };
    for (const Prompt& prompt : kShown) learn(prompt);
    for (const auto& task : data.train) std::for_each(task.begin(), task.end(), learn);
    for (const auto& task : data.held_out) std::for_each(task.begin(), task.end(), learn);
  }
  static bool is_sign(char c) { return c == '.' || c == ',' || c == '!'; }
  static std::vector<std::string> cut(const std::string& text) {
    std::vector<std::string> pieces;
    bool new_word = true;
    for (const char c : text) {
      if (c == ' ') {
        new_word = true;
        continue;
      }
      if (new_word || is_sign(c)) pieces.emplace_back();
      pieces.back() += c;
      new_word = false;
    }
    return pieces;
  }
  Tokens encode(const std::string& text) const {
    Tokens tokens;
    for (const std::string& word : cut(text)) tokens.push_back(numbers.at(word));
    return tokens;
  }
  std::string decode(const Tokens& tokens) const {
    std::string text;
    for (const std::int32_t token : tokens) {
      const std::string& word = words.at(static_cast<std::size_t>(token));
      if (!text.empty() && !is_sign(word[0])) text += ' ';
      text += word;
    }
    return text;
  }
  Index vocab_size() const { return std::ssize(words); }
  std::vector<std::string> words{"<end>"};
  std::map<std::string, std::int32_t> numbers{{"<end>", 0}};
};

}  // namespace tasks
