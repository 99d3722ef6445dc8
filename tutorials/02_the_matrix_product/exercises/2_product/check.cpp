// What counts the calls comes before what calls.
// clang-format off
#include "tutorials/02_the_matrix_product/counted.h"
#include "pocket/matmul.h"
// clang-format on

#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "tutorials/common/count_new.h"
#include "tutorials/common/guards.h"

namespace {

using pocket::Index, pocket::Shape, pocket::Tensor;

Tensor random(const Shape& shape, std::uint64_t seed, float scale) {
  const gradus::Tensor x = gradus::normal({shape.size()}, {.seed = seed});
  Tensor y = pocket::tensor(shape, {x.begin(), x.end()});
  for (Index i = 0; i < y.size(); ++i) y.mutable_data()[i] *= scale;
  return y;
}

void hold(const Shape& of_a, const Shape& of_b, bool ta, bool tb, float scale) {
  const Tensor a = random(of_a, 1, scale), b = random(of_b, 2, scale);
  std::ostringstream what;
  what << "a " << of_a << (ta ? "^T" : "") << ", b " << of_b << (tb ? "^T" : "");
  if (scale > 1) what << ", numbers of about " << scale;
  const gradus::Tensor right =
      gradus::matmul(gradus::as_library(a), gradus::as_library(b), {ta, tb});
  sgemm_calls = 0;
  Tensor y;
  const std::size_t result = right.size() * sizeof(float);
  gradus::unchanged<Tensor>(what.str(), {a, b}, [&] {
    gradus::no_memory(
        what.str(),
        [&] {
          y = pocket::product(a, b, {ta, tb});
        },
        std::max<std::size_t>(result, 400));
    return 0;
  });
  const double most = gradus::scale_of(right);
  gradus::expect(what.str(), gradus::as_library(y), right,
                 "if SGEMM names an illegal parameter above, a leading dimension is too small",
                 1e-4 * most);
  if (sgemm_calls == 0 && y.size() > 0)
    gradus::red(what.str(), ": right, but not by gemm(): let sgemm do it, with its flags");
  const Index matrices = y.size() > 0 ? y.size() / (y.size(-2) * y.size(-1)) : sgemm_calls;
  if (sgemm_calls != matrices) {
    gradus::red(what.str(), ": right, but by ", sgemm_calls, " calls of gemm() for ", matrices,
                " matrices: one call multiplies two whole matrices");
  }
}

}  // namespace

CHECK_ANSWER() {
  hold({20, 30}, {30, 25}, false, false, 1);
  hold({2, 5, 40}, {2, 40, 60}, false, false, 1);
  hold({16, 16}, {16, 16}, false, true, 1);  // where a mistaken flag reads within the matrix
  hold({20, 30}, {25, 30}, false, true, 1);
  hold({30, 20}, {30, 25}, true, false, 1);
  hold({3, 30, 20}, {3, 25, 30}, true, true, 1);
  hold({2, 3, 11, 7}, {2, 3, 13, 7}, false, true, 1);
  hold({2, 3, 7, 11}, {2, 3, 7, 13}, true, false, 1e4f);
  hold({2, 2, 2, 3, 4}, {2, 2, 2, 4, 5}, false, false, 1);
  hold({1, 1}, {1, 1}, false, false, 1);
  hold({2, 3, 40}, {2, 50, 40}, false, true, 1);
  hold({0, 3}, {3, 2}, false, false, 1);
}
