/// @file
/// The one place where error messages are put together.
///
/// Messages read `op: the rule, what was got (the remedy)`, for example
/// `matmul: inner sizes must match, got a [2, 3] and b [4, 5]: 3 is not 4`.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace gradus {

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

/// @}

}  // namespace gradus
