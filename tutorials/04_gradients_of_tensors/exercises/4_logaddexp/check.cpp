#include "tutorials/04_gradients_of_tensors/exercises.h"
#include "tutorials/common/guards.h"

using pocket::Index, pocket::Scalar, pocket::Shape, pocket::Tensor;

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
  const gradus::Tensor got = gradus::as_library(y), expected = gradus::as_library(right.y);
  if (!gradus::is_close(got, expected)) gradus::expect(with_inputs(name, a, b), got, expected);
  if (!y.requires_grad())
    gradus::red(name + ": the result has no graph\nlikely cause: it was not recorded");
  pocket::backward(y, dy);
  for (const auto& [x, wanted, which] : {std::tuple{a, right.da, "a"}, {b, right.db, "b"}}) {
    const std::string what = name + ": the gradient of " + which;
    if (!x.grad().defined()) gradus::red(what + ": nothing arrived");
    gradus::must_be_finite(what, x.grad(), "infinity over infinity: divide by e^a first");
    const gradus::Tensor mine = gradus::as_library(x.grad()), ours = gradus::as_library(wanted);
    if (gradus::is_close(mine, ours)) continue;
    gradus::expect(with_inputs(what, a, b), mine, ours, gradus::kResultIsRight);
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
