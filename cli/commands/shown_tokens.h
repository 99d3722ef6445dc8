/// @file
/// Samples token by token, and shows the tokens that could have been chosen.
#pragma once

#include <string>

#include "cli/program/write_text.h"

namespace gradus {

/// For each of up to `count` tokens, prints the text so far and the `rows` most probable tokens,
/// and marks the token that was drawn. A row shows the model's own probability, also as a bar, and
/// the probability after `options` if they change it. Draws the same tokens as write_text(). The
/// text ends before `end`, unless that is empty.
void show_choices(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                  Index count, const SampleOptions& options, const RandomKey& key, int rows,
                  const std::string& end);

}  // namespace gradus
