/// @file
/// Makes the sgemm that pocket calls count its calls, when it is asked to. Included before pocket.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <map>

// [counted]
struct Product {
  blasint m, n, k;  // [m, k] times [k, n]
  CBLAS_TRANSPOSE a, b;
  auto operator<=>(const Product&) const = default;
};
struct Products {
  double calls = 0, operations = 0, seconds = 0;
  void operator+=(const Products& x) {
    calls += x.calls, operations += x.operations, seconds += x.seconds;
  }
};
inline std::map<Product, Products> products;
inline bool counting = false;     // it takes time at each call
inline double most_a_call = 1e9;  // multiplications; a larger product is cut, by the rows of [m, n]

inline void counted_sgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m,
                          blasint n, blasint k, float alpha, const float* a, blasint lda,
                          const float* b, blasint ldb, float beta, float* c, blasint ldc) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = counting ? Clock::now() : Clock::time_point();
  const blasint rows = std::clamp(blasint(most_a_call / (double(n) * double(k))), 1, m);
  for (blasint i = 0; i < m; i += rows) {
    cblas_sgemm(order, ta, tb, std::min(rows, m - i), n, k, alpha,
                a + i * (ta == CblasTrans ? 1 : lda), lda, b, ldb, beta, c + i * ldc, ldc);
  }
  if (!counting) return;
  const std::chrono::duration<double> taken = Clock::now() - start;
  products[{m, n, k, ta, tb}] += {1, 2.0 * double(m) * double(n) * double(k), taken.count()};
}
#define cblas_sgemm counted_sgemm

/// The products that f computes, by their sizes.
template <class F>
std::map<Product, Products> products_of(F f) {
  products.clear(), counting = true;
  f();
  counting = false;
  return products;
}
inline Products sum_of(const std::map<Product, Products>& all) {
  Products sum;
  for (const auto& [sizes, count] : all) sum += count;
  return sum;
}
// [counted]
