/// @file
/// Generates sentences to classify: by sentiment, which depends on the order of words, and by
/// topic, which depends on the words alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/items.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// Makes `count` different sentences, half "negative" (0) and half "positive" (1).
///
/// A fifth of the sentences states a quality directly. The label of the others depends on the order
/// of words: "The plot was not good but bad." has the words of "The plot was not bad but good."; a
/// negated word means its opposite; the main clause decides ("Although the music was superb, the
/// ending was dull." is negative); the second of two clauses joined with but or yet decides. A
/// classifier that uses words without their positions is right on the direct sentences and hardly
/// better than chance on the others.
/// @code
/// const LabelledSet set = sentiment_sentences(4, 1);
/// set.labels;         // ["negative", "positive"]
/// set.items[0].text;  // "The wine was quite remarkable, yet the service spoiled the evening."
/// @endcode
/// @throws std::invalid_argument if there are fewer sentences than `count`
LabelledSet sentiment_sentences(std::size_t count, std::uint64_t seed);

/// Makes `count` different sentences about cooking, sport, weather, music and money, equally many
/// for each topic (the first topics have one more if `count` is not a multiple of five). Topics
/// share subjects, times and some verbs; the other words distinguish them.
/// @code
/// topic_sentences(5, 1).items[0].text;  // "The old man prepared a pot of beans once again."
/// @endcode
/// @throws std::invalid_argument if there are fewer sentences than `count`
LabelledSet topic_sentences(std::size_t count, std::uint64_t seed);

/// @}

}  // namespace gradus
