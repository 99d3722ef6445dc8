/// @file
/// Writes text from a model to be shown: streamed, in whole characters.
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

/// The defaults for a text: where it begins, where it ends, and how its tokens are chosen.
struct Opening {
  std::string start = "\n";  ///< the model's prompt, which is not shown
  std::string end;           ///< the text ends before this; empty if it just ends
  SampleOptions options;     ///< how tokens are chosen
};

/// The opening of a model's text. A story begins between two stories of the bundled text, and is
/// written at a low temperature, because so small a model invents words otherwise. Other texts
/// begin with the begin token of the tokenizer's rules(), or otherwise with a new line, or with the
/// vocabulary's first token if it holds no new line.
Opening opening_for(const Tokenizer& tokenizer, bool is_bundled);

/// Returns the bytes of a generated token to show: none of a special token, if the tokenizer has
/// rules().
std::string shown_piece(const Tokenizer& tokenizer, std::int32_t token);

/// Continues `prompt`, after the begin token if there is one, with up to `count` tokens and passes
/// them to `sink` in whole characters. Stops when `sink` returns false, before `end`, or at an end
/// token.
void write_text(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                Index count, const SampleOptions& options, const RandomKey& key,
                const std::string& end, const std::function<bool(std::string_view)>& sink);

/// The same for a batch with one text for each key; `sink` also gets the text's number.
void write_texts(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                 Index count, const SampleOptions& options, std::span<const RandomKey> keys,
                 const std::string& end,
                 const std::function<bool(std::size_t, std::string_view)>& sink);

}  // namespace gradus
