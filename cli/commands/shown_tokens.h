/// @file
/// Two more ways to sample: token by token with the tokens that could have been chosen, and in
/// turns with a user who types.
#pragma once

#include <string>

#include "cli/program/write_text.h"

namespace gradus {

/// Whether a user types the lines at a terminal.
bool is_asked();

/// For each of up to `count` tokens, prints the text so far and the `rows` most probable tokens,
/// and marks the token that was drawn. A row shows the model's own probability, also as a bar, and
/// the probability after `options` if they change it. Draws the same tokens as write_text(). The
/// text ends before `end`, unless that is empty.
void show_choices(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                  Index count, const SampleOptions& options, const RandomKey& key, int rows,
                  const std::string& end);

/// Reads lines from standard input until it ends. With an `end`, each line is a prompt, which the
/// model answers with a text up to `end`. Without one, each line is added to the text that user and
/// model have written so far, and the model continues it up to a blank line. The model writes at
/// most `count` tokens a turn.
void chat(const Gpt& model, const Tokenizer& tokenizer, Index count, const SampleOptions& options,
          std::uint64_t seed, const std::string& end);

}  // namespace gradus
