/// @file
/// Generates English sentences with Portuguese translations from a grammar.
///
/// The Portuguese is Brazilian ("está lendo", "compramos" for both present and past), with one
/// older spelling: months are capitalised, as in the course's example, "Lucas irá visitar o Chile
/// em Janeiro." Tables in translation_grammar.cpp hold the words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/items.h"
#include "nn/data/split.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// Makes `count` pairs with different sources, in random order.
///
/// The sentences are about planned trips, actions, states, passive actions, movements, homes,
/// possessions and tastes, in present continuous, present, past and future. Subject and verb agree
/// in person. Articles, adjectives, participles and numerals agree with nouns in gender and number.
/// Prepositions and articles contract (no, à, dos, pelas). Sources that do not show a gender ("I am
/// tired.", "They", "the teacher") have two translations. Trips have two as well, since their time
/// may come first.
/// @code
/// const SentencePair pair = translation_pairs(8000, 1)[2];
/// pair.source;   // "I paint expensive bicycles every week."
/// pair.targets;  // ["Eu pinto bicicletas caras todas as semanas."]
/// @endcode
/// @throws std::invalid_argument if there are fewer sentences than `count`
std::vector<SentencePair> translation_pairs(std::size_t count, std::uint64_t seed);

/// Returns the course's example: "Lucas is visiting Chile in January." and its two translations.
SentencePair course_example();

/// Makes training and held-out pairs, `count` in total. The course's example is always held out: a
/// model that translates it was trained on its words but not on the sentence.
/// @throws std::invalid_argument as translation_pairs() and divide()
DataSplit<SentencePair> translation_data(std::size_t count, double held_out_share,
                                         std::uint64_t seed);

/// @}

}  // namespace gradus
