/// @file
/// Sentences to classify, made by rules of our own: sentiment, where the order of words decides,
/// and topics, where the words alone do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/split.h"

namespace gradus {

/// @addtogroup data
/// @{

/// A text and the number of its class.
struct LabelledText {
  std::string text;  ///< what is to be classified
  int label;         ///< its class, a place in LabelledSet::labels
};

/// Texts and the names of their classes.
struct LabelledSet {
  std::vector<std::string> labels;  ///< the name of each class
  std::vector<LabelledText> items;  ///< in no particular order
};

/// `count` different sentences, as many "negative" (0) as "positive" (1) ones.
///
/// A fifth states a quality plainly. The rest turns on order: "The plot was not good but bad." has
/// the words of "The plot was not bad but good."; a denied word means its opposite; of two clauses
/// the main one decides ("Although the music was superb, the ending was dull." is negative), and
/// of two joined by but or yet the second. A classifier that knows which words occur, and not
/// where, is right on the plain ones and little more than a coin elsewhere.
/// @throws std::invalid_argument if there are fewer sentences than `count`
LabelledSet sentiment_sentences(std::size_t count, std::uint64_t seed);

/// `count` different sentences about cooking, sport, weather, music and money, equally many of each
/// (the first classes have one more if `count` is no multiple of five). Subjects, times and some
/// verbs are shared between topics; the other words tell them apart.
/// @throws std::invalid_argument if there are fewer sentences than `count`
LabelledSet topic_sentences(std::size_t count, std::uint64_t seed);

/// @}

}  // namespace gradus
