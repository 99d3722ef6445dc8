/// @file
/// Tasks as prompts, as for GPT-2 (Radford and others, "Language models are unsupervised multitask
/// learners", 2019): the text names the task, and the answer follows the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/items.h"

namespace gradus {

/// @addtogroup examples
/// @{

/// Makes `count` different short messages, half of each sentiment: `Tweet: I love the new park!
/// Sentiment:` with the answer ` positive` or ` negative`.
/// @code
/// tweet_prompts(2, 1)[0].prompt;  // "Tweet: The new phone is boring #today Sentiment:"
/// tweet_prompts(2, 1)[0].answer;  // " negative"
/// @endcode
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> tweet_prompts(std::size_t count, std::uint64_t seed);

/// Makes `count` different English sentences with their French translation as the answer:
/// @code{.txt}
/// The girl wears a red dress. <to-fr> La fille porte une robe rouge.
/// @endcode
/// The sentences are in the present tense, with agreement, elision (l', j', n'), contraction (au)
/// and negation. Each sentence has exactly one translation in this grammar.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> french_prompts(std::size_t count, std::uint64_t seed);

/// Makes `count` different reports of three sentences with their summary as the answer:
/// @code{.txt}
/// It was a warm day. On Monday the baker Anna Weber opened a small shop in Oslo.
/// Paul Costa came to look. <summarize> Anna Weber opened a shop in Oslo.
/// @endcode
/// The summary is the sentence in which a person acts on an object in a town, without the day, the
/// trade and the adjective. This may be any of the three sentences. The others are about the
/// weather and about another person.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> summary_prompts(std::size_t count, std::uint64_t seed);

/// Makes `count` different reports, as summary_prompts() does. The answer is the summary, in every
/// second report with the adjective: `Anna Weber opened a small shop in Oslo.` A model that was
/// trained on them writes either, and quality_preferences() teach it to choose.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> report_prompts(std::size_t count, std::uint64_t seed);

/// Makes `count` different reports with two summaries, of which the one with the adjective is
/// better:
/// @code{.txt}
/// Anna Weber opened a small shop in Oslo.
/// Anna Weber opened a shop in Oslo.
/// @endcode
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Preference> quality_preferences(std::size_t count, std::uint64_t seed);

/// Makes `count` prompts with the three tasks in turn. From about 6,000 prompts on, hardly any word
/// in a held-out tenth is missing from the rest.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> mixed_prompts(std::size_t count, std::uint64_t seed);

/// @}

}  // namespace gradus
