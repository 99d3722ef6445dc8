#include <new>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library;
using gradus::red;

namespace {

std::size_t bytes_taken = 0;

void hold(const std::string& what, Index t, Index s, Index d, Index e, Scalar scale,
          int order = 0) {
  const Tensor q = normal({t, d}, {.seed = 1}, 0, scale), v = normal({s, e}, {.seed = 3});
  Tensor k = normal({s, d}, {.seed = 2}, 0, scale);
  if (order != 0) {  // scores rise or fall with s
    for (Index i = 0; i < s; ++i) {
      const Scalar factor = Scalar(order > 0 ? i + 1 : s - i) / Scalar(s);
      for (Index j = 0; j < d; ++j) k.mutable_data()[i * d + j] = q.data()[j] * factor;
    }
  }
  const Tensor scores = matmul(q, k, {.b = true}),
               right = matmul(softmax(scores / std::sqrt(Scalar(d))), v);
  const std::size_t before = bytes_taken;
  const Tensor y =
      gradus::unchanged<Tensor>(what, {q, k, v}, [&] { return streaming_attention(q, k, v); });
  const std::size_t bytes = bytes_taken - before - 4 * std::size_t(q.size() + k.size() + v.size());
  if (!y.defined()) red(what + ": got nothing");
  gradus::must_be_finite(what, y,
                         "exponentials of large scores: subtract the largest so far; and "
                         "begin with -infinity, not with 0");
  const Scalar root = std::sqrt(Scalar(d));
  gradus::expect(what, as_library(y), as_library(right),
                 {{as_library(matmul(softmax(scores), v)), "scores are divided by sqrt(D)"},
                  {as_library(matmul(softmax(scores / Scalar(d)), v)),
                   "scores are divided by sqrt(D), not by D"},
                  {as_library(matmul(softmax(scores / std::sqrt(Scalar(e))), v)),
                   "D is the size of a key, not of a value"},
                  {as_library(matmul(softmax(scores / root), v) / Scalar(s)),
                   "divided by the number of keys, not by the sum of the weights"}},
                 2e-4);
  if (bytes > 4 * std::size_t(y.size()) + 1024) {
    red(what + ": took " + std::to_string(bytes) + " bytes, where y has " +
        std::to_string(4 * y.size()) + "\nlikely cause: the scores, or a row of them, were kept");
  }
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  bytes_taken += bytes;
  if (void* place = std::malloc(bytes == 0 ? 1 : bytes)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }

int main() {
  return gradus::run_check([] {
    hold("3 queries, 5 keys, D 4, E 6", 3, 5, 4, 6, 1);
    hold("one key", 2, 1, 3, 2, 1);
    hold("rising scores", 1, 9, 5, 3, 3, 1);
    hold("falling scores", 1, 9, 5, 3, 3, -1);
    hold("scores of some thousand", 4, 7, 3, 5, 50);
    hold("7 queries, 3000 keys", 7, 3000, 8, 5, 1);
    const Tensor q = full({1, 4}, 100), k = full({6, 4}, -50), v = normal({6, 3}, {.seed = 4});
    const Tensor y = streaming_attention(q, k, v);
    gradus::must_be_finite("scores of -10000", y,
                           "exponentials of large scores: subtract the "
                           "largest so far; and begin with -infinity, not with 0");
    gradus::expect("scores of -10000", as_library(y), as_library(reshape(mean(v, 0), {1, 3})));
  });
}
