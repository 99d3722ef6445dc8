#include "pocket/recurrent.h"
#include "tutorials/common/guards.h"

namespace {

using namespace pocket;

void ask(Index rows, Index targets, Index sources, Index hidden, Scalar scale) {
  KeySequence keys(5);
  const Alignment dot(AlignmentKind::kDot, hidden, sources, keys);
  const Tensor s = normal({rows, targets, hidden}, keys.next(), 0, scale);
  const Tensor h = normal({rows, sources, hidden}, keys.next());
  const std::string what = "T = " + std::to_string(targets) + ", S = " + std::to_string(sources) +
                           ", states of about " + std::to_string(int(scale));
  const auto [a, z] = gradus::unchanged<Tensor>(what, {s, h}, [&] { return dot(s, h); });
  if (!a.defined() || !z.defined()) gradus::red(what + ": return both, weights and context");
  const Tensor e = matmul(s, h, {.b = true}), right = softmax(e);
  Tensor sums(s.shape()), average(s.shape()), scored(s.shape());
  for (Index i = 0; i < sums.size(); ++i) {
    const Index row = i / (targets * hidden), t = i / hidden % targets, c = i % hidden;
    for (Index j = 0; j < sources; ++j) {
      const Scalar value = h.data()[(row * sources + j) * hidden + c];
      const Index at = (row * targets + t) * sources + j;
      sums.mutable_data()[i] += right.data()[at] * value;
      average.mutable_data()[i] += value / Scalar(sources);
      scored.mutable_data()[i] += e.data()[at] * value;
    }
  }
  const auto as = [](const Tensor& x) { return gradus::as_library(x); };
  gradus::expect(what + ": weights", as(a), as(right), {{as(e), "those are the scores"}});
  gradus::expect(what + ": context", as(z), as(sums),
                 {{as(average), "the plain average: the weights are not used"},
                  {as(scored), "the scores are no weights; take their softmax"},
                  {as(s), "that is the decoder's state; average the encoder's"}});
}

void ask_gradient() {
  KeySequence keys(6);
  const Alignment dot(AlignmentKind::kDot, 3, 4, keys);
  Tensor s = normal({2, 2, 3}, keys.next()), h = normal({2, 4, 3}, keys.next());
  const auto right = [](const Tensor& s, const Tensor& h) {
    return matmul(softmax(matmul(s, h, {.b = true})), h);
  };
  const auto gradients = [&](auto f) {
    Tensor a = s.detach(), b = h.detach();
    const Tensor z = f(a.set_requires_grad(), b.set_requires_grad());
    if (z.requires_grad()) backward(z, normal(z.shape(), {.seed = 9}));
    return std::vector{a.grad().defined() ? a.grad() : zeros(a.shape()),
                       b.grad().defined() ? b.grad() : zeros(b.shape())};
  };
  const auto mine = gradients([&](auto& a, auto& b) { return dot(a, b).context; });
  const auto expected = gradients(right);
  Tensor a = s.detach();
  if (!dot(a.set_requires_grad(), h).weights.requires_grad()) {
    gradus::red("the weights that you return are cut: a detach()");
  }
  for (int i = 0; i < 2; ++i) {
    gradus::expect(
        i == 0 ? "gradient of s" : "gradient of h", gradus::as_library(mine[i]),
        gradus::as_library(expected[i]),
        {{gradus::zeros(gradus::as_library(expected[i]).shape()), "it is cut: a detach()"}});
  }
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask(1, 1, 3, 2, 1);
    ask(2, 3, 5, 4, 1);
    ask(2, 4, 2, 3, 1000);
    ask_gradient();
  });
}
