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
  /// The kind of a lexeme.
  enum class Kind {
    kName,    ///< a word
    kNumber,  ///< a whole number
    kText,    ///< a text in quotes
    kSign,    ///< one or two other characters
    kEnd,     ///< after the last
  };
  Kind kind;         ///< see Kind
  std::string text;  ///< the text, without quotes
};

/// A part of a template.
struct TemplateChunk {
  /// The kind of a part.
  enum class Kind {
    kText,       ///< text
    kPrint,      ///< {{ }}
    kStatement,  ///< {% %}
  };
  Kind kind;                                 ///< see Kind
  std::string text = {};                     ///< the text of kText
  std::vector<TemplateLexeme> lexemes = {};  ///< of the other kinds; the last is kEnd
};

/// Cuts a template as Hugging Face's readers do: a new line after a statement and blanks before one
/// on its line belong to the statement.
/// @throws std::invalid_argument naming the part that is wrong or not supported
std::vector<TemplateChunk> cut_template(std::string_view source);

/// @}

}  // namespace gradus
