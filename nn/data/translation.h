/// @file
/// English sentences with their Portuguese translations, from a grammar of our own.
///
/// Portuguese as in Brazil ("está lendo", "compramos" for past and present alike), with one habit
/// of the older spelling: months have a capital, as in the example that the course is built around,
/// "Lucas irá visitar o Chile em Janeiro." The words are tables in translation_grammar.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/split.h"

namespace gradus {

/// @addtogroup data
/// @{

/// A sentence and its translations, all of them correct; one at least.
struct SentencePair {
  std::string source;                ///< as it was said
  std::vector<std::string> targets;  ///< what may be said in the other language
};

/// `count` pairs of different sources, each as likely in any place as in any other.
///
/// The grammar has planned trips, things that people do, states, passives, ways and homes,
/// possessions and tastes, in present continuous, present, past and future. Subject and verb agree
/// in person, nouns with articles, adjectives, participles and numerals in gender and number;
/// prepositions and articles contract (no, à, dos, pelas). Sources that do not tell a gender ("I am
/// tired.", "They", "the teacher") have two translations, as have trips, whose time may come first.
///
///     translation_pairs(8000, 1)[2];
///     // {"I paint expensive bicycles every week.",
///     //  {"Eu pinto bicicletas caras todas as semanas."}}
///
/// @throws std::invalid_argument if there are fewer sentences than `count`
std::vector<SentencePair> translation_pairs(std::size_t count, std::uint64_t seed);

/// The course's example: "Lucas is visiting Chile in January." and its two translations.
SentencePair course_example();

/// Pairs to train on and pairs held out, `count` in all. The course's example is always held out:
/// a model that translates it has met its words and never the sentence.
/// @throws std::invalid_argument as translation_pairs() and divide()
Divided<SentencePair> translation_data(std::size_t count, double held_out_share,
                                       std::uint64_t seed);

/// @}

}  // namespace gradus
