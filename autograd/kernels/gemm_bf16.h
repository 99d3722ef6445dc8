/// @file
/// Matrix products of operands rounded to bfloat16, with float sums: half the bytes and twice the
/// arithmetic of an AVX-512 instruction, where the CPU has AVX512_BF16.
///
/// Left out on purpose: bfloat16 in memory. Operands are rounded as they are packed, so that
/// nothing but gemm() knows of it.
#pragma once

#include "autograd/kernels/blas.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// C = alpha op(A) op(B) + beta C on the calling thread, as gemm(), which calls it unless
/// there is a bfloat16_obstacle(), which the same file knows. Elements of A
/// and B are rounded to the nearest bfloat16, ties to even; subnormal numbers count as 0, as the
/// instruction takes them. An element's products are added in float in the order of k, in pairs and
/// in blocks of fixed length: its bits do not depend on how C is cut into parts.
void gemm_bf16(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
               Scalar beta, Scalar* c, Index ldc);

/// @}

}  // namespace gradus::detail
