/// @file
/// Learns tokenizers while the user waits.
#pragma once

#include <memory>
#include <string>

#include "nn/data/corpus.h"

namespace gradus {

/// learn_tokenizer() with a live line on terminals, and with errors that name the flags.
std::unique_ptr<Tokenizer> learn_shown(const std::string& kind, const Text& text, int vocab_size);

}  // namespace gradus
