/// @file
/// The words of the English-Portuguese grammar and their forms, for translation.cpp only.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace gradus::grammar {

/// The person of a verb: I, he or she, we, they.
enum Person { kI, kHe, kWe, kThey };

/// The gender of Portuguese nouns, and of words that agree with them.
enum Gender { kMasculine, kFeminine };

/// A Portuguese noun phrase: its definite article ("" for none) and the rest.
struct Named {
  std::string article, noun;
};

/// The subject of a sentence. If English does not show a gender that Portuguese must show, there
/// are two translations.
struct Subject {
  std::string english;
  Person person;
  struct Translation {
    Named name;
    Gender gender;
  };
  std::vector<Translation> portuguese;
};

/// Kinds of nouns, to match verbs and adjectives with.
enum Kind { kThing = 1, kOpens = 2, kWritten = 4, kPrinted = 8, kClothes = 16, kFood = 32 };

/// A countable noun in both languages.
struct Noun {
  std::string english, english_plural, portuguese, portuguese_plural;
  Gender gender;
  int kinds;
};

/// An adjective, with the masculine singular in Portuguese, and the kinds of nouns that it fits.
struct Adjective {
  std::string english, portuguese;
  int kinds;
};

/// The Portuguese forms of a verb; arrays are indexed by Person.
struct Forms {
  std::array<std::string, 4> present, past, future;
  std::string gerund, participle;
};

/// A verb in both languages, and the kinds of nouns that can be its object.
struct Verb {
  std::string english, third_person, past, participle, gerund;
  Forms portuguese;
  int kinds;
};

/// A word and its translation.
struct Words {
  std::string english, portuguese;
};

/// A country or another place, with its Portuguese article.
struct Place {
  std::string english;
  Named portuguese;
};

extern const std::vector<Subject> kNames, kPeople, kPronouns;
extern const std::vector<Noun> kNouns;
extern const std::vector<Adjective> kAdjectives;  // for nouns
extern const std::vector<Words> kStates;          // temporary states of people
extern const std::vector<Verb> kVerbs;
extern const std::vector<Place> kCountries, kPlaces;
extern const std::vector<Words> kMonths;
extern const std::vector<Words> kHabits, kPastTimes, kFutureTimes, kNow;

extern const Forms kEstar, kSer, kTer, kIr, kMorar, kGostar;

/// Returns the forms of a regular verb, whose infinitive ends in -ar, -er or -ir.
Forms regular(const std::string& infinitive);

/// Joins preposition, article and noun with contractions: "de" and "a França" to "da França".
/// Without a preposition (""), joins article and noun.
std::string contracted(const std::string& preposition, const Named& name);

/// Returns the agreeing form of an adjective or participle, which is given in the masculine
/// singular.
std::string agreeing(const std::string& adjective, Gender gender, bool plural);

/// Returns the definite article: o, a, os, as.
std::string article(Gender gender, bool plural);

}  // namespace gradus::grammar
