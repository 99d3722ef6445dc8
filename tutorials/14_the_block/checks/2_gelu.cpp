#include "autograd/more/activation.h"
#include "tutorials/14_the_block/exercises.h"
#include "tutorials/common/check.h"

namespace {

Tensor table(const std::function<double(double)>& f, const Tensor& x) {
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); ++i) y.mutable_data()[i] = static_cast<Scalar>(f(x.data()[i]));
  return y;
}

}  // namespace

int main() {
  return run_check([] {
    const Tensor x = tensor({-3, -1, -0.5, 0, 0.5, 1, 3});
    expect("exact, at -3 to 3", table(my_gelu, x), gelu_erf(x),
           {{table([](double x) { return x / 2 * (1 + std::erf(x)); }, x),
             "the argument of erf must be divided by sqrt(2)"},
            {gelu_erf(x) * 2,
             "twice too large: 1 + erf runs from 0 to 2, a probability from 0 to 1"}});
    const Tensor far = tensor({-1000, -40, -5, -3.3, -2, -1.5, 1.5, 2, 3.3, 5, 40, 1000});
    expect("exact, at -1000 to 1000", table(my_gelu, far), gelu_erf(far));
    const double k = std::sqrt(2 / std::acos(-1.0));
    expect(
        "by tanh, at -3 to 3", table(my_gelu_tanh, x), gelu(x),
        {{table([](double x) { return x / (1 + std::exp(-1.702 * x)); }, x),
          "that is the sigmoid approximation, from the same paper"},
         {table([k](double x) { return x / 2 * (1 + std::tanh(k * x)); }, x),
          "the cube is missing: x + 0.044715 x^3"},
         {table([k](double x) { return x / 2 * (1 + std::tanh(k * x + 0.044715 * x * x * x)); }, x),
          "sqrt(2/pi) multiplies the cube, too"}});
    expect("by tanh, at -1000 to 1000", table(my_gelu_tanh, far), gelu(far),
           {{table([k](double x) { return x / 2 * (1 + std::tanh(k * (x + 0.045 * x * x * x))); },
                   far),
             "the constant is 0.044715, not 0.045"}},
           1e-5);
  });
}
