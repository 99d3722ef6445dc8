/// @file
/// Tasks as prompts, like GPT-2's (Radford and others, "Language models are unsupervised multitask
/// learners", 2019): the text names the task, and the answer follows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/items.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// `count` different short messages, half of each sentiment: `Tweet: I love the new park!
/// Sentiment:` to ` positive` or ` negative`.
/// @code
/// tweet_prompts(2, 1)[0].prompt;  // "Tweet: The new phone is boring #today Sentiment:"
/// tweet_prompts(2, 1)[0].answer;  // " negative"
/// @endcode
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> tweet_prompts(std::size_t count, std::uint64_t seed);

/// `count` different English sentences and their French translation, which is the answer:
/// @code{.txt}
/// The girl wears a red dress. <to-fr> La fille porte une robe rouge.
/// @endcode
/// Present tense, with agreement, elision (l', j', n'), contraction (au) and negation; each
/// sentence has exactly one translation in this grammar.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> french_prompts(std::size_t count, std::uint64_t seed);

/// `count` different reports of three sentences and their summary, which is the answer:
/// @code{.txt}
/// It was a warm day. On Monday the baker Anna Weber opened a small shop in Oslo.
/// Paul Costa came to look. <summarize> Anna Weber opened a shop in Oslo.
/// @endcode
/// The rule: keep the sentence in which someone does something to something in a town, without the
/// day, the trade and the adjective. It may be any of the three; the others are about the weather
/// and about someone else.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> summary_prompts(std::size_t count, std::uint64_t seed);

/// All three in turn: `count` prompts in all. With about 6,000 or more, hardly any word in a
/// held-out tenth is missing from the rest.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> mixed_prompts(std::size_t count, std::uint64_t seed);

/// @}

}  // namespace gradus
