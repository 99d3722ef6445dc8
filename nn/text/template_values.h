/// @file
/// The values of expressions in chat templates, with the operators, filters, tests and methods of
/// Jinja and Python that templates for conversations use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "nn/text/marked_text.h"

namespace gradus {

/// @addtogroup text
/// @{

/// A value. Lists and tables are shared by their copies.
/// @code
/// const TemplateValue roles =
///     TemplateValue::list({TemplateValue::markup("user"), TemplateValue::markup("assistant")});
/// roles.as<TemplateValue::List>()->size();        // 2
/// roles.as<TemplateValue::Table>() == nullptr;    // true
/// @endcode
struct TemplateValue {
  /// The value of a variable that does not exist.
  struct Undefined {
    std::string name;  ///< the variable, for messages
  };
  /// The value none.
  struct None {};
  using List = std::vector<TemplateValue>;             ///< a list
  using Table = std::map<std::string, TemplateValue>;  ///< a table, such as a message

  /// The value of one of the kinds.
  std::variant<Undefined, None, bool, std::int64_t, MarkedText, std::shared_ptr<List>,
               std::shared_ptr<Table>>
      of;
  /// At least the number of lists and tables in each other. It is limited, so that freeing a value
  /// needs little stack.
  int depth = 0;

  /// A text of the template.
  static TemplateValue markup(std::string text) { return {MarkedText(std::move(text), true)}; }
  /// A list.
  /// @throws std::invalid_argument if its depth would be above 16
  static TemplateValue list(List items);
  /// A table. Later, nothing deeper than its depth may be put into it.
  /// @throws std::invalid_argument if its depth would be above 16
  static TemplateValue table(Table items);

  /// The text, list or table if the value is one, otherwise nullptr.
  template <class Kind>
  const Kind* as() const {
    if constexpr (std::is_same_v<Kind, List> || std::is_same_v<Kind, Table>) {
      const auto* pointer = std::get_if<std::shared_ptr<Kind>>(&of);
      return pointer != nullptr ? pointer->get() : nullptr;
    } else {
      return std::get_if<Kind>(&of);
    }
  }
};

namespace detail {

/// Whether a value counts as true.
bool is_true(const TemplateValue& value);
/// Whether two values are equal.
bool are_equal(const TemplateValue& a, const TemplateValue& b);
/// The text of a value when it is printed.
MarkedText printed(const TemplateValue& value);
/// A value's attribute or item with a name: of a table, its value; otherwise undefined.
TemplateValue attribute_of(const TemplateValue& value, const std::string& name);
/// The item with a number, from the end if it is negative, or with a name.
TemplateValue item_of(const TemplateValue& value, const TemplateValue& index);
/// The items or characters from `begin` to before `end` in steps of `step`; none stands for all.
TemplateValue slice_of(const TemplateValue& value, const TemplateValue& begin,
                       const TemplateValue& end, const TemplateValue& step);
/// The result of an operator other than `and` and `or`.
TemplateValue operated(const std::string& sign, const TemplateValue& a, const TemplateValue& b);
/// The value | name(arguments).
TemplateValue filtered(const TemplateValue& value, const std::string& name,
                       const std::vector<TemplateValue>& arguments);
/// Whether value is name(arguments).
bool is_tested(const TemplateValue& value, const std::string& name,
               const std::vector<TemplateValue>& arguments);
/// The value.name(arguments).
TemplateValue called(const TemplateValue& value, const std::string& name,
                     const std::vector<TemplateValue>& arguments);

}  // namespace detail

/// @}

}  // namespace gradus
