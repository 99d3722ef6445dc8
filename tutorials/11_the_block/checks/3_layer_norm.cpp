#include "autograd/graph.h"
#include "autograd/random.h"
#include "nn/norm.h"
#include "tutorials/11_the_block/exercises.h"
#include "tutorials/common/check.h"

int main() {
  return run_check([] {
    Tensor x = normal({3, 5}, {.seed = 1}, 2, 3).set_requires_grad();
    const Tensor dy = normal({3, 5}, {.seed = 2});
    const Tensor y = LayerNorm(5)(x);
    backward(y, dy);
    const Tensor values = x.detach(), flat = y.detach();
    const Tensor centred = values - mean(values, {-1}, kKeepDim);
    const Tensor r = 1 / sqrt(mean(centred * centred, {-1}, kKeepDim) + Scalar(1e-5));
    const Tensor without_mean = dy - mean(dy, {-1}, kKeepDim);
    expect(
        "three vectors of five", my_layer_norm_gradient(values, dy), x.grad(),
        {{dy * r, "mean and variance were taken as constants; they move with x"},
         {without_mean * r, "the variance was taken as a constant"},
         {(dy - flat * mean(dy * flat, {-1}, kKeepDim)) * r, "the mean was taken as a constant"}});
  });
}
