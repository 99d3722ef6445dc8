/// @file
/// Makes the sgemm that pocket calls count its calls while `counting`. Included before pocket.
#pragma once

#include <cblas.h>

#include <map>

// [counted]
struct Product {
  blasint m, n, k;  // [m, k] times [k, n]
  CBLAS_TRANSPOSE a, b;
  double operations() const { return 2.0 * double(m) * double(n) * double(k); }
  auto operator<=>(const Product&) const = default;
};
inline std::map<Product, int> products;  // and how often each was computed
inline bool counting = false;

inline void counted_sgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m,
                          blasint n, blasint k, float alpha, const float* a, blasint lda,
                          const float* b, blasint ldb, float beta, float* c, blasint ldc) {
  if (counting) ++products[{m, n, k, ta, tb}];
  cblas_sgemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
#define cblas_sgemm counted_sgemm

/// The products that f computes, by their sizes.
template <class F>
std::map<Product, int> products_of(F f) {
  products.clear(), counting = true;
  f();
  counting = false;
  return products;
}
template <class F>
double million_operations(F f) {
  double sum = 0;
  for (const auto& [product, calls] : products_of(f)) sum += calls * product.operations() / 1e6;
  return sum;
}
// [counted]
