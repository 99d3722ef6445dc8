#include "tutorials/common/check.h"

#include "tutorials/01_tensors/exercises.h"

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
  std::ostringstream sizes;
  sizes << "a " << a.shape() << ", b " << b.shape();
  const std::string name = sizes.str();
  const std::vector<Scalar> a_before(a.begin(), a.end()), b_before(b.begin(), b.end());
  Tensor got;
  try {
    got = pairs(a, b);
  } catch (const std::invalid_argument& error) {
    red(name + ": " + error.what() + "\nlikely cause: a needs an axis of size 1 in the middle");
  }
  if (!got.defined()) red(name + ": nothing was returned");
  const auto all = [&](const Shape& shape, auto&& value) {
    if (got.shape() != shape) return false;
    const Scalar* x = got.data();
    for (Index i = 0; i < shape[0]; ++i)
      for (Index j = 0; j < shape[1]; ++j)
        for (Index d = 0; d < axes; ++d, ++x)
          if (*x != value(a.data() + (shape[0] == m ? i : j) * axes + d,
                          b.data() + (shape[0] == m ? j : i) * axes + d))
            return false;
    return true;
  };
  const auto sub = [](const Scalar* x, const Scalar* y) { return *x - *y; };
  if (!std::equal(a.begin(), a.end(), a_before.begin()) ||
      !std::equal(b.begin(), b.end(), b_before.begin()))
    red(name + ": an argument has changed\nlikely cause: a handle shares its numbers");
  std::ostringstream shape;
  shape << name << ": the shape is " << got.shape() << ", expected " << Shape{m, n, axes};
  if (m != n && all({n, m, axes}, sub))
    red(shape.str() + "\nlikely cause: a lacks the middle axis, b the first");
  if (got.shape() != Shape{m, n, axes}) red(shape.str());
  if (all({m, n, axes}, sub)) return;
  if (all({m, n, axes}, [](const Scalar* x, const Scalar* y) { return *y - *x; }))
    red(name + ": the sign is the other way round: a - b");
  red(name + ": numbers are wrong\nlikely cause: element [i, j, d] is a[i, d] - b[j, d]");
}

}  // namespace

int main() {
  return gradus::run_check([] {
    for (const Scalar scale : {1, 10000}) {
      see(2, 3, 4, scale), see(5, 2, 1, scale), see(1, 4, 3, scale), see(4, 1, 2, scale);
      see(3, 3, 3, scale), see(4, 4, 2, scale), see(0, 3, 2, scale);
    }
    gradus::green("pairs: seven sizes, also equal ones, 1 and 0, and numbers of 1e4");
  });
}
