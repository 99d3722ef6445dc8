#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "tutorials/02_the_matrix_product/exercises.h"
#include "tutorials/common/count_new.h"

namespace {

Tensor random(Index n, std::uint64_t seed, Scalar scale) {
  const gradus::Tensor x = gradus::normal({n * n}, {.seed = seed});
  Tensor y = tensor({n, n}, {x.begin(), x.end()});
  for (Index i = 0; i < y.size(); ++i) y.mutable_data()[i] *= scale;
  return y;
}

void hold(Index n, Scalar scale) {
  std::string what = "n " + std::to_string(n);
  if (scale > 1) what += ", numbers of about " + std::to_string(int(scale));
  Tensor a = random(n, 1, scale), b = random(n, 2, scale), c = full({n, n}, 7);
  const gradus::Tensor x = gradus::as_library(a), y = gradus::as_library(b);
  const auto right = gradus::matmul(x, y, {.a = true});
  Cache cache(8);
  gradus::no_memory(
      what,
      [&] {
        transposed_product(n, {a.mutable_data(), 10000, &cache}, {b.mutable_data(), 20000, &cache},
                           {c.mutable_data(), 30000, &cache});
      },
      64);
  if (!std::equal(a.begin(), a.end(), x.begin()) || !std::equal(b.begin(), b.end(), y.begin())) {
    gradus::red(what, ": a or b has changed");
  }
  gradus::expect(what + ": the numbers", gradus::as_library(c), right, "",
                 1e-5 * double(n) * scale * scale);
  if (cache.clock < 3 * n * n) {
    gradus::red(what, ": numbers were read past the cache\nlikely cause: .data; write a[...]");
  }
  if (n < 96) return;  // of small matrices, the cache holds too much
  const double fetched = 16.0 * double(cache.fetched) / double(n * n * n);
  std::ostringstream said;
  said.precision(3);
  said << what << ": a cache of 64 lines fetches " << fetched << " for each multiplication";
  if (fetched <= 0.15) {
    gradus::green(said.str());
    return;
  }
  said << ", at most 0.15 was asked\nlikely cause: ";
  if (fetched > 8) {
    said << "the inner loop goes down a column: each line gives one number of 16";
  } else if (fetched > 0.9) {
    said << "c is read and written for each multiplication: keep the sums of a tile of c in an "
            "array while k runs";
  } else {
    said << "R rows and S columns of c need R numbers of a and S of b at each k. With fewer than "
            "16 rows, only R of the 16 numbers of each line of a are used";
  }
  gradus::red(said.str());
}

}  // namespace

CHECK_ANSWER() {
  hold(32, 1);
  hold(96, 1e4f);
  hold(128, 1);
  hold(160, 1);
}
