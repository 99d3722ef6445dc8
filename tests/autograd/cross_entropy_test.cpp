#include "autograd/ops/cross_entropy.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

/// The gradient of the loss with respect to the logits.
Tensor slope(const Tensor& logits, const IndexTensor& targets, CrossEntropyOptions options = {}) {
  return gradient_of([&](const Tensor& x) { return cross_entropy(x, targets, options); }, logits);
}

}  // namespace

TEST_CASE("cross_entropy: by hand") {
  const double ln3 = 1.0986122886681098;
  CHECK_CLOSE(cross_entropy(zeros({2, 4}), indices({1, 3})), scalar(std::log(4.0)));
  const Tensor logits = tensor({{ln3, 0}, {0, 0}});  // p = (3/4, 1/4), (1/2, 1/2)
  CHECK_CLOSE(cross_entropy(logits, indices({0, 1})),
              scalar(-(std::log(0.75) + std::log(0.5)) / 2));
  CHECK_CLOSE(cross_entropy(tensor({ln3, 0}), indices(1)), scalar(std::log(4.0)));
  CHECK_CLOSE(slope(logits, indices({0, 1})), tensor({{-0.125, 0.125}, {0.25, -0.25}}));
}

TEST_CASE("cross_entropy: ignored positions leave sum and count") {
  const double ln3 = 1.0986122886681098;
  const Tensor logits = tensor({{ln3, 0}, {5, -9}, {0, 0}});
  const IndexTensor targets = indices({0, -1, 1});
  const CrossEntropyOptions options{.ignore_index = -1};
  CHECK_CLOSE(cross_entropy(logits, targets, options),
              scalar(-(std::log(0.75) + std::log(0.5)) / 2));
  CHECK_CLOSE(slope(logits, targets, options), tensor({{-0.125, 0.125}, {0, 0}, {0.25, -0.25}}));
  CHECK_CLOSE(cross_entropy(logits, indices({0, -100, 1})),
              scalar(-(std::log(0.75) + std::log(0.5)) / 2));
  // The ignored target may be a class.
  CHECK_CLOSE(cross_entropy(logits, indices({0, 1, 1}), {.ignore_index = 1}),
              scalar(-std::log(0.75)));
}

TEST_CASE("cross_entropy: all positions ignored, or none there, give 0 and a zero gradient") {
  const IndexTensor none = indices({-100, -100});
  CHECK(cross_entropy(drawn({2, 3}, 0), none).item() == 0);
  CHECK(slope(drawn({2, 3}, 0), none).values() == Values(6, 0));
  CHECK(cross_entropy(zeros({0, 3}), IndexTensor(Shape{0})).item() == 0);
  CHECK(slope(zeros({0, 3}), IndexTensor(Shape{0})).shape() == Shape{0, 3});
  // Ignored logits may be anything.
  const Tensor odd = tensor({{kNaN, kInf}, {0, 0}});
  CHECK_CLOSE(cross_entropy(odd, indices({-100, 0})), scalar(std::log(2.0)));
  CHECK_CLOSE(slope(odd, indices({-100, 0})), tensor({{0, 0}, {-0.5, 0.5}}));
  const ComposedOps composed;
  CHECK(cross_entropy(drawn({2, 3}, 0), none).item() == 0);
  CHECK_CLOSE(slope(odd, indices({-100, 0})), tensor({{0, 0}, {-0.5, 0.5}}));
}

TEST_CASE("cross_entropy: label smoothing by hand") {
  const Tensor logits = tensor({{1.0986122886681098, 0}});  // p = (3/4, 1/4), target (0.9, 0.1)
  CHECK_CLOSE(cross_entropy(logits, indices({0}), {.label_smoothing = Scalar(0.2)}),
              scalar(-0.9 * std::log(0.75) - 0.1 * std::log(0.25)));
  CHECK_CLOSE(slope(logits, indices({0}), {.label_smoothing = Scalar(0.2)}),
              tensor({{-0.15, 0.15}}));
}

TEST_CASE("cross_entropy: equals the composed version") {
  const Tensor logits = drawn({2, 3, 37}, 1, -5, 5);
  const IndexTensor targets = indices({{0, 36, 17}, {-1, 5, -1}});
  for (const Scalar smoothing : {0.0, 0.1, 1.0}) {
    CAPTURE(smoothing);
    const CrossEntropyOptions options{.ignore_index = -1, .label_smoothing = smoothing};
    // The logits are also used outside the loss.
    const Function f = [&](const Tensors& x) {
      return tanh(cross_entropy(x[0], targets, options)) * x[0];
    };
    CHECK_PATHS(f, Tensors{logits});
  }
}

TEST_CASE("cross_entropy: very large logits and masked classes") {
  CHECK_CLOSE(cross_entropy(tensor({{1e30, 0}}), indices({0})), scalar(0));
  CHECK_CLOSE(cross_entropy(tensor({{0, -1e4}}), indices({1})), scalar(1e4));
  CHECK_CLOSE(slope(tensor({{0, -1e4}}), indices({1})), tensor({{1, -1}}));
  const Tensor masked = tensor({{0, -kInf, 0}});
  CHECK_CLOSE(cross_entropy(masked, indices({2})), scalar(std::log(2.0)));
  CHECK_CLOSE(slope(masked, indices({2})), tensor({{0.5, 0, -0.5}}));
  CHECK(cross_entropy(masked, indices({1})).item() == kInf);
  CHECK(std::isnan(cross_entropy(tensor({{0, kNaN}}), indices({0})).item()));
  CHECK(std::isnan(cross_entropy(tensor({{kNaN, kNaN}}), indices({0})).item()));
}

TEST_CASE("cross_entropy: composed, a class at -inf is as one that is not there") {
  const Tensor logits = tensor({{1, 0, -kInf}, {-kInf, 2, 3}, {-kInf, 0, 0}});
  const IndexTensor targets = indices({1, 2, -100});
  const Function f = [&](const Tensors& x) { return cross_entropy(x[0], targets); };
  CHECK_PATHS(f, Tensors{logits});
  const ComposedOps composed;
  CHECK_CLOSE(cross_entropy(tensor({1, 0, -kInf}), indices(1)),
              scalar(std::log(1 + std::exp(1.0))));
}

TEST_CASE("cross_entropy: hidden classes, smoothing and rows of -inf, on both paths") {
  const Tensor hidden = tensor({{0, -kInf, 0}}), nothing = tensor({{-kInf, -kInf}, {0, 0}});
  for (const bool fused : {true, false}) {
    const detail::ValueScope<bool> path(detail::takes_fused, fused);
    CHECK(cross_entropy(hidden, indices({1})).item() == kInf);
    CHECK_CLOSE(slope(hidden, indices({1})), tensor({{0.5, -1, 0.5}}));
    // Smoothing gives the hidden class a share s / V = 0.1 of the target.
    const CrossEntropyOptions smooth{.label_smoothing = Scalar(0.3)};
    CHECK(cross_entropy(hidden, indices({0}), smooth).item() == kInf);
    CHECK_CLOSE(slope(hidden, indices({0}), smooth), tensor({{0.5 - 0.8, -0.1, 0.5 - 0.1}}));
    CHECK(std::isnan(cross_entropy(hidden, indices({1}), {.label_smoothing = 1}).item()));
    CHECK(std::isnan(cross_entropy(nothing, indices({0, 1})).item()));
    CHECK_CLOSE(slope(nothing, indices({0, 1})), tensor({{kNaN, kNaN}, {0.25, -0.25}}));
    CHECK_CLOSE(cross_entropy(nothing, indices({kIgnoreIndex, 1})), scalar(std::log(2.0)));
    CHECK_CLOSE(slope(nothing, indices({kIgnoreIndex, 1})), tensor({{0, 0}, {0.5, -0.5}}));
  }
}

TEST_CASE("cross_entropy: keeps its digits where all logits are large") {
  // Near 1000 floats are 6e-5 apart: the loss and the gradient must not have this error.
  const Tensor far = tensor({{1000, 993}}), near = tensor({{7, 0}});
  for (const Scalar smoothing : {0.0, 0.1}) {
    const CrossEntropyOptions options{.label_smoothing = smoothing};
    const Tensor loss = cross_entropy(near, indices({0}), options);
    CHECK_CLOSE(cross_entropy(far, indices({0}), options) / loss, scalar(1));
    CHECK_CLOSE(slope(far, indices({0}), options), slope(near, indices({0}), options));
  }
}

TEST_CASE("cross_entropy: errors name the argument that does not fit") {
  const Tensor logits = zeros({2, 3});
  CHECK_FAILS(
      cross_entropy(logits, indices({0, 1, 2})),
      "cross_entropy: needs logits [..., V] with V > 0 and targets [...], got [2, 3] and [3]");
  CHECK_FAILS(cross_entropy(scalar(1), indices(0)), "got [] and []");
  const char* const no_class =
      "cross_entropy: needs logits [..., V] with V > 0 and targets [...], got [2, 0]";
  CHECK_FAILS(cross_entropy(zeros({2, 0}), indices({-100, -100})), no_class);
  {
    const ComposedOps composed;
    CHECK_FAILS(cross_entropy(zeros({2, 0}), indices({-100, -100})), no_class);
  }
  CHECK_FAILS(cross_entropy(logits, indices({0, 3})),
              "cross_entropy: target 3 at position 1 is not one of the 3 classes of logits [2, 3]");
  CHECK_FAILS(cross_entropy(logits, indices({-1, 0})), "target -1 at position 0");
  CHECK_FAILS(cross_entropy(logits, indices({0, 1}), {.label_smoothing = Scalar(1.5)}),
              "cross_entropy: label_smoothing must be in [0, 1], got 1.5");
  CHECK_FAILS(cross_entropy(logits, indices({0, 1}), {.label_smoothing = kNaN}),
              "label_smoothing must be in [0, 1]");
}

TEST_CASE("cross_entropy: several threads") {
  IndexTensor targets(Shape{331});
  for (Index i = 0; i < 331; ++i) {
    targets.mutable_data()[i] = static_cast<std::int32_t>(i * 29 % 101);
  }
  CHECK_THREADS([&](const Tensors& x) { return cross_entropy(x[0], targets); },
                {drawn({331, 101}, 2)}, 0);
}

#ifdef GRADUS_DOUBLE

TEST_CASE("cross_entropy: gradients") {
  const IndexTensor targets = indices({{0, 4, -1}, {2, -1, 3}});
  for (const double smoothing : {0.0, 0.1}) {
    const CrossEntropyOptions options{.ignore_index = -1, .label_smoothing = smoothing};
    check_gradient(
        [&](const Tensors& x) { return exp(cross_entropy(x[0], targets, options)) * x[0]; },
        {{2, 3, 5}});
    const TensorFunction f = [&](const Tensors& x) {
      return tanh(cross_entropy(x[0], targets, options)) * x[0];
    };
    check_gradient(in_words(f), {{2, 3, 5}});
    check_second_gradient(f, {{2, 3, 5}});
  }
}

#endif
