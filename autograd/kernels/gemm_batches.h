/// @file
/// Products of batches of matrices. The batches broadcast.
#pragma once

#include "autograd/kernels/blas.h"
#include "autograd/kernels/loops.h"

namespace gradus::detail {

/// @addtogroup kernels
/// @{

/// Computes y = a b for each matrix [m, n] of `batch`. `a` and `b` are views of the first matrices,
/// [m, k] and [k, n] unless transposed. The matrices of `a_batch` and `b_batch` lie one after the
/// other in memory.
inline void gemm_batches(const Shape& batch, Index m, Index n, Index k, const Shape& a_batch,
                         const MatrixView& a, const Shape& b_batch, const MatrixView& b,
                         Scalar* y) {
  if (m == 0 || n == 0) {
    return;  // there may be too many batches to loop over
  }
  const BroadcastPlan<2> plan(batch, {&a_batch, &b_batch});
  const auto one = [&](Index i) {
    // The elements of the plan are batches; each of its rows is a run of sizes[0] batches.
    const std::array<Index, 2> row = plan.offsets(i / plan.sizes[0]);
    const Index at = i % plan.sizes[0];
    const Scalar* p = a.data + (row[0] + at * plan.strides[0][0]) * m * k;
    const Scalar* q = b.data + (row[1] + at * plan.strides[1][0]) * k * n;
    gemm(m, n, k, 1, {p, a.ld, a.transposed}, {q, b.ld, b.transposed}, 0, y + i * m * n, n);
  };
  const Index batches = batch.size();
  if (batches < num_threads()) {  // few batches: each product uses all threads
    for (Index i = 0; i < batches; ++i) {
      one(i);
    }
  } else {
    parallel_for(batches, kElementGrain / (m * n * k + 1) + 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        one(i);
      }
    });
  }
}

/// @}

}  // namespace gradus::detail
