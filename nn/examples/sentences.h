/// @file
/// Generated sentences to classify: by sentiment, where word order decides, and by topic, where the
/// words alone decide.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/items.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// `count` different sentences, equally many "negative" (0) and "positive" (1).
///
/// A fifth states a quality directly. The rest depends on order: "The plot was not good but bad."
/// has the words of "The plot was not bad but good."; a negated word means its opposite; of two
/// clauses the main one decides ("Although the music was superb, the ending was dull." is
/// negative), and of two joined by but or yet the second. A classifier that knows which words
/// occur, but not where, is right on the direct ones and hardly better than chance elsewhere.
/// @code
/// const LabelledSet set = sentiment_sentences(4, 1);
/// set.labels;         // ["negative", "positive"]
/// set.items[0].text;  // "The wine was quite remarkable, yet the service spoiled the evening."
/// @endcode
/// @throws std::invalid_argument if there are fewer sentences than `count`
LabelledSet sentiment_sentences(std::size_t count, std::uint64_t seed);

/// `count` different sentences about cooking, sport, weather, music and money, equally many of each
/// (the first classes have one more if `count` is not a multiple of five). Subjects, times and some
/// verbs are shared between topics; the other words distinguish them.
/// @code
/// topic_sentences(5, 1).items[0].text;  // "The old man prepared a pot of beans once again."
/// @endcode
/// @throws std::invalid_argument if there are fewer sentences than `count`
LabelledSet topic_sentences(std::size_t count, std::uint64_t seed);

/// @}

}  // namespace gradus
