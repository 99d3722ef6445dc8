#include "tutorials/common/check.h"

#include "tutorials/04_gradients_of_tensors/exercises.h"
#include "tutorials/common/guards.h"

using pocket::Index;
using pocket::Scalar;
using pocket::Shape;
using pocket::Tensor;

namespace {

Tensor numbers(const Shape& shape, double from, double step) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = static_cast<Scalar>(from + step * (i * 7 % 5));
  return x;
}

double share(double a, double b) { return 1 / (1 + std::exp(b - a)); }

/// What the formula gives, and its gradients for dy.
struct Right {
  Tensor y, da, db;
  Right(const Tensor& a, const Tensor& b, const Tensor& dy)
      : y(dy.shape()), da(a.shape()), db(b.shape()) {
    const auto of_a = pocket::broadcast_strides(a.shape(), dy.shape());
    const auto of_b = pocket::broadcast_strides(b.shape(), dy.shape());
    pocket::for_each_element(dy.shape(), of_a, of_b, [&](Index i, Index at_a, Index at_b) {
      const double u = a.data()[at_a], v = b.data()[at_b], g = dy.data()[i];
      y.mutable_data()[i] =
          static_cast<Scalar>(std::max(u, v) + std::log1p(std::exp(-std::abs(u - v))));
      da.mutable_data()[at_a] += static_cast<Scalar>(g * share(u, v));
      db.mutable_data()[at_b] += static_cast<Scalar>(g * share(v, u));
    });
  }
};

/// The numbers that the reader needs to redo the sum on paper.
std::string with_inputs(const std::string& what, const Tensor& a, const Tensor& b) {
  std::ostringstream out;
  out << what << "\na\n" << gradus::as_library(a) << "\nb\n" << gradus::as_library(b);
  return out.str();
}

/// Another formula for y, or for the gradient of `to`.
using Formula = std::function<double(double u, double v)>;

gradus::Tensor by(const Formula& f, const Tensor& a, const Tensor& b) {
  return gradus::as_library(pocket::elementwise(
      "check", a, b, [&](Scalar u, Scalar v) { return static_cast<Scalar>(f(u, v)); }));
}

/// Of the gradient: dy times the formula, summed to the shape of `to`.
gradus::Tensor by(const Formula& f, const Tensor& a, const Tensor& b, const Tensor& dy,
                  const Tensor& to) {
  const Tensor slope = pocket::elementwise(
      "check", a, b, [&](Scalar u, Scalar v) { return static_cast<Scalar>(f(u, v)); });
  const pocket::NoGrad no_grad;
  return gradus::as_library(pocket::sum_to(slope * dy, to.shape()));
}

void try_out(const std::string& name, const Tensor& a_numbers, const Tensor& b_numbers) {
  Tensor a = a_numbers, b = b_numbers;
  a.set_requires_grad(), b.set_requires_grad();
  const Tensor y = gradus::unchanged<Tensor>(name, {a, b}, [&] { return logaddexp(a, b); });
  const Shape shape = pocket::broadcast_shapes("check", a.shape(), b.shape());
  const Tensor dy = numbers(shape, -0.7, 0.6);
  const Right right(a, b, dy);
  if (y.defined() && y.shape() == right.y.shape()) {
    gradus::must_be_finite(name, y,
                           "e^a is infinite from 89 on: take the larger one out of the logarithm");
  }
  const auto rest = [](double u, double v) { return std::exp(-std::abs(u - v)); };
  const gradus::Tensor got = gradus::as_library(y), expected = gradus::as_library(right.y);
  if (!gradus::is_close(got, expected)) {
    gradus::expect(
        with_inputs(name, a, b), got, expected,
        {{by([](double u, double v) { return std::max(u, v); }, a, b),
          "that is the larger one alone: ln(1 + e^(-|a - b|)) is missing"},
         {by([&](double u, double v) { return std::log1p(rest(u, v)); }, a, b),
          "the larger one was taken out of the logarithm, and not added again"},
         {by([&](double u, double v) { return std::max(u, v) + std::log(rest(u, v)); }, a, b),
          "the 1 is missing: ln(1 + e^(-|a - b|))"},
         {by([&](double u, double v) { return std::max(u, v) + rest(u, v); }, a, b),
          "the logarithm of the rest is missing"},
         {by([&](double u, double v) { return std::max(u, v) + std::log1p(1 / rest(u, v)); }, a, b),
          "the sign in the exponential: the smaller one less the larger one is below 0"},
         {by([&](double u, double v) { return std::min(u, v) + std::log1p(rest(u, v)); }, a, b),
          "the smaller one was taken out: take the larger one"},
         {by([](double u, double v) { return u + v; }, a, b),
          "ln(e^a) + ln(e^b) is a + b; the logarithm is of the sum"}});
  }
  if (!y.requires_grad())
    gradus::red(name + ": the result has no graph\nlikely cause: it was not recorded");
  pocket::backward(y, dy);
  for (const auto& [x, wanted, which] : {std::tuple{a, right.da, "a"}, {b, right.db, "b"}}) {
    const std::string what = name + ": the gradient of " + which;
    if (!x.grad().defined()) gradus::red(what + ": nothing arrived");
    gradus::must_be_finite(what, x.grad(), "infinity over infinity: divide by e^a first");
    const gradus::Tensor mine = gradus::as_library(x.grad()), ours = gradus::as_library(wanted);
    if (gradus::is_close(mine, ours)) continue;
    const auto of = [&](const Formula& f) { return by(f, a, b, dy, x); };
    const bool first = which == std::string("a");
    const auto own = [=](double u, double v) { return first ? share(u, v) : share(v, u); };
    gradus::expect(
        with_inputs(what, a, b), mine, ours,
        {{of([](double, double) { return 1; }), "the slope is a share of the sum, not 1"},
         {of([&](double u, double v) { return 1 - own(u, v); }),
          "that is the share of the other input: a's is e^a / (e^a + e^b)"},
         {of([&](double u, double v) { return own(u, v) * (1 - own(u, v)); }),
          "that is the slope of the share; the share itself is the slope of y"},
         {of([](double u, double v) { return std::exp(std::min(u, v) - std::max(u, v)); }),
          "e^(-|a - b|) is not the share: divide by the sum, 1 + e^(b - a)"},
         {by(own, a, b, pocket::ones(dy.shape()), x), "dy is missing: it is a factor"},
         gradus::kResultIsRight});
  }
  gradus::green(name + ": y and both gradients");
}

}  // namespace

int main() {
  return gradus::run_check([] {
    try_out("two rows [3]", numbers({3}, -1, 0.5), numbers({3}, 0.3, -0.4));
    try_out("[2, 3] and [3]", numbers({2, 3}, -1, 0.5), numbers({3}, 0.3, -0.4));
    try_out("[5] and [2, 7, 1]", numbers({5}, -1, 0.5), numbers({2, 7, 1}, 0.3, -0.4));
    try_out("about 10000", numbers({2, 3}, 1e4, 0.5), numbers({3}, 1e4, 0.25));
    try_out("about -10000", numbers({3}, -1e4, 0.5), numbers({2, 3}, -1e4, 0.25));
    try_out("-10000 and 10000", numbers({3}, -1e4, 0.5), numbers({3}, 1e4, 0.5));
    try_out("10000 and -10000", numbers({3}, 1e4, 0.5), numbers({3}, -1e4, 0.5));
  });
}
