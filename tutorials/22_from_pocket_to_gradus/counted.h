/// @file
/// Makes the sgemm that pocket calls count its calls. Included before pocket.
#pragma once

#include <cblas.h>

#include <chrono>
#include <map>

// [counted]
struct Product {
  blasint m, n, k;  // [m, k] times [k, n]
  auto operator<=>(const Product&) const = default;
};
struct Products {
  double calls = 0, operations = 0, seconds = 0;
  void operator+=(const Products& x) {
    calls += x.calls, operations += x.operations, seconds += x.seconds;
  }
};
inline std::map<Product, Products> products;

inline void counted_sgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m,
                          blasint n, blasint k, float alpha, const float* a, blasint lda,
                          const float* b, blasint ldb, float beta, float* c, blasint ldc) {
  const auto start = std::chrono::steady_clock::now();
  cblas_sgemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  products[{m, n, k}] += {1, 2.0 * double(m) * double(n) * double(k), taken.count()};
}
#define cblas_sgemm counted_sgemm
// [counted]
