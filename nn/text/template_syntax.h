/// @file
/// The syntax of chat templates: a part of the template language Jinja. chat_template.h evaluates
/// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// @addtogroup text
/// @{

/// An expression of a template, with its operands in `parts`.
struct TemplateExpression {
  /// The kind of an expression.
  enum class Kind {
    kNone,       ///< none
    kTruth,      ///< true or false: `number` is 1 or 0
    kNumber,     ///< `number`
    kText,       ///< `name`
    kName,       ///< a variable or function, `name`
    kList,       ///< [parts]
    kTable,      ///< {parts[0]: parts[1], ...}
    kAttribute,  ///< parts[0].name
    kItem,       ///< parts[0][parts[1]]
    kSlice,      ///< parts[0][parts[1]:parts[2]:parts[3]]; kNone for a part left out
    kCall,       ///< parts[0](parts[1], ...), with `keys`
    kFilter,     ///< parts[0] | name(parts[1], ...), with `keys`
    kTest,       ///< parts[0] is name parts[1]
    kNot,        ///< not parts[0]
    kNegative,   ///< -parts[0]
    kOperator,   ///< parts[0] name parts[1], such as + and `in`
    kEither,     ///< parts[0] if parts[1] else parts[2]
  };
  Kind kind = Kind::kNone;                     ///< see Kind
  std::string name = {};                       ///< a name, an operator or a text
  std::int64_t number = 0;                     ///< a number
  std::vector<TemplateExpression> parts = {};  ///< operands
  std::vector<std::string> keys = {};          ///< the names of the arguments; empty without a name
};

/// A statement of a template.
struct TemplateStatement {
  /// The kind of a statement.
  enum class Kind {
    kText,   ///< prints `name`
    kPrint,  ///< prints `value`
    kSet,    ///< sets the variable `name`, or its `attribute`, to `value`
    kIf,     ///< runs `body` if `value` is true, `otherwise` if not
    kFor,    ///< runs `body` with `name` as each item of `value` for which `condition` is true
  };
  Kind kind = Kind::kText;                         ///< see Kind
  std::string name = {};                           ///< a text or the name of a variable
  std::string attribute = {};                      ///< an attribute of the variable; may be empty
  TemplateExpression value = {};                   ///< see Kind
  std::vector<TemplateExpression> condition = {};  ///< of kFor: none or one
  std::vector<TemplateStatement> body = {};        ///< see Kind
  std::vector<TemplateStatement> otherwise = {};   ///< see Kind
};

/// Parses a template as Hugging Face's readers do: a new line after a statement and blanks before
/// one on its line belong to the statement. Supported are the statements if, for and set, and all
/// operators. Macros are skipped.
/// @throws std::invalid_argument naming the part that is wrong or not supported
std::vector<TemplateStatement> parse_template(std::string_view source);

/// @}

}  // namespace gradus
