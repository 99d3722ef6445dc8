/// @file
/// Matrix products by OpenBLAS, split among our own threads.
///
/// At this library's sizes, splitting the rows of a product over our threads, with a
/// single-threaded BLAS in each, is faster than the BLAS's own threads; and two thread pools that
/// spin against each other cost more than either saves. So the BLAS runs single-threaded and the
/// split is made here. blas.cpp is the only file that includes cblas.h.
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
/// `ldc` apart. With beta 0, C may be uninitialised. Uses all threads, or one inside a
/// parallel_for.
void gemm(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
          Scalar beta, Scalar* c, Index ldc);

/// What gemm() makes of its operands.
enum class ProductPrecision {
  kFull,      ///< as they are; the standard
  kBfloat16,  ///< rounded to bfloat16, with sums in float; small products and few rows as they are
};

/// What stands in the way of kBfloat16, as `this CPU has no AVX512_BF16`; nullptr if nothing does.
const char* bfloat16_obstacle();

namespace detail {
/// Of products on this thread, which hands it on to those that compute pieces of its work.
inline constinit thread_local ProductPrecision product_precision = ProductPrecision::kFull;
}  // namespace detail

/// The precision of the products that this thread asks for, until the end of the scope.
struct ProductPrecisionScope : detail::ValueScope<ProductPrecision> {
  /// @throws std::invalid_argument if it is kBfloat16 and there is a bfloat16_obstacle().
  [[nodiscard]] explicit ProductPrecisionScope(ProductPrecision precision);
};

/// Up to this many rows of A, gemm() reads each element of B once, in place of the BLAS.
inline constexpr Index kFewRows = 8;

/// Turns the counting of gemm()'s arithmetic on or off. Calls nest: counting stops after as many
/// calls with false as with true.
void count_flops(bool on);
/// 2 m n k for each counted gemm() so far, over all threads.
std::uint64_t flops_counted();

/// What the BLAS says of itself.
struct BlasInfo {
  std::string name;           ///< for example "OpenBLAS 0.3.21"
  std::string core;           ///< the kernels it chose, for example "SkylakeX"
  std::string expected_core;  ///< what this CPU's instructions allow, by OPENBLAS_CORETYPE's names
  bool core_fits = true;      ///< false if it fell back to kernels far below this CPU
};
/// Asks the BLAS and the CPU.
BlasInfo blas_info();

/// Whether the address space of this process is limited (ulimit -v).
bool address_space_is_limited();

/// Where address space is limited, takes the buffers that OpenBLAS needs for
/// num_threads() threads now: a product that finds no room for its buffer tries again for ever.
/// @throws std::runtime_error if there is no room for them.
void claim_blas_memory();

/// @}

}  // namespace gradus
