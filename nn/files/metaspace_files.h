/// @file
/// The tokenizers of Llama 2, Mistral and TinyLlama in Hugging Face's tokenizer.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "nn/text/metaspace_tokenizer.h"

namespace gradus {

/// @addtogroup files
/// @{

/// Whether a tokenizer.json holds such a tokenizer: its BPE model has byte_fallback.
bool holds_metaspace(const nlohmann::json& json);

/// Reads such a file. Blanks are marked by a normalizer (Prepend and Replace) or by a Metaspace
/// pre_tokenizer. Truncation and padding are ignored, and of the post_processor everything except
/// the token before a text. Every setting that would give other tokens than MetaspaceTokenizer is
/// an error.
/// @throws std::invalid_argument naming the wrong part
MetaspaceParts metaspace_from_json(const nlohmann::json& json);

/// @}

}  // namespace gradus
