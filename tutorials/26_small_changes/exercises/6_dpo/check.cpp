#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/random.h"
#include "autograd/ops/shape.h"
#include "pocket/preferences.h"
#include "tutorials/common/own.h"

using gradus::green, gradus::red;

namespace {

using Four = std::array<gradus::Tensor, 4>;  // better, worse, and both before

void ask(const std::string& what, Four given, gradus::Scalar beta) {
  std::vector<pocket::Tensor> x;
  for (const gradus::Tensor& each : given) x.push_back(own(each));
  for (std::size_t i : {0, 1}) given[i].set_requires_grad(), x[i].set_requires_grad();
  const pocket::Tensor got =
      gradus::unchanged(what, x, [&] { return pocket::dpo_loss(x[0], x[1], x[2], x[3], beta); });
  if (!got.defined() || got.size() != 1) {
    red(what, ": the loss is one number, ", gradus::shape_got(got));
  }
  gradus::must_be_finite(what, got, "the logarithm of a probability that was rounded to 0");
  const gradus::Tensor z = ((given[0] - given[2]) - (given[1] - given[3])) * beta;
  // -ln sigmoid(z) is the loss of the first of the logits z and 0.
  const gradus::Tensor right =
      gradus::cross_entropy(gradus::concat({reshape(z, {-1, 1}), gradus::zeros({z.size(), 1})}, 1),
                            gradus::IndexTensor({z.size()}));
  gradus::expect_number(what, double{got.item()}, double{right.item()}, 1e-4);
  gradus::backward(right);
  if (got.requires_grad()) pocket::backward(got);
  for (std::size_t i : {0, 1}) {
    gradus::expect_gradient(
        what + ": the gradient of the " + (i == 0 ? "better" : "worse") + " answers", x[i],
        given[i].grad(), 1e-5);
  }
}

Four drawn(gradus::Index n, gradus::Scalar size) {
  Four four;
  for (std::size_t i = 0; i < 4; ++i) {
    four[i] = gradus::normal({n}, {.seed = 10 + i}) * size - 3 * size;
  }
  return four;
}

}  // namespace

CHECK_ANSWER() {
  const auto four = [](gradus::Scalar a, gradus::Scalar b, gradus::Scalar c, gradus::Scalar d) {
    return Four{gradus::tensor({a}), gradus::tensor({b}), gradus::tensor({c}), gradus::tensor({d})};
  };
  ask("one prompt, beta 1", four(-2, -3, -4, -1), 1);
  ask("one prompt, beta 0.25", four(-1, -6, -2, -4), 0.25f);
  ask("before training", four(-5, -2, -5, -2), 0.1f);
  ask("three prompts", drawn(3, 2), 0.5f);
  ask("forty prompts", drawn(40, 1), 0.1f);
  ask("log-probabilities of about -10000", drawn(5, 1e4f), 0.5f);
  ask("a prompt that is far on the wrong side", four(-9000, -10, -10, -9000), 1);
}
