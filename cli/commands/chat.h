/// @file
/// Takes turns with a user who types: conversations with a model whose folder has a template for
/// them, and a text that user and model write together.
#pragma once

#include <optional>
#include <string>

#include "nn/generate/sampler.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// Whether the folder of a model has a template for conversations.
bool has_chat_template(const Tokenizer& tokenizer);

/// The start of a conversation, and the source of its further messages.
struct ChatRequest {
  std::string system;                ///< a system message; none if it is empty
  std::optional<std::string> start;  ///< the only message of the user; otherwise, lines are read
  Index count = 0;                   ///< the most tokens of an answer
  SampleOptions options;             ///< how tokens are chosen
  std::uint64_t seed = 0;            ///< of the draws
};

/// Takes turns: each line of standard input is a message, and the model answers it, up to an end
/// token. Earlier messages stay, until the model's window is full.
/// @throws std::invalid_argument naming the template's file if it cannot be used, or if the
/// conversation is longer than the window.
void converse(const Gpt& model, const Tokenizer& tokenizer, const ChatRequest& request);

/// Reads lines from standard input until it ends. With an `end`, each line is a prompt, which the
/// model answers with a text up to `end`. Without one, each line is added to the text that user and
/// model have written so far, and the model continues it up to a blank line. The model writes at
/// most `count` tokens a turn.
void chat(const Gpt& model, const Tokenizer& tokenizer, Index count, const SampleOptions& options,
          std::uint64_t seed, const std::string& end);

}  // namespace gradus
