/// @file
/// Checks arguments and builds every error message.
///
/// Messages have the form `op: the rule, got the value (the remedy)`, for example
/// `matmul: inner sizes must match, got a [2, 3] and b [4, 5]: 3 is not 4`.
#pragma once

#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace gradus {
class Tensor;
}  // namespace gradus

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// Joins the parts, each printed with `<<`, into one string.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Throws std::invalid_argument with the joined parts as its message.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw std::invalid_argument(text(parts...));
}

/// Calls fail(parts...) unless `ok`. The parts are joined only if the check fails.
template <class... Parts>
void check(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]] {
    fail(parts...);
  }
}

/// Throws an error: argument `name` of `op`, a Tensor or IndexTensor T, is undefined.
template <class T>
[[noreturn]] void fail_undefined(const char* op, const char* name) {
  fail(op, ": ", name, " is undefined (a default-constructed ",
       std::is_same_v<T, Tensor> ? "Tensor, or a gradient before backward())" : "IndexTensor)");
}

/// An argument that an op requires, with its name from the op's declaration.
struct Argument {
  /// `x` is a Tensor or an IndexTensor.
  template <class T>
  Argument(const char* name, const T& x)
      : name(name), defined(x.defined()), fail(fail_undefined<T>) {}
  const char* name;                                ///< its name in the message
  bool defined;                                    ///< whether x is defined
  void (*fail)(const char* op, const char* name);  ///< throws if it is not
};

/// Throws an error that names the first undefined argument of `op`, if there is one:
/// `require_defined("matmul", {{"a", a}, {"b", b}})`.
inline void require_defined(const char* op, std::initializer_list<Argument> arguments) {
  for (const Argument& x : arguments) {
    if (!x.defined) [[unlikely]] {
      x.fail(op, x.name);
    }
  }
}

/// The same for a list of tensors. The message has the index: `concat: tensors[1] is undefined`.
template <class List>
void require_all_defined(const char* op, const char* name, const List& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].defined()) [[unlikely]] {
      require_defined(op, {{text(name, "[", i, "]").c_str(), list[i]}});
    }
  }
}

/// @}

}  // namespace gradus::detail
