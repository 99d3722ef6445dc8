#include <algorithm>

#include "autograd/graph.h"
#include "autograd/more/random.h"
#include "nn/layers/norm.h"
#include "tutorials/14_the_block/exercises.h"
#include "tutorials/common/check.h"

namespace {

void check(const std::string& what, Shape shape, std::uint64_t seed, double spread) {
  const auto size = static_cast<Scalar>(spread);
  Tensor x = normal(shape, {.seed = seed}, size, size).set_requires_grad();
  const Tensor dy = normal(shape, {.seed = seed + 1}, 0, std::min<Scalar>(size, 1));
  backward(LayerNorm(shape[1])(x), dy);
  const Tensor values = x.detach();
  // The formula with the means over one axis or the other, and with this epsilon.
  const auto formula = [&](Index axis, double epsilon, bool by_mean, bool by_variance) {
    const Tensor centred = values - mean(values, {axis}, {.keepdim = true});
    const Tensor r =
        1 / sqrt(mean(centred * centred, {axis}, {.keepdim = true}) + static_cast<Scalar>(epsilon));
    const Tensor n = centred * r;
    Tensor dn = dy;
    if (by_mean) dn = dn - mean(dy, {axis}, {.keepdim = true});
    if (by_variance) dn = dn - n * mean(dy * n, {axis}, {.keepdim = true});
    return dn * r;
  };
  const Tensor centred = values - mean(values, {-1}, {.keepdim = true});
  const Tensor root = sqrt(mean(centred * centred, {-1}, {.keepdim = true}) + Scalar(1e-5));
  expect(what, my_layer_norm_gradient(values, dy), x.grad(),
         {{formula(-1, 1e-5, false, false),
           "mean and variance were taken as constants; they move with x"},
          {formula(-1, 1e-5, true, false), "the variance was taken as a constant"},
          {formula(-1, 1e-5, false, true), "the mean was taken as a constant"},
          {formula(0, 1e-5, true, true), "means over the vectors; each vector has its own"},
          {x.grad() * root, "the factor r = 1 / sqrt(variance + 1e-5) is missing"},
          {formula(-1, 0, true, true), "the 1e-5 under the root is missing"}});
}

}  // namespace

int main() {
  return run_check([] {
    check("three vectors of five", {3, 5}, 1, 3);
    check("four vectors of three, with numbers so small that epsilon counts", {4, 3}, 3, 0.003);
  });
}
