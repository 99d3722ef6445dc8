#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "pocket/block.h"
#include "tutorials/common/compare.h"

namespace {

gradus::Tensor table(const gradus::Tensor& x, const std::function<double(double)>& f) {
  gradus::Tensor y(x.shape());
  for (gradus::Index i = 0; i < x.size(); ++i) {
    y.mutable_data()[i] = static_cast<gradus::Scalar>(f(x.data()[i]));
  }
  return y;
}

void check_at(const std::string& what, const gradus::Tensor& x) {
  const double c = 2 * std::sqrt(2 / std::acos(-1.0));
  const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
  const double d = 0.044715;
  const auto gate = [=](double x) { return sigmoid(c * (x + d * x * x * x)); };
  compare(
      what, {x}, [](const auto& x) { return pocket::gelu(x[0]); },
      [](const auto& x) { return gradus::gelu(x[0]); },
      [&]() -> std::vector<gradus::Cause> {
        return {
            {table(x, [](double x) { return std::max(x, 0.0); }), "that is ReLU"},
            {table(x, [&](double x) { return x * sigmoid(1.702 * x); }),
             "1.702 is of another approximation, from the same paper"},
            {table(x, [&](double x) { return x * sigmoid(c * x); }),
             "the cube is missing: x + d x^3"},
            {table(x, [&](double x) { return x * sigmoid(c / 2 * (x + 0.044715 * x * x * x)); }),
             "c is 2 sqrt(2 / pi): the form with tanh has half of it"},
            {table(x, [&](double x) { return x * sigmoid(c * x + 0.044715 * x * x * x); }),
             "c multiplies the cube, too"},
            {table(x, gate), "that is the gate alone: multiply it by x"},
            {table(x, [&](double x) { return x * (1 - gate(x)); }),
             "the sign in the exponential: the gate is 1 / (1 + e^-z)"},
            {table(x, [&](double x) { return 2 * x * gate(x); }),
             "twice too large: in the form with tanh, (1 + tanh) is halved"},
            {table(x, [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }),
             "that is the exact form; asked is the approximation of GPT-2"}};
      },
      [&](const gradus::Tensor& dy) -> std::vector<gradus::Cause> {
        // The gate, plus x times its slope by the gate's exponent, times the exponent's slope.
        const auto slope = [&](const auto& f) {
          return table(x, [&](double x) { return f(x, gate(x)); }) * dy;
        };
        return {
            {slope([](double, double s) { return s; }),
             "the gate depends on x, too: its slope, times x, is the second term"},
            {slope([=](double x, double s) { return x * s * (1 - s) * c * (1 + 3 * d * x * x); }),
             "the product rule has two terms: the gate itself is missing"},
            {slope([=](double x, double s) { return s + x * s * (1 - s) * (1 + 3 * d * x * x); }),
             "c is missing: the exponent's slope is c (1 + 3 d x^2)"},
            {slope([=](double x, double s) { return s + x * s * (1 - s) * c; }),
             "the exponent's slope is c (1 + 3 d x^2); c alone is here"},
            {slope([=](double x, double s) { return s + x * s * (1 - s) * c * (1 + d * x * x); }),
             "the slope of x + d x^3 is 1 + 3 d x^2: the 3 is missing"},
            {slope([=](double x, double s) { return s + x * (1 - s) * c * (1 + 3 * d * x * x); }),
             "the gate's slope is s (1 - s): the factor s is missing; y is x s"},
            {slope([=](double x, double s) {
               return s + x * s * s * (1 - s) * c * (1 + 3 * d * x * x);
             }),
             "y is x s already, so this has the factor s twice"}};
      });
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("between -3 and 3", gradus::tensor({{-3, -1, -0.5, 0}, {0.25, 0.5, 1, 3}}));
    check_at("between -5 and 5", gradus::tensor({-5, -3.3, -2, -1.5, 1.5, 2, 3.3, 5}));
    check_at("far out", gradus::tensor({-1000, -40, 40, 1000}));
    gradus::expect("1.5, to five digits",
                   gradus::tensor({pocket::gelu(pocket::tensor({1.5})).data()[0]}),
                   gradus::gelu(gradus::tensor({1.5})),
                   {{gradus::tensor({1.399715}), "d is 0.044715, and 0.045 is it rounded"}}, 2e-5);
    const pocket::Tensor x = pocket::tensor({1, -2}).set_requires_grad(), y = pocket::gelu(x);
    if (y.requires_grad() && (y.node()->inputs.size() != 1 || y.node()->inputs[0] != x.node())) {
      gradus::red(
          "one op: the graph got more than one node\nlikely cause: GELU was put together from "
          "other "
          "ops; write its value and its slope as functions of a number, for map()");
    }
  });
}
