/// @file
/// Matrix products of operands rounded to bfloat16, with float sums, for CPUs with AVX512_BF16. An
/// operand has half the bytes of a float, and an instruction does twice the arithmetic of an
/// AVX-512 instruction for floats.
///
/// Left out on purpose: bfloat16 in memory. Operands are rounded while they are packed, so only
/// gemm() handles bfloat16. (narrow_rows.h has bfloat16 weights of models that are not trained.)
#pragma once

#include "autograd/kernels/blas.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// C = alpha op(A) op(B) + beta C on the calling thread, with the arguments of gemm(). gemm() calls
/// it unless there is a bfloat16_obstacle(), which is defined in the same file. Elements of A and B
/// are rounded to the nearest bfloat16, ties to even; subnormal numbers count as 0, as in the
/// instruction. An element's products are added in float in the order of k, in pairs and in blocks
/// of fixed length: its bits do not depend on how C is cut into parts.
void gemm_bf16(Index m, Index n, Index k, Scalar alpha, const MatrixView& a, const MatrixView& b,
               Scalar beta, Scalar* c, Index ldc);

/// @}

}  // namespace gradus::detail
