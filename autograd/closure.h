/// @file
/// Gradient rules, which an op records: one for each of its inputs. A rule turns the gradient of
/// the op's result into the gradient of that input.
///
///     Tensor y = ...;  // a b
///     return record("mul", y, {a, b}, [b = Saved(b)](const Tensor& dy) { return dy * b; },
///                   [a = Saved(a)](const Tensor& dy) { return dy * a; });
///
/// `dy` is d loss / d y. A rule has the parameters (dy) or (dy, y) and returns a Tensor. It is kept
/// and called only if its input requires a gradient, so tensors that no gradient needs are not
/// saved. If an input was broadcast, the backward pass sums its gradient to the input's shape.
///
/// An op whose gradients are computed together, or whose number of inputs varies, has one closure
/// for all inputs. The closure returns Gradients and may take a Wanted as its last parameter: (dy,
/// wanted) or (dy, y, wanted).
///
/// Rules and closures capture the tensors that the op saves, each as a Saved. They never capture
/// `y`: y's node owns them, so this would be a cycle that is never freed. Rules and closures
/// written in tensor ops can be differentiated again.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "autograd/check.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup graph
/// @{

/// The gradients of an op's inputs, in the order of the inputs. A gradient is undefined if it is
/// not wanted, or if it was added to Wanted::sum.
using Gradients = detail::PooledVector<Tensor>;

/// Whether `x` is defined and requires a gradient. Only then is its gradient wanted.
inline bool wants_gradient(const Tensor& x) { return x.defined() && x.requires_grad(); }

/// The gradients that a backward pass needs from a closure.
struct Wanted {
  /// Whether the gradient of input i is wanted. If not, it need not be computed.
  bool operator[](std::size_t i) const { return i < inputs.size() && inputs[i] != 0; }

  std::span<const char> inputs = {};  ///< for each input 1 if its gradient is wanted, otherwise 0
  /// The sum of the gradients that have arrived at input 0 so far, if only the pass holds it;
  /// otherwise nullptr. A closure may add its gradient to this sum and return an undefined one.
  /// slice() does so: its gradient is zero outside the slice, and without the sum T slices of a
  /// tensor would write T gradients of full size.
  const Tensor* sum = nullptr;
};

namespace detail {

inline constinit thread_local const char* running_op = nullptr;  // the op whose closure is running
[[noreturn]] void fail_changed(const Shape& shape);

/// Computes the gradients of a node's inputs, with the rules or the closure of its op.
struct Closure : Pooled {
  virtual ~Closure() = default;
  virtual Gradients operator()(const Tensor& dy, const Tensor& y, const Wanted& wanted) = 0;
};

/// One closure for all inputs. F keeps its own type, so the compiler can tell which parameters it
/// takes. F and its captures are in one block of the pool.
template <class F>
struct ClosureOf final : Closure {
  /// Whether f can be called with dy and arguments of these types.
  template <class... More>
  static constexpr bool kTakes = std::is_invocable_v<F&, const Tensor&, const More&...>;
  explicit ClosureOf(F f) : f(std::move(f)) {}
  static bool takes_y() { return kTakes<Tensor> || kTakes<Tensor, Wanted>; }
  Gradients operator()(const Tensor& dy, const Tensor& y, const Wanted& wanted) override {
    if constexpr (kTakes<Tensor, Wanted>) {
      return f(dy, y, wanted);
    } else if constexpr (kTakes<Tensor>) {
      return f(dy, y);
    } else if constexpr (kTakes<Wanted>) {
      return f(dy, wanted);
    } else {
      return f(dy);
    }
  }
  F f;
};

/// Whether F is a rule that takes y.
template <class F>
inline constexpr bool kTakesY = std::is_invocable_r_v<Tensor, F&, const Tensor&, const Tensor&>;
/// Whether F is a rule: it returns the gradient of one input.
template <class F>
inline constexpr bool kIsRule = kTakesY<F> || std::is_invocable_r_v<Tensor, F&, const Tensor&>;

/// One rule for each input, kept only if that input requires a gradient.
template <class... Rules>
struct RulesOf final : Closure {
  RulesOf(std::span<const Tensor> inputs, Rules... all) {
    const Tensor* x = inputs.data();
    const auto keep = [&](auto& rule, auto& given) {
      if (wants_gradient(*x++)) rule.emplace(std::move(given));
    };
    std::apply([&](auto&... rule) { (keep(rule, all), ...); }, rules);
  }
  bool takes_y() const {
    return std::apply([](const auto&... rule) { return ((kTakesY<Rules> && rule) || ...); }, rules);
  }
  Gradients operator()(const Tensor& dy, const Tensor& y, const Wanted& wanted) override {
    Gradients gradients(sizeof...(Rules));
    std::size_t i = 0;
    const auto call = [&](auto& rule) {
      Tensor& gradient = gradients[i];
      if (!wanted[i++]) return;
      if constexpr (kTakesY<decltype(*rule)>) {
        gradient = (*rule)(dy, y);
      } else {
        gradient = (*rule)(dy);
      }
    };
    std::apply([&](auto&... rule) { (call(rule), ...); }, rules);
    return gradients;
  }
  std::tuple<std::optional<Rules>...> rules;
};

/// Returns the Closure for the node of an op with these inputs: it holds the rules or the one
/// closure.
template <class... F>
auto closure_of(const char* op, std::span<const Tensor> inputs, F... f) {
  if constexpr ((kIsRule<F> && ...)) {
    check(inputs.size() == sizeof...(F), op, ": needs one gradient rule for each of its ",
          inputs.size(), " inputs, got ", sizeof...(F));
    return std::make_unique<RulesOf<F...>>(inputs, std::move(f)...);
  } else {
    static_assert(sizeof...(F) == 1, "a rule returns a Tensor, one closure for all Gradients");
    return std::make_unique<ClosureOf<F...>>(std::move(f)...);
  }
}

}  // namespace detail

/// A Tensor or IndexTensor that an op saves for its gradient, with the version of its elements.
/// Reading it after they have changed is an error; the message names the op.
template <class T>
class Saved {
 public:
  /// Keeps nothing.
  Saved() = default;
  /// Keeps x, which may be undefined.
  Saved(T x) : x_(std::move(x)), version_(x_.defined() ? x_.version() : 0) {}  // NOLINT
  /// Checks that the elements are unchanged.
  /// @throws std::invalid_argument if they have changed.
  void verify() const {
    if (x_.defined() && x_.version() != version_) [[unlikely]] {
      detail::fail_changed(x_.shape());
    }
  }
  /// Returns the kept tensor.
  /// @throws as verify().
  operator const T&() const { return *operator->(); }  // NOLINT(google-explicit-constructor)
  /// Accesses a member of the kept tensor.
  /// @throws as verify().
  const T* operator->() const {
    verify();
    return &x_;
  }

 private:
  T x_;
  unsigned version_ = 0;
};

/// @}

}  // namespace gradus
