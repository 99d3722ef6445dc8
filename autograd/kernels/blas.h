/// @file
/// Matrix products, by OpenBLAS, cut among our own threads.
///
/// At this library's sizes, rows of a product split over our threads with the BLAS on one thread
/// inside each beat the BLAS's own threads, and two pools that spin against each other cost more
/// than either saves. Hence: the BLAS is kept at one thread, and the cut is made here. blas.cpp is
/// the only file that includes cblas.h.
#pragma once

#include <cstdint>
#include <string>

#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// A matrix as the BLAS reads it: rows `ld` elements apart, taken transposed or not.
struct MatrixView {
  const Scalar* data;       ///< the first element
  Index ld;                 ///< from one row to the next, before any transposing
  bool transposed = false;  ///< whether the product takes it transposed
};

/// C = alpha op(A) op(B) + beta C, where op(A) is [m, k], op(B) is [k, n] and C is [m, n] with rows
/// `ldc` apart. With beta 0, C need not be set before. Uses all threads, or one inside a
/// parallel_for.
void gemm(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
          Scalar beta, Scalar* c, Index ldc);

/// Whether gemm() counts its arithmetic from now on. Calls nest: it counts until there were as many
/// with false as with true.
void count_flops(bool on);
/// 2 m n k for each gemm() so far that was counted, on all threads.
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

/// Where address space is limited (ulimit -v), takes the buffers that OpenBLAS needs for
/// num_threads() threads now: a product that finds no room for its buffer tries again for ever.
/// @throws std::runtime_error if there is no room for them.
void claim_blas_memory();

/// Puts right what can only be set before OpenBLAS loads, by setting it and running the program
/// again, once.
///
/// - Where OpenBLAS does not know the CPU it falls back to kernels many times slower (its issue
///   4267): OPENBLAS_CORETYPE names the right ones. Not touched if the core fits or it is set.
/// - Where address space is limited, OpenBLAS is kept from starting threads: OPENBLAS_NUM_THREADS.
///
/// Does nothing if GRADUS_KEEP_ENVIRONMENT is set. To be called first thing in main().
void prepare_process(char** argv);

/// @}

}  // namespace gradus
