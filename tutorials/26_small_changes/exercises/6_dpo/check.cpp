#include "autograd/graph.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/random.h"
#include "pocket/preferences.h"
#include "tutorials/common/own.h"

using gradus::green, gradus::red;

namespace {

/// The loss by its definition, and its gradients.
struct Right {
  double loss = 0;
  std::vector<double> better, worse;
};

using Four = std::array<gradus::Tensor, 4>;  // better, worse, and both before

Right right_of(const Four& given, double beta) {
  Right right;
  const auto n = given[0].size();
  for (gradus::Index i = 0; i < n; ++i) {
    const auto at = [&](std::size_t which) { return double{given[which].data()[i]}; };
    const double z = beta * ((at(0) - at(2)) - (at(1) - at(3)));
    right.loss += (std::max(-z, 0.0) + std::log1p(std::exp(-std::abs(z)))) / double(n);
    const double slope = -1 / (1 + std::exp(z)) * beta / double(n);
    right.better.push_back(slope), right.worse.push_back(-slope);
  }
  return right;
}

void ask(const std::string& what, const Four& given, gradus::Scalar beta) {
  std::vector<pocket::Tensor> own_four;
  for (const gradus::Tensor& x : given) own_four.push_back(own(x));
  own_four[0].set_requires_grad(), own_four[1].set_requires_grad();
  const pocket::Tensor got = gradus::unchanged(what, own_four, [&] {
    return pocket::dpo_loss(own_four[0], own_four[1], own_four[2], own_four[3], beta);
  });
  if (!got.defined() || got.size() != 1) {
    red(what, ": the loss is one number, ", gradus::shape_got(got));
  }
  const Right right = right_of(given, double{beta});
  gradus::must_be_finite(what, got, "the logarithm of a probability that was rounded to 0");
  gradus::expect_number(what, double{got.item()}, right.loss, 1e-4);
  if (got.requires_grad()) pocket::backward(got);
  const auto as_tensor = [](const std::vector<double>& numbers) {
    return gradus::tensor(gradus::Shape{std::ssize(numbers)},
                          std::vector<gradus::Scalar>(numbers.begin(), numbers.end()));
  };
  gradus::expect_gradient(what + ": the gradient of the better answers", own_four[0],
                          as_tensor(right.better), 1e-5);
  gradus::expect_gradient(what + ": the gradient of the worse answers", own_four[1],
                          as_tensor(right.worse), 1e-5);
}

Four drawn(gradus::Index n, gradus::Scalar size) {
  Four four;
  for (std::size_t i = 0; i < 4; ++i) {
    four[i] = gradus::normal({n}, {.seed = 10 + i}) * size - 3 * size;
  }
  return four;
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const auto four = [](gradus::Scalar a, gradus::Scalar b, gradus::Scalar c, gradus::Scalar d) {
      return Four{gradus::tensor({a}), gradus::tensor({b}), gradus::tensor({c}),
                  gradus::tensor({d})};
    };
    ask("one prompt, beta 1", four(-2, -3, -4, -1), 1);
    ask("one prompt, beta 0.25", four(-1, -6, -2, -4), 0.25f);
    ask("before training", four(-5, -2, -5, -2), 0.1f);
    ask("three prompts", drawn(3, 2), 0.5f);
    ask("forty prompts", drawn(40, 1), 0.1f);
    ask("log-probabilities of about -10000", drawn(5, 1e4f), 0.5f);
    ask("a prompt that is far on the wrong side", four(-9000, -10, -10, -9000), 1);
  });
}
