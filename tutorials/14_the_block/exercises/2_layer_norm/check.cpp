#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/reduce.h"
#include "pocket/block.h"
#include "tutorials/common/compare.h"

namespace {

using gradus::Scalar;

void check_at(const std::string& what, const gradus::Shape& shape, std::uint64_t seed,
              Scalar offset, Scalar spread, Scalar epsilon = Scalar(1e-5)) {
  const gradus::Index n = shape[-1];
  const auto x = gradus::normal(shape, {.seed = seed}, offset, spread);
  const auto w = gradus::normal({n}, {.seed = seed + 1}, 2, 1);
  const auto b = gradus::normal({n}, {.seed = seed + 2}, 1, 1);
  // The formula along these axes, with the divisor n - less and this epsilon, inside the root or
  // not.
  const auto formula = [&](const gradus::Axes& axes, double share, Scalar inside, Scalar outside) {
    const auto centred = x - gradus::mean(x, axes, {.keepdim = true});
    const auto variance = gradus::mean(centred * centred, axes, {.keepdim = true}) * Scalar(share);
    return centred / (sqrt(variance + inside) + outside);
  };
  compare(
      what, {x, w, b},
      [&](const auto& x) {
        try {
          return pocket::layer_norm(x[0], x[1], x[2], epsilon);
        } catch (const std::invalid_argument& error) {
          const std::string said = error.what();
          if (said.find("broadcast") == std::string::npos) throw;
          gradus::red("the library says: " + said +
                      "\nlikely cause: a mean without {.keepdim = true} has lost its last axis");
        }
      },
      [&](const auto& x) { return gradus::layer_norm(x[0], x[1], x[2], epsilon); },
      [&]() -> std::vector<gradus::Cause> {
        const auto right = formula({-1}, 1, epsilon, 0);
        const auto centred = x - gradus::mean(x, {-1}, {.keepdim = true});
        const auto deviation = centred / right;  // the root
        const auto square = gradus::mean(x * x, {-1}, {.keepdim = true});
        return {
            {formula({-1}, double(n) / double(n - 1), epsilon, 0) * w + b,
             "divide the variance by C, not by C - 1"},
            {formula({}, 1, epsilon, 0) * w + b,
             "mean and variance of the whole tensor: each row has its own"},
            {formula({0}, 1, epsilon, 0) * w + b,
             "the statistics run along the first axis: that is batch norm"},
            {formula({-1}, 1, 0, epsilon) * w + b, "epsilon belongs inside the root"},
            {formula({-1}, 1, Scalar(1e-5), 0) * w + b,
             "it is 1e-5 whatever the call says: use the argument epsilon"},
            {formula({-1}, 1, 0, 0) * w + b, "epsilon is missing"},
            {right * w, "the bias is missing"},
            {right + b, "the weight is missing"},
            {(right + b) * w, "first the weight, then the bias"},
            {formula({1}, 1, epsilon, 0) * w + b,
             "the statistics run along axis 1: the channels are the last axis, -1"},
            {x / sqrt(square + epsilon) * w + b,
             "that is RMS norm: layer norm subtracts the mean first"},
            {x / deviation * w + b, "x itself is divided: subtract the mean there, too"},
            {centred * deviation * w + b, "the power is -0.5: divide by the standard deviation"},
            {right / deviation * w + b, "the root is missing: the power is -0.5"},
            {formula({-1}, double(n), epsilon, 0) * w + b,
             "a sum in place of a mean: the variance is divided by C"},
            {centred * w + b, "the mean was subtracted, and nothing was divided"},
            {x * w + b, "nothing was normalised"}};
      });
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("two rows of four", {2, 4}, 1, 3, 2);
    check_at("[3, 2, 5]", {3, 2, 5}, 4, -1, 1);
    check_at("so small that epsilon counts", {4, 3}, 7, 0, Scalar(0.003));
    check_at("another epsilon", {4, 3}, 13, 0, 1, Scalar(0.5));
    check_at("around 10000", {3, 6}, 10, 10000, 1);
    const pocket::Tensor constant = pocket::full({2, 3}, 7);
    const auto y = pocket::layer_norm(constant, pocket::ones({3}), pocket::zeros({3}));
    gradus::must_be_finite("rows of equal numbers", y, "a division by 0: where is epsilon?");
  });
}
