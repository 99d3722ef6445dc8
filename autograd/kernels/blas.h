/// @file
/// Matrix products with OpenBLAS, split among our own threads.
///
/// At this library's sizes, splitting the rows of a product over our threads, with a
/// single-threaded BLAS in each, is faster than the BLAS's own threads; and two thread pools that
/// spin against each other cost more than either saves. So the BLAS runs single-threaded, and
/// gemm() splits the product. blas.cpp is the only file that includes cblas.h.
#pragma once

#include <cstdint>
#include <string>

#include "autograd/kernels/value_scope.h"
#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// A matrix as the BLAS reads it: rows `ld` elements apart, optionally transposed.
struct MatrixView {
  const Scalar* data;       ///< the first element
  Index ld;                 ///< leading dimension: from one row to the next, before transposing
  bool transposed = false;  ///< whether the product takes it transposed
};

/// C = alpha op(A) op(B) + beta C, where op(A) is [m, k], op(B) is [k, n] and C is [m, n] with rows
/// `ldc` apart. With beta 0, C may be uninitialised. Uses all threads, or one thread inside a
/// parallel_for.
void gemm(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
          Scalar beta, Scalar* c, Index ldc);

/// The precision of gemm()'s operands.
enum class ProductPrecision {
  kFull,      ///< unchanged; the default
  kBfloat16,  ///< rounded to bfloat16, with sums in float; unchanged if the product is small or of
              ///< few rows
};

/// Why kBfloat16 is not available, for example `this CPU has no AVX512_BF16`; nullptr if it is
/// available.
const char* bfloat16_obstacle();

namespace detail {
/// The precision of products on this thread, and of products in its parallel_for() on other
/// threads.
inline constinit thread_local ProductPrecision product_precision = ProductPrecision::kFull;
}  // namespace detail

/// Sets the precision of this thread's products until the end of the scope.
struct ProductPrecisionScope : detail::ValueScope<ProductPrecision> {
  /// @throws std::invalid_argument if it is kBfloat16 and there is a bfloat16_obstacle().
  [[nodiscard]] explicit ProductPrecisionScope(ProductPrecision precision);
};

/// Up to this many rows of A, gemm() does not call the BLAS but reads each element of B once.
inline constexpr Index kFewRows = 8;

/// Turns the counting of gemm()'s arithmetic on or off. Calls nest: counting stops after as many
/// calls with false as with true.
void count_flops(bool on);
/// The sum of 2 m n k over all counted gemm() calls so far, on all threads.
std::uint64_t flops_counted();

/// The name of the BLAS and the kernels that it chose for this CPU.
struct BlasInfo {
  std::string name;           ///< for example "OpenBLAS 0.3.21"
  std::string core;           ///< the kernels it chose, for example "SkylakeX"
  std::string expected_core;  ///< kernels for this CPU, as named by OPENBLAS_CORETYPE
  bool core_fits = true;      ///< false if it fell back to kernels for far older CPUs
};
/// Queries the BLAS and the CPU.
BlasInfo blas_info();

/// Whether the address space of this process is limited (ulimit -v).
bool address_space_is_limited();

/// If the address space is limited, takes the buffers that OpenBLAS needs for num_threads() threads
/// now: without room for its buffer, a product would try again for ever.
/// @throws std::runtime_error if there is no room for them.
void claim_blas_memory();

/// @}

}  // namespace gradus
