/// @file
/// The one place where error messages are put together.
///
/// Messages read `op: the rule, what was got (the remedy)`, for example
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

/// Joins the parts, each printed with `<<`, to one string.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Reports wrong input: throws std::invalid_argument with the joined parts as its message.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw std::invalid_argument(text(parts...));
}

/// Reports wrong input unless `ok`. The parts are put together only when the check fails.
template <class... Parts>
void check(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]] {
    fail(parts...);
  }
}

/// Reports that `name`, a T that `op` needs, a Tensor or an IndexTensor, is undefined.
template <class T>
[[noreturn]] void fail_undefined(const char* op, const char* name) {
  fail(op, ": ", name, " is undefined (a default-constructed ",
       std::is_same_v<T, Tensor> ? "Tensor, or a gradient before backward())" : "IndexTensor)");
}

/// An argument of an op that must be there, under the name by which its declaration calls it.
struct Argument {
  /// `x` is a Tensor or an IndexTensor.
  template <class T>
  Argument(const char* name, const T& x)
      : name(name), defined(x.defined()), fail(fail_undefined<T>) {}
  const char* name;                                ///< in the message
  bool defined;                                    ///< whether it is there
  void (*fail)(const char* op, const char* name);  ///< reports that it is not
};

/// Reports the first argument of `op` that is undefined:
/// `require_defined("matmul", {{"a", a}, {"b", b}})`.
inline void require_defined(const char* op, std::initializer_list<Argument> arguments) {
  for (const Argument& x : arguments) {
    if (!x.defined) [[unlikely]] {
      x.fail(op, x.name);
    }
  }
}

/// The same for a list of tensors, which the message numbers: `concat: tensors[1] is undefined`.
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
