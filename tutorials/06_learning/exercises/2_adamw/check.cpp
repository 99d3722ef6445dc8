#include "tutorials/common/check.h"

#include "pocket/learn.h"

using gradus::green, gradus::red;
using namespace pocket;

namespace {

struct Numbers {
  explicit Numbers(const Shape& shape)
      : w(normal(shape, {.seed = 3}).set_requires_grad()),
        right(w.begin(), w.end()),
        m(right.size()),
        v(right.size()) {}
  Tensor w;
  std::vector<double> right, m, v;
};

}  // namespace

CHECK_ANSWER() {
  for (const Scalar scale : {Scalar(1), Scalar(1e4), Scalar(1e-3)}) {
    for (const Shape& shape : {Shape{2, 3}, Shape{5}, Shape{7, 1}, Shape{2, 1, 3}}) {
      Numbers x(shape);
      Tensor idle = ones({3, 2}).set_requires_grad();  // a matrix, which would decay
      Tensor other = ones({3}).set_requires_grad();    // moves in the same steps
      const AdamWOptions options{.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = 0.5};
      AdamW optimiser({{"idle", idle}, {"other", other}, {"w", x.w}}, options);
      for (int t = 1; t <= 100; ++t) {
        const Tensor g = normal(shape, {.seed = 9, .step = std::uint32_t(t)}, 0, scale);
        optimiser.zero_grad();
        backward(other, ones({3}));
        backward(x.w, g);
        const double rate = 0.1 / t, part = 0.5;
        optimiser.step(Scalar(rate), Scalar(part));
        const double decay = shape.rank() > 1 ? options.weight_decay : 0;
        const std::vector<double> before = x.right;
        for (std::size_t i = 0; i < x.right.size(); ++i) {
          const double each = double(g.data()[i]) * part;
          x.m[i] = options.beta1 * x.m[i] + (1 - options.beta1) * each;
          x.v[i] = options.beta2 * x.v[i] + (1 - options.beta2) * each * each;
          const double root = std::sqrt(x.v[i] / (1 - std::pow(options.beta2, t)));
          const double step =
              rate * x.m[i] / (1 - std::pow(options.beta1, t)) / (root + options.epsilon);
          x.right[i] = before[i] - rate * decay * before[i] - step;
          const double got = double(x.w.data()[i]);
          gradus::expect_number(
              gradus::detail::text("shape of rank ", shape.rank(), ", step ", t,
                                   ", gradients of about ", scale, ": w[", i, "]"),
              got, x.right[i], 2e-5);
          x.right[i] = got;
        }
      }
      optimiser.zero_grad();
      backward(x.w, full(shape, Scalar(std::nan(""))));
      optimiser.step(Scalar(0.1));
      if (!std::isnan(x.w.data()[0])) {
        red("a gradient of NaN has left no trace\nlikely cause: the step hides what is not finite");
      }
      if (!std::equal(idle.begin(), idle.end(), ones({3, 2}).begin())) {
        red("a parameter without a gradient has moved\nlikely cause: it decayed before it was left "
            "out");
      }
      green("a hundred steps, rank ", shape.rank());
    }
  }
}
