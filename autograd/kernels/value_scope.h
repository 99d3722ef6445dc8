/// @file
/// A variable that has another value until the end of a scope.
#pragma once

#include <utility>

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// While one of these exists, a variable has another value: the base of all scopes that switch
/// something on a thread. Scopes end in the opposite order of their beginnings, on their thread.
template <class T>
class ValueScope {
 public:
  /// Sets `variable` to `value`; the end of the scope puts back what was.
  [[nodiscard]] ValueScope(T& variable, T value)
      : variable_(variable), before_(std::exchange(variable, value)) {}
  ~ValueScope() { variable_ = before_; }
  ValueScope(const ValueScope&) = delete;
  ValueScope& operator=(const ValueScope&) = delete;

  /// What the variable was before.
  T before() const { return before_; }

 private:
  T& variable_;
  const T before_;
};

/// @}

}  // namespace gradus::detail
