/// @file
/// Text from a model, as it is shown: streamed, in whole characters.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/generate/sampler.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// How a text is written if the user asks for nothing particular: where it begins, where it ends,
/// and how its tokens are chosen.
struct Opening {
  std::string start = "\n";  ///< what the model is given, and what is not shown
  std::string end;           ///< the text ends before this; empty if it just ends
  SampleOptions options;     ///< how tokens are chosen
};

/// The opening of a model's text: between two of the fables, or a new line where the vocabulary has
/// one, else its first token. Fables are written cautiously: a model so small invents words
/// otherwise.
Opening opening_for(const Tokenizer& tokenizer, bool fables);

/// Continues `prompt` by up to `count` tokens and hands them on in whole characters, until `sink`
/// returns false or `end` would come.
void write_text(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                Index count, const SampleOptions& options, const RandomKey& key,
                const std::string& end, const std::function<bool(std::string_view)>& sink);

/// The same for a batch of as many texts as there are keys; `sink` gets the number of the text
/// too.
void write_texts(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                 Index count, const SampleOptions& options, std::span<const RandomKey> keys,
                 const std::string& end,
                 const std::function<bool(std::size_t, std::string_view)>& sink);

}  // namespace gradus
