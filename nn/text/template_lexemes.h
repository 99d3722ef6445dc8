/// @file
/// Cuts a chat template into texts and tags, and the tags into lexemes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// A word, number, text or sign between {% and %}.
struct TemplateLexeme {
  /// What a lexeme is.
  enum class Kind {
    kName,    ///< a word
    kNumber,  ///< a whole number
    kText,    ///< a text, which was in quotes
    kSign,    ///< one or two other characters
    kEnd,     ///< after the last
  };
  Kind kind;         ///< what it is
  std::string text;  ///< the text, without quotes
};

/// A part of a template.
struct TemplateChunk {
  /// What a part is.
  enum class Kind {
    kText,       ///< text
    kPrint,      ///< {{ }}
    kStatement,  ///< {% %}
  };
  Kind kind;                                 ///< what it is
  std::string text = {};                     ///< of kText
  std::vector<TemplateLexeme> lexemes = {};  ///< of the others; the last is kEnd
};

/// Cuts a template as Hugging Face's readers do: a new line after a statement and blanks before one
/// on its line belong to the statement.
/// @throws std::invalid_argument naming the part that is wrong or not supported
std::vector<TemplateChunk> cut_template(std::string_view source);

/// @}

}  // namespace gradus
