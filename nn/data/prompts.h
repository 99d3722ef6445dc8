/// @file
/// Tasks as prompts, in the manner of GPT-2 (Radford and others, "Language models are unsupervised
/// multitask learners", 2019): the text says what is wanted, and what follows it is the answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/data/split.h"

namespace gradus {

/// @addtogroup data
/// @{

/// What a model reads, and what it should write then.
struct Prompt {
  std::string prompt;  ///< ends where the answer begins
  std::string answer;  ///< begins with a blank, as the text after a word does
  std::string task;    ///< "sentiment", "to-fr" or "summarize"
};

/// `count` different short messages, as many of either sentiment:
/// `Tweet: I love the new park! Sentiment:` to ` positive`, or to ` negative`.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> tweet_prompts(std::size_t count, std::uint64_t seed);

/// `count` different English sentences and their French translation, which is the answer:
/// @code{.txt}
/// The girl wears a red dress. <to-fr> La fille porte une robe rouge.
/// @endcode
/// Present tense, with agreement, elision (l', j', n') and contraction (au), and negation; each
/// sentence has only one translation in this grammar.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> french_prompts(std::size_t count, std::uint64_t seed);

/// `count` different reports of three sentences and their summary, which is the answer:
/// @code{.txt}
/// It was a warm day. On Monday the baker Anna Weber opened a small shop in Oslo.
/// Paul Costa came to look. <summarize> Anna Weber opened a shop in Oslo.
/// @endcode
/// The rule: the sentence in which someone does something to something in a town, without the day,
/// the trade and the adjective. It may stand in any of the three places; the others tell of
/// weather, and of someone else.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> summary_prompts(std::size_t count, std::uint64_t seed);

/// All three in turn: `count` prompts in all. From some 6,000 on, a tenth that is held out has
/// practically no word that the rest does not have.
/// @throws std::invalid_argument if there are fewer than `count`
std::vector<Prompt> mixed_prompts(std::size_t count, std::uint64_t seed);

/// @}

}  // namespace gradus
