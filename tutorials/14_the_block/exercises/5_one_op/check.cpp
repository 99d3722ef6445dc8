#include "tutorials/common/check.h"

#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "tutorials/14_the_block/exercises.h"

namespace {

namespace g = gradus;

pocket::Tensor own(const g::Tensor& x) {
  return pocket::tensor(pocket::Shape(x.shape().begin(), x.shape().end()),
                        std::vector<pocket::Scalar>(x.begin(), x.end()));
}

void check_at(const std::string& what, const g::Shape& shape, std::uint64_t seed, g::Scalar offset,
              g::Scalar spread) {
  g::Tensor x = g::normal(shape, {.seed = seed}, offset, spread).set_requires_grad();
  const g::Tensor dy = g::normal(shape, {.seed = seed + 1});
  const g::Tensor y = g::layer_norm(x, g::ones({shape[-1]}), g::zeros({shape[-1]}));
  g::backward(y, dy);
  pocket::Tensor mine = own(x);
  mine.set_requires_grad();
  const pocket::Tensor got = my_layer_norm(mine);
  const g::Tensor from_mean = x.detach() - g::mean(x.detach(), {-1}, {.keepdim = true});
  const g::Tensor variance = g::mean(from_mean * from_mean, {-1}, {.keepdim = true});
  const g::Scalar eps = g::Scalar(1e-5), size = g::Scalar(shape[-1]);
  g::expect(what, g::as_library(got), y.detach(),
            {{from_mean / sqrt(variance), "the 1e-5 under the root is missing"},
             {from_mean / (sqrt(variance) + eps), "1e-5 belongs inside the root"},
             {from_mean / sqrt(variance * (size / (size - 1)) + eps),
              "divide the variance by C, not by C - 1"},
             {from_mean / sqrt(variance * size + eps), "a sum in place of a mean in the variance"},
             {from_mean / (variance + eps), "the root is missing: the power is -0.5"},
             {x.detach() / sqrt(variance + eps), "x itself is divided: subtract the mean first"}});
  if (!got.requires_grad()) g::red(what + ": the result has no node: call record()");
  if (got.node()->inputs.size() != 1 || got.node()->inputs[0] != mine.node()) {
    g::red(what +
           ": the graph got more than one node\nlikely cause: ops were applied to x itself; "
           "compute with x.detach(), and record x as the input");
  }
  if (!std::equal(mine.begin(), mine.end(), x.begin())) g::red(what + ": x has changed");
  pocket::backward(got, own(dy));
  // The formula with the means over one axis or the other, and with this epsilon.
  const g::Tensor values = x.detach();
  const auto formula = [&](int axis, double epsilon, bool by_mean, bool by_variance) {
    const g::Tensor centred = values - g::mean(values, {axis}, {.keepdim = true});
    const g::Tensor r = 1 / sqrt(g::mean(centred * centred, {axis}, {.keepdim = true}) +
                                 static_cast<g::Scalar>(epsilon));
    const g::Tensor n = centred * r;
    g::Tensor dn = dy;
    if (by_mean) dn = dn - g::mean(dy, {axis}, {.keepdim = true});
    if (by_variance) dn = dn - n * g::mean(dy * n, {axis}, {.keepdim = true});
    return dn * r;
  };
  const g::Tensor centred = values - g::mean(values, {-1}, {.keepdim = true});
  const g::Tensor root =
      sqrt(g::mean(centred * centred, {-1}, {.keepdim = true}) + g::Scalar(1e-5));
  const g::Tensor n = centred / root;
  const auto mean_of = [](const g::Tensor& x) { return g::mean(x, {-1}, {.keepdim = true}); };
  const auto sum_of = [](const g::Tensor& x) { return g::sum(x, {-1}, {.keepdim = true}); };
  const g::Tensor dx = g::as_library(mine.grad());
  double most = 1;
  for (const g::Scalar v : x.grad()) most = std::max(most, std::abs(double{v}));
  g::expect(
      what + ": dx", dx, x.grad(),
      {{formula(-1, 1e-5, false, false),
        "mean and variance were taken as constants; they move with x"},
       {formula(-1, 1e-5, true, false), "the variance was taken as a constant"},
       {formula(-1, 1e-5, false, true), "the mean was taken as a constant"},
       {formula(0, 1e-5, true, true), "means over the rows; each row has its own"},
       {x.grad() * root, "the factor r = 1 / sqrt(variance + 1e-5) is missing"},
       {formula(-1, 0, true, true), "the 1e-5 under the root is missing"},
       {(dy - mean_of(dy) - centred * mean_of(dy * centred)) / root,
        "x - mean stands where n belongs: n is divided by the root"},
       {(dy - mean_of(dy) + n * mean_of(dy * n)) / root,
        "the sign of the last term: what points along n is taken out"},
       {(dy + mean_of(dy) - n * mean_of(dy * n)) / root, "the sign of the mean: it is taken out"},
       {(dy - sum_of(dy) - n * sum_of(dy * n)) / root, "sums in place of means"},
       {(dy - mean_of(dy) - n * sum_of(dy * n)) / root,
        "a sum in place of a mean in the last term"},
       {(dy - mean_of(dy) - mean_of(dy * n)) / root,
        "the last term is n times the mean of dy n: the factor n is missing"},
       {x.grad() * root * root, "multiplied by the root: divide by it"},
       g::kResultIsRight},
      1e-3 * most);
}

}  // namespace

int main() {
  return g::run_check([] {
    check_at("three rows of five", {3, 5}, 1, 3, 3);
    check_at("[2, 3, 4]", {2, 3, 4}, 3, -1, 2);
    check_at("so small that epsilon counts", {4, 3}, 5, 0, g::Scalar(0.003));
    check_at("around 10000", {3, 6}, 7, 10000, 1);
  });
}
