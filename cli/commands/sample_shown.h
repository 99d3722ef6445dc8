/// @file
/// Other ways to sample than a text as it goes: token by token with what else there was to choose,
/// and in turns with somebody who types.
#pragma once

#include <string>

#include "cli/program/writing.h"

namespace gradus {

/// Prints, for each of up to `count` tokens, the text so far, the `rows` tokens that the model
/// holds most probable, with its own probabilities, as bars too, and beside them those that the
/// options make of them; and which was drawn. The draws are those of write_text(). The text ends
/// before `end`, unless that is empty.
void show_choices(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                  Index count, const SampleOptions& options, const RandomKey& key, int rows,
                  const std::string& end);

/// Reads lines from standard input until it ends. With an `end`, each line is a prompt, and what
/// follows it up to `end` is its answer. Without, each line is added to the text of both so far,
/// which the model then continues up to a blank line. At most `count` tokens a turn.
void chat(const Gpt& model, const Tokenizer& tokenizer, Index count, const SampleOptions& options,
          std::uint64_t seed, const std::string& end);

}  // namespace gradus
