#include "autograd/more/functions.h"

#include <cmath>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/one_pass.h"

namespace gradus {
using namespace detail;
namespace {

/// y, which an op like += is about to replace.
const Tensor& no_leaf(const char* op, const Tensor& y) {
  require_defined(op, {{"y", y}});
  check(!y.requires_grad() || !y.node()->is_leaf(), op, ": the tensor of shape ", y.shape(),
        " is a leaf that collects a gradient, which the result would not (give the result a name "
        "of its own, or write to mutable_data())");
  return y;
}

}  // namespace

Tensor abs(const Tensor& x) {
  Tensor y = elementwise("abs", x, [](Scalar v) { return std::abs(v); });
  return record("abs", y, {x}, [x = Saved(x)](const Tensor& dy) -> Gradients {
    return {by_case("abs gradient", dy, x, [](Scalar dy, Scalar x) {
      return x > 0 ? dy : x < 0 ? -dy : 0;
    })};
  });
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  // p != p: NaN wins, from either side.
  const Tensor y =
      combine("maximum", a, b, [](Scalar p, Scalar q) { return p > q || p != p ? p : q; });
  return record("maximum", y, {a, b},
                [a = Saved(a.detach()), b = Saved(b.detach())](const Tensor& dy,
                                                               const Wanted& wanted) -> Gradients {
                  const Tensor won = combine("maximum gradient", a, b, [](Scalar p, Scalar q) {
                    return p > q ? Scalar(1) : p == q ? Scalar(0.5) : Scalar(0);
                  });
                  // The loser's is 0 whatever dy is, infinite too.
                  const auto of_a = [](Scalar dy, Scalar won) { return won == 0 ? 0 : dy * won; };
                  const auto of_b = [](Scalar dy, Scalar won) {
                    return won == 1 ? 0 : dy * (1 - won);
                  };
                  const char* op = "maximum gradient";
                  return {if_wanted(wanted, 0, [&] { return by_case(op, dy, won, of_a); }),
                          if_wanted(wanted, 1, [&] { return by_case(op, dy, won, of_b); })};
                });
}

Tensor minimum(const Tensor& a, const Tensor& b) {
  require_defined("minimum", {{"a", a}, {"b", b}});
  broadcast_shapes("minimum", a.shape(), b.shape());
  return -maximum(-a, -b);
}

Tensor sin(const Tensor& x) {
  return saves_argument(
      "sin", x, [](Scalar v) { return std::sin(v); },
      [](auto dy, auto x) {
        using std::cos;
        return dy * cos(x);
      });
}

Tensor cos(const Tensor& x) {
  return saves_argument(
      "cos", x, [](Scalar v) { return std::cos(v); },
      [](auto dy, auto x) {
        using std::sin;
        return -(dy * sin(x));
      });
}

Tensor& operator+=(Tensor& y, const Tensor& x) { return y = no_leaf("+=", y) + x; }
Tensor& operator-=(Tensor& y, const Tensor& x) { return y = no_leaf("-=", y) - x; }
Tensor& operator*=(Tensor& y, const Tensor& x) { return y = no_leaf("*=", y) * x; }
Tensor& operator/=(Tensor& y, const Tensor& x) { return y = no_leaf("/=", y) / x; }
Tensor& operator+=(Tensor& y, Scalar s) { return y = no_leaf("+=", y) + s; }
Tensor& operator-=(Tensor& y, Scalar s) { return y = no_leaf("-=", y) - s; }
Tensor& operator*=(Tensor& y, Scalar s) { return y = no_leaf("*=", y) * s; }
Tensor& operator/=(Tensor& y, Scalar s) { return y = no_leaf("/=", y) / s; }

}  // namespace gradus
