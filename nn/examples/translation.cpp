#include "nn/examples/translation.h"

#include <algorithm>
#include <functional>

#include "nn/examples/draws.h"
#include "nn/examples/translation_grammar.h"

namespace gradus {
namespace {

using namespace grammar;

/// Tenses in English, each with its Portuguese equivalent.
enum Tense { kPresentContinuous, kPresent, kPast, kFuture };

/// "am", "is", "are" or "was", "were".
std::string to_be(Person person, Tense tense) {
  static const std::array<std::string, 4> kAm = {"am", "is", "are", "are"};
  static const std::array<std::string, 4> kWas = {"was", "was", "were", "were"};
  if (tense == kFuture) return "will be";
  return (tense == kPast ? kWas : kAm)[person];
}

/// The Portuguese verb: one word, or estar and the gerund.
std::string conjugated(const Forms& verb, Person person, Tense tense) {
  switch (tense) {
    case kPresentContinuous:
      return kEstar.present[person] + " " + verb.gerund;
    case kPresent:
      return verb.present[person];
    case kPast:
      return verb.past[person];
    case kFuture:
      break;
  }
  return verb.future[person];
}

/// The English verb with its auxiliaries.
std::string conjugated(const Verb& verb, Person person, Tense tense) {
  switch (tense) {
    case kPresentContinuous:
      return to_be(person, kPresent) + " " + verb.gerund;
    case kPresent:
      return person == kHe ? verb.third_person : verb.english;
    case kPast:
      return verb.past;
    case kFuture:
      break;
  }
  return "will " + verb.english;
}

/// A time expression that fits the tense.
const Words& time_of(Tense tense, Draws& draws) {
  const std::vector<Words>* times[] = {&kNow, &kHabits, &kPastTimes, &kFutureTimes};
  return draws.pick(*times[tense]);
}

/// Draws names less often than other people, and pronouns most often: the verbs of pronouns have
/// endings that no noun takes.
const Subject& draw_subject(Draws& draws) {
  const std::size_t group = draws.below(20);
  return draws.pick(group < 5 ? kNames : group < 12 ? kPeople : kPronouns);
}

std::string portuguese(const Subject::Translation& who) { return contracted("", who.name); }

/// An object: "two red apples", "duas maçãs vermelhas".
struct Phrase {
  std::string english;
  Named portuguese;
  Gender gender;
  bool plural;
};

/// The word before a noun.
enum Determiner { kA, kThe, kTheMany, kTwo, kBarePlural };

Phrase draw_phrase(int kinds, Determiner determiner, Draws& draws) {
  std::vector<const Noun*> nouns;
  for (const Noun& noun : kNouns) {
    if (noun.kinds & kinds) nouns.push_back(&noun);
  }
  const Noun& noun = *draws.pick(nouns);
  const bool plural = determiner != kA && determiner != kThe;
  std::string english = plural ? noun.english_plural : noun.english;
  std::string portuguese = plural ? noun.portuguese_plural : noun.portuguese;
  if (draws.chance(60)) {
    std::vector<const Adjective*> adjectives;
    for (const Adjective& adjective : kAdjectives) {
      if (adjective.kinds & noun.kinds & ~kOpens) adjectives.push_back(&adjective);
    }
    const Adjective& adjective = *draws.pick(adjectives);
    english = adjective.english + " " + english;
    portuguese += " " + agreeing(adjective.portuguese, noun.gender, plural);
  }
  const bool feminine = noun.gender == kFeminine;
  switch (determiner) {
    case kA:
      return {with_article(english),
              {"", (feminine ? "uma " : "um ") + portuguese},
              noun.gender,
              plural};
    case kTwo:
      return {
          "two " + english, {"", (feminine ? "duas " : "dois ") + portuguese}, noun.gender, plural};
    case kBarePlural:
      return {english, {"", portuguese}, noun.gender, plural};
    default:
      return {"the " + english, {article(noun.gender, plural), portuguese}, noun.gender, plural};
  }
}

/// Makes a pair: an English sentence, and one Portuguese sentence per translation of the subject.
/// Both are given without capital and full stop.
SentencePair pair(const std::string& english, const Subject& subject,
                  const std::function<std::string(const Subject::Translation&)>& portuguese,
                  const std::string& end = ".") {
  SentencePair pair{capitalised(english) + end, {}};
  for (const Subject::Translation& who : subject.portuguese) {
    const std::string target = capitalised(portuguese(who)) + end;
    if (std::ranges::find(pair.targets, target) == pair.targets.end()) {
      pair.targets.push_back(target);
    }
  }
  return pair;
}

/// "Lucas is visiting Chile in January.": a plan, so Portuguese uses the future.
SentencePair trip(const Subject& who, const Place& country, const Words& month) {
  const std::string visit = who.english + " irá visitar " + contracted("", country.portuguese);
  const std::string when = "m " + month.portuguese;
  return {who.english + " is visiting " + country.english + " in " + month.english + ".",
          {visit + " e" + when + ".", "E" + when + ", " + visit + "."}};
}

/// "The girls are buying two red boats now."
SentencePair action(Draws& draws) {
  const Subject& subject = draw_subject(draws);
  const Verb& verb = draws.pick(kVerbs);
  const auto tense = static_cast<Tense>(draws.below(4));
  static const std::vector<Determiner> kOnce = {kA, kThe, kTheMany, kTwo};
  const Determiner determiner = tense == kPresent ? kBarePlural : draws.pick(kOnce);
  const Phrase object = draw_phrase(verb.kinds, determiner, draws);
  const Words& time = time_of(tense, draws);
  return pair(subject.english + " " + conjugated(verb, subject.person, tense) + " " +
                  object.english + " " + time.english,
              subject, [&](const Subject::Translation& who) {
                return portuguese(who) + " " + conjugated(verb.portuguese, subject.person, tense) +
                       " " + contracted("", object.portuguese) + " " + time.portuguese;
              });
}

/// "My sisters are not tired.", "Was she very busy yesterday?"
SentencePair state(Draws& draws) {
  const Subject& subject = draw_subject(draws);
  const Words& adjective = draws.pick(kStates);
  const auto tense = static_cast<Tense>(kPresent + static_cast<int>(draws.below(3)));
  enum Form { kStatement, kNegation, kQuestion };
  auto form = static_cast<Form>(draws.below(3));
  if (form == kQuestion && (tense == kFuture || subject.person == kI)) form = kStatement;
  const std::string very = adjective.english != "ready" && draws.chance(30) ? "very " : "";
  std::string when, quando;
  if (tense != kPresent) {
    const Words& time = time_of(tense, draws);
    when = " " + time.english;
    quando = " " + time.portuguese;
  }
  const std::string be = to_be(subject.person, tense);
  std::string english = subject.english + " " + be + " ";
  if (form == kQuestion) english = be + " " + subject.english + " ";
  if (form == kNegation) {
    english = subject.english + (tense == kFuture ? " will not be " : " " + be + " not ");
  }
  return pair(
      english + very + adjective.english + when, subject,
      [&](const Subject::Translation& who) {
        return portuguese(who) + (form == kNegation ? " não " : " ") +
               conjugated(kEstar, subject.person, tense) + (very.empty() ? " " : " muito ") +
               agreeing(adjective.portuguese, who.gender, subject.person >= kWe) + quando;
      },
      form == kQuestion ? "?" : ".");
}

/// "The red doors were painted by the women."
SentencePair passive(Draws& draws) {
  const Subject& agent = draws.pick(draws.chance(40) ? kNames : kPeople);
  const Verb& verb = draws.pick(kVerbs);
  const auto tense = draws.chance(60) ? kPast : kFuture;
  const Phrase object = draw_phrase(verb.kinds, draws.chance(50) ? kThe : kTheMany, draws);
  const Person person = object.plural ? kThey : kHe;
  return pair(
      object.english + " " + to_be(person, tense) + " " + verb.participle + " by " + agent.english,
      agent, [&](const Subject::Translation& who) {
        return contracted("", object.portuguese) + " " + conjugated(kSer, person, tense) + " " +
               agreeing(verb.portuguese.participle, object.gender, object.plural) + " " +
               contracted("por", who.name);
      });
}

/// "We will go to the beach tomorrow."
SentencePair way(Draws& draws) {
  static const Verb kGo = {"go", "goes", "went", "gone", "going", kIr, 0};
  const Subject& subject = draw_subject(draws);
  const Place& place = draws.pick(kPlaces);
  const auto tense = static_cast<Tense>(draws.below(4));
  const Words& time = time_of(tense, draws);
  return pair(subject.english + " " + conjugated(kGo, subject.person, tense) + " to " +
                  place.english + " " + time.english,
              subject, [&](const Subject::Translation& who) {
                return portuguese(who) + " " + conjugated(kIr, subject.person, tense) + " " +
                       contracted("a", place.portuguese) + " " + time.portuguese;
              });
}

/// "Clara lives in France.", "The boys are from Brazil."
SentencePair home(Draws& draws) {
  static const Verb kLive = {"live", "lives", "lived", "lived", "living", kMorar, 0};
  const Subject& subject = draw_subject(draws);
  const Place& country = draws.pick(kCountries);
  if (draws.chance(30)) {
    return pair(
        subject.english + " " + to_be(subject.person, kPresent) + " from " + country.english,
        subject, [&](const Subject::Translation& who) {
          return portuguese(who) + " " + kSer.present[subject.person] + " " +
                 contracted("de", country.portuguese);
        });
  }
  const auto tense = static_cast<Tense>(draws.below(4));
  return pair(
      subject.english + " " + conjugated(kLive, subject.person, tense) + " in " + country.english,
      subject, [&](const Subject::Translation& who) {
        return portuguese(who) + " " + conjugated(kMorar, subject.person, tense) + " " +
               contracted("em", country.portuguese);
      });
}

/// "My father has an old coat."
SentencePair possession(Draws& draws) {
  const Subject& subject = draw_subject(draws);
  const Phrase object =
      draw_phrase(kThing | kClothes | kPrinted, draws.chance(50) ? kA : kTwo, draws);
  return pair(subject.english + (subject.person == kHe ? " has " : " have ") + object.english,
              subject, [&](const Subject::Translation& who) {
                return portuguese(who) + " " + kTer.present[subject.person] + " " +
                       contracted("", object.portuguese);
              });
}

/// "He does not like the green skirts."
SentencePair taste(Draws& draws) {
  const Subject& subject = draw_subject(draws);
  const Phrase object = draw_phrase(kThing | kWritten | kPrinted | kClothes | kFood,
                                    draws.chance(50) ? kThe : kTheMany, draws);
  const bool likes = draws.chance(60);
  const bool third = subject.person == kHe;
  const std::string english =
      likes ? (third ? " likes " : " like ") : (third ? " does not like " : " do not like ");
  return pair(subject.english + english + object.english, subject,
              [&](const Subject::Translation& who) {
                return portuguese(who) + (likes ? " " : " não ") + kGostar.present[subject.person] +
                       " " + contracted("de", object.portuguese);
              });
}

SentencePair trip(Draws& draws) {
  // Drawn one by one: the compiler chooses the order in which the arguments of a call are
  // evaluated.
  const Subject& who = draws.pick(kNames);
  const Place& country = draws.pick(kCountries);
  return trip(who, country, draws.pick(kMonths));
}

SentencePair draw_pair(Draws draws) {
  const std::size_t share = draws.below(100);
  if (share < 15) return trip(draws);
  if (share < 50) return action(draws);
  if (share < 65) return state(draws);
  if (share < 75) return passive(draws);
  if (share < 83) return way(draws);
  if (share < 91) return home(draws);
  return share < 95 ? possession(draws) : taste(draws);
}

}  // namespace

std::vector<SentencePair> translation_pairs(std::size_t count, std::uint64_t seed) {
  return draw_distinct("translation_pairs", count, &SentencePair::source,
                       [&](std::uint32_t draw, std::size_t) {
                         return draw_pair(Draws(data_key(seed, DataSet::kTranslation, draw)));
                       });
}

SentencePair course_example() { return trip(kNames[0], kCountries[0], kMonths[0]); }

DataSplit<SentencePair> translation_data(std::size_t count, double held_out_share,
                                         std::uint64_t seed) {
  const SentencePair example = course_example();
  std::vector<SentencePair> pairs = translation_pairs(count, seed);
  std::erase_if(pairs, [&](const SentencePair& pair) { return pair.source == example.source; });
  if (!pairs.empty() && pairs.size() == count) pairs.pop_back();
  DataSplit<SentencePair> data = divide(pairs, &SentencePair::source, held_out_share, seed);
  data.held_out.insert(data.held_out.begin(), example);
  return data;
}

}  // namespace gradus
