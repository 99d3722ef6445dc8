/// @file
/// Gives a variable another value until the end of a scope.
#pragma once

#include <utility>

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// While one of these exists, a variable has another value. It is the base of all scopes that
/// change a setting of a thread. Scopes must end in the reverse order of their beginnings, on the
/// same thread.
template <class T>
class ValueScope {
 public:
  /// Sets `variable` to `value`; the end of the scope restores the old value.
  [[nodiscard]] ValueScope(T& variable, T value)
      : variable_(variable), before_(std::exchange(variable, value)) {}
  ~ValueScope() { variable_ = before_; }
  ValueScope(const ValueScope&) = delete;
  ValueScope& operator=(const ValueScope&) = delete;

  /// The variable's value before the scope.
  T before() const { return before_; }

 private:
  T& variable_;
  const T before_;
};

/// @}

}  // namespace gradus::detail
