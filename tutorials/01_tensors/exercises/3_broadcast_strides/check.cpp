#include "autograd/ops/arithmetic.h"
#include "autograd/ops/random.h"
#include "pocket/tensor.h"
#include "tutorials/common/guards.h"

namespace {

using gradus::listed, pocket::Shape, pocket::Strides;

/// Whether two lists of strides read the same: the stride of an axis of size 1 is never used.
bool read_alike(const Strides& a, const Strides& b, const Shape& to) {
  if (a.size() != b.size()) return false;
  for (int k = 0; k < to.rank(); ++k) {
    if (to[k] > 1 && a[k] != b[k]) return false;
  }
  return true;
}

gradus::Tensor library(const pocket::Tensor& x) { return gradus::as_library(x); }

pocket::Tensor random(const Shape& shape, std::uint64_t seed) {
  const gradus::Tensor x = gradus::normal({shape.size()}, {.seed = seed});
  return pocket::tensor(shape, {x.begin(), x.end()});
}

/// The sum of two tensors by the reader's strides, and by the library.
void sum(const Shape& of_a, const Shape& of_b) {
  const pocket::Tensor a = random(of_a, 1), b = random(of_b, 2);
  const std::string what = gradus::detail::text(of_a, " + ", of_b);
  const pocket::Tensor got = gradus::unchanged<pocket::Tensor>(
      what, {a, b}, [&] { return pocket::elementwise("add", a, b, std::plus<>()); });
  gradus::expect(what, library(got), library(a) + library(b));
}

}  // namespace

CHECK_ANSWER() {
  struct Asked {
    Shape from, to;
    Strides right;
  };
  const std::vector<Asked> all = {{{4}, {3, 4}, {0, 1}},
                                  {{3, 1}, {3, 4}, {1, 0}},
                                  {{3, 4}, {3, 4}, {4, 1}},
                                  {{}, {2, 3}, {0, 0}},
                                  {{4}, {2, 3, 4}, {0, 0, 1}},
                                  {{2, 3, 5}, {7, 2, 3, 5}, {0, 15, 5, 1}},
                                  {{2, 1, 4}, {2, 3, 4}, {4, 0, 1}},
                                  {{3, 1}, {2, 3, 4}, {0, 1, 0}},
                                  {{2, 1, 3, 5}, {2, 4, 3, 5}, {15, 0, 5, 1}},
                                  {{3, 3}, {3, 3, 3}, {0, 3, 1}}};
  for (const auto& [from, to, right] : all) {
    const Strides got = pocket::broadcast_strides(from, to);
    const std::string what = gradus::detail::text(from, " as ", to, ": got ", listed(got));
    if (!read_alike(got, right, to)) {
      gradus::red(what, ", expected ", listed(right),
                  gradus::likely("0 where an axis is repeated or missing, and the stride of "
                                 "`from` elsewhere"));
    }
    gradus::green(what);
  }
  sum({3, 4}, {3, 1});
  sum({4}, {3, 4});
  sum({3, 1}, {1, 4});
  sum({2, 1, 3, 1}, {5, 1, 4});
  sum({2, 0, 3}, {3});
  sum({}, {});
}
