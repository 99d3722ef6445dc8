#include "tutorials/common/check.h"

#include "autograd/graph.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/random.h"
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
  g::expect(what, g::as_library(got), y.detach());
  if (!got.requires_grad()) g::red(what + ": the result has no node: call record()");
  if (got.node()->inputs.size() != 1 || got.node()->inputs[0] != mine.node()) {
    g::red(what +
           ": the graph got more than one node\nlikely cause: ops were applied to x itself; "
           "compute with x.detach(), and record x as the input");
  }
  if (!std::equal(mine.begin(), mine.end(), x.begin())) g::red(what + ": x has changed");
  pocket::backward(got, own(dy));
  g::expect_gradient(what + ": dx", mine, x.grad(), 1e-3 * g::scale_of(x.grad()));
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
