/// @file
/// The rules for texts in the folder of a model, except the tokenizer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// Where the texts of a model begin and end, and how conversations are written. See
/// text_rules_files.h.
struct TextRules {
  std::optional<std::int32_t> begin;  ///< the token before each text
  std::vector<std::int32_t> ends;     ///< the tokens that end a generated text
  std::string chat_template;          ///< the source for a ChatTemplate; empty if there is none
  std::string chat_file;              ///< the path of the file that holds it, for messages
  std::map<std::string, std::string> names;  ///< texts of tokens for the template, as `bos_token`
  std::map<std::string, std::string> files;  ///< the files, which are written again as they are
};

/// @}

}  // namespace gradus
