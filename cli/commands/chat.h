/// @file
/// Conversations with a model whose folder has a template for them.
#pragma once

#include <optional>
#include <string>

#include "nn/generate/sampler.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// Whether the folder of a model has a template for conversations.
bool has_chat_template(const Tokenizer& tokenizer);

/// What a conversation begins with, and how it goes on.
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
/// conversation is longer than the window
void converse(const Gpt& model, const Tokenizer& tokenizer, const ChatRequest& request);

}  // namespace gradus
