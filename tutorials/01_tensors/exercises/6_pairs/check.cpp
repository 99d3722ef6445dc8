#include "tutorials/01_tensors/exercises.h"
#include "tutorials/common/guards.h"

namespace {

using gradus::red;

Tensor points(Index n, Index axes, Scalar first, Scalar scale) {
  Tensor x({n, axes});
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = scale * (first + Scalar(i * i % 17) + Scalar(i) / 8);
  return x;
}

void see(Index m, Index n, Index axes, Scalar scale) {
  const Tensor a = points(m, axes, 1, scale), b = points(n, axes, 3, scale);
  const std::string name = gradus::detail::text("a ", a.shape(), ", b ", b.shape());
  const Tensor got = gradus::unchanged<Tensor>(name, {a, b}, [&] {
    try {
      return pairs(a, b);
    } catch (const std::invalid_argument& error) {
      red(name, ": ", error.what(), "\nlikely cause: a needs an axis of size 1 in the middle");
    }
  });
  gradus::Tensor right({m, n, axes});
  for (Index i = 0; i < right.size(); ++i) {
    const Index row = i / axes / n, column = i / axes % n, d = i % axes;
    right.mutable_data()[i] = a.data()[row * axes + d] - b.data()[column * axes + d];
  }
  gradus::must_be_close(name, gradus::as_library(got), right,
                        "element [i, j, d] is a[i, d] - b[j, d]", 0);
}

}  // namespace

CHECK_ANSWER() {
  for (const Scalar scale : {1, 10000}) {
    see(2, 3, 4, scale), see(5, 2, 1, scale), see(1, 4, 3, scale), see(4, 1, 2, scale);
    see(3, 3, 3, scale), see(4, 4, 2, scale), see(0, 3, 2, scale);
  }
  gradus::green("pairs: seven sizes, also equal ones, 1 and 0, and numbers of 1e4");
}
