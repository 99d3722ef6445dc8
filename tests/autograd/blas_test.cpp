#include "autograd/kernels/blas.h"

#include "autograd/kernels/few_rows.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

/// Compares a product of gemm() with a triple loop. C lies inside a larger array, whose other
/// elements must not change.
struct Product {
  Index m, n, k;
  bool ta = false, tb = false;
  Scalar alpha = 1, beta = 0;
};

std::string trouble_with(const Product& p) {
  const Index gap = 3;  // between rows, so that leading dimensions are larger than rows
  const Index lda = (p.ta ? p.m : p.k) + gap, ldb = (p.tb ? p.k : p.n) + gap, ldc = p.n + gap;
  const Tensor a = drawn({p.ta ? p.k : p.m, lda}, 0);
  const Tensor b = drawn({p.tb ? p.n : p.k, ldb}, 1);
  Tensor c = drawn({p.m, ldc}, 2).clone();
  Tensor expected = c.clone();
  for (Index i = 0; i < p.m; ++i) {
    for (Index j = 0; j < p.n; ++j) {
      double total = 0;
      for (Index l = 0; l < p.k; ++l) {
        total += double{a.data()[p.ta ? l * lda + i : i * lda + l]} *
                 b.data()[p.tb ? j * ldb + l : l * ldb + j];
      }
      Scalar& e = expected.mutable_data()[i * ldc + j];
      e = static_cast<Scalar>(p.alpha * total + (p.beta == 0 ? 0 : double{p.beta} * e));
      if (p.beta == 0) {
        c.mutable_data()[i * ldc + j] = kNaN;  // must not be read
      }
    }
  }
  gemm(p.m, p.n, p.k, p.alpha, {a.data(), lda, p.ta}, {b.data(), ldb, p.tb}, p.beta,
       c.mutable_data(), ldc);
  return difference(c, expected, kIsDouble ? 1e-12 : 2e-5);
}

}  // namespace

TEST_CASE("gemm: against a triple loop, cut over rows or columns, transposed or not") {
  for (const int threads : {1, 2, 3, 7}) {
    const ThreadScope scope(threads);
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        CAPTURE(threads);
        CAPTURE(ta);
        CAPTURE(tb);
        CHECK(trouble_with({.m = 131, .n = 61, .k = 37, .ta = ta, .tb = tb}) == "");
        CHECK(trouble_with({.m = 61, .n = 131, .k = 37, .ta = ta, .tb = tb}) == "");
        CHECK(trouble_with({.m = 67,
                            .n = 67,
                            .k = 31,
                            .ta = ta,
                            .tb = tb,
                            .alpha = Scalar(0.5),
                            .beta = -2}) == "");
        CHECK(trouble_with({.m = 2, .n = 3, .k = 5, .ta = ta, .tb = tb, .beta = 1}) == "");
      }
    }
  }
}

TEST_CASE("gemm: single rows and columns, fewer of them than threads") {
  for (const int threads : {1, 2, 7}) {
    const ThreadScope scope(threads);
    CHECK(trouble_with({.m = 1, .n = 1, .k = 100'003}) == "");
    CHECK(trouble_with({.m = 3, .n = 2, .k = 50'021, .beta = 1}) == "");
    CHECK(trouble_with({.m = 1, .n = 4099, .k = 37}) == "");
    CHECK(trouble_with({.m = 4099, .n = 1, .k = 37, .tb = true}) == "");
  }
}

TEST_CASE("gemm: few rows, whose products have loops of their own") {
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    for (const Index m : {1, 2, 7, 8, 9}) {
      for (const bool tb : {false, true}) {
        CAPTURE(threads);
        CAPTURE(m);
        CAPTURE(tb);
        CHECK(trouble_with({.m = m, .n = 1301, .k = 211, .tb = tb}) == "");  // several threads
        CHECK(trouble_with({.m = m, .n = 1031, .k = 13, .tb = tb, .beta = 1}) == "");
        CHECK(trouble_with({.m = m, .n = 17, .k = 19, .tb = tb, .alpha = -3, .beta = 2}) == "");
        CHECK(trouble_with({.m = m, .n = 16, .k = 1, .tb = tb}) == "");
        CHECK(trouble_with({.m = m, .n = 1, .k = 16, .tb = tb, .alpha = Scalar(0.5)}) == "");
        CHECK(trouble_with({.m = m, .n = 16, .k = 0, .tb = tb, .beta = 3}) == "");
        CHECK(trouble_with({.m = m, .n = 0, .k = 16, .tb = tb}) == "");
      }
    }
  }
}

TEST_CASE("gemm: each of few rows has the same bits as alone") {
  const Index n = 1301, k = 211;
  for (const bool tb : {false, true}) {
    const Tensor a = drawn({kFewRows, k}, 0), b = drawn({k, n}, 1);
    const MatrixView right{b.data(), tb ? k : n, tb};
    for (const int threads : {1, 2, 5}) {
      const ThreadScope scope(threads);
      Tensor alone({kFewRows, n});
      for (Index row = 0; row < kFewRows; ++row) {
        gemm(1, n, k, 1, {a.data() + row * k, k}, right, 0, alone.mutable_data() + row * n, n);
      }
      for (Index m = 2; m <= kFewRows; ++m) {
        Tensor together({m, n});
        gemm(m, n, k, 1, {a.data(), k}, right, 0, together.mutable_data(), n);
        CHECK(std::equal(together.begin(), together.end(), alone.begin()));
      }
    }
  }
}

TEST_CASE("gemm: a few rows have the same bits inside a parallel_for") {
  const ThreadScope scope(2);
  for (const Index m : {1, 3}) {
    const Index n = 64, k = 4099;  // enough for two threads
    const Tensor a = drawn({m, k}, 0), b = drawn({k, n}, 1);
    Tensor outside({m, n}), inside({2, m, n});
    gemm(m, n, k, 1, {a.data(), k}, {b.data(), n}, 0, outside.mutable_data(), n);
    parallel_parts(2, [&, to = inside.mutable_data()](int part) {
      gemm(m, n, k, 1, {a.data(), k}, {b.data(), n}, 0, to + part * m * n, n);
    });
    CHECK(std::equal(outside.begin(), outside.end(), inside.begin()));
    CHECK(std::equal(outside.begin(), outside.end(), inside.begin() + m * n));
  }
}

TEST_CASE("gemm: an empty inner size leaves beta C, an empty result touches nothing") {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      CHECK(trouble_with({.m = 3, .n = 5, .k = 0, .ta = ta, .tb = tb}) == "");
      CHECK(trouble_with({.m = 3, .n = 5, .k = 0, .ta = ta, .tb = tb, .beta = Scalar(0.5)}) == "");
      CHECK(trouble_with({.m = 0, .n = 5, .k = 7, .ta = ta, .tb = tb}) == "");
      CHECK(trouble_with({.m = 5, .n = 0, .k = 7, .ta = ta, .tb = tb}) == "");
    }
  }
}

TEST_CASE("gemm: sizes beyond the BLAS's integers are refused") {
  Scalar one = 1;
  const Index beyond = Index{1} << 31;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    CHECK_FAILS(gemm(1, 1, beyond, 1, {&one, beyond}, {&one, 1}, 0, &one, 1),
                "gemm: a size of 2147483648 is too large for the BLAS (at most 2^31 - 1)");
  }
}

TEST_CASE("blas_info: names the library and its kernels") {
  const BlasInfo info = blas_info();
  CHECK(info.name.substr(0, 9) == "OpenBLAS ");
  CHECK(!info.core.empty());
}
