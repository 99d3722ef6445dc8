/// @file
/// Threads: one OpenMP pool, used through parallel_for and nothing else.
///
/// Work is cut into one contiguous piece per thread, by position alone. Which numbers are added up
/// by which thread therefore never depends on scheduling: the same machine, build and thread count
/// give the same bits. Inside a piece everything runs on one thread, the BLAS too.
#pragma once

#include <algorithm>
#include <exception>

#include "autograd/scalar.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace gradus {

/// @addtogroup kernels
/// @{

/// The number of threads that parallel_for uses at most: OMP_NUM_THREADS or the number of cores,
/// unless set_num_threads() said otherwise.
int num_threads();

/// Chooses the number of threads, from now on.
/// @throws std::invalid_argument if `count` is below 1.
void set_num_threads(int count);

/// Whether this code already runs inside a parallel_for.
inline bool in_parallel() {
#ifdef _OPENMP
  return omp_in_parallel() != 0;
#else
  return false;
#endif
}

/// Calls `piece(part)` for every part in [0, parts), each on a thread of its own. What one throws
/// is thrown again when all are done.
template <class Piece>
void parallel_parts(int parts, Piece&& piece) {
#ifdef _OPENMP
  if (parts > 1 && !in_parallel()) {
    std::exception_ptr failure;
#pragma omp parallel num_threads(parts)
    try {
      for (int part = omp_get_thread_num(); part < parts; part += omp_get_num_threads()) {
        piece(part);
      }
    } catch (...) {
#pragma omp critical(gradus_parallel_parts)
      failure = std::current_exception();
    }
    if (failure) {
      std::rethrow_exception(failure);
    }
    return;
  }
#endif
  for (int part = 0; part < parts; ++part) {
    piece(part);
  }
}

/// Into how many parts `n` items are to be cut when a part below `grain` items is not worth a
/// thread.
inline int parts_for(Index n, Index grain) {
  if (n <= grain || in_parallel()) {
    return 1;
  }
  return static_cast<int>(std::min<Index>(num_threads(), (n + grain - 1) / grain));
}

/// Where part `part` of `parts` begins among `n` items.
inline Index part_begin(Index n, int part, int parts) { return n * part / parts; }

/// Calls `body(begin, end)` for pieces that together cover [0, n), at most one piece per thread.
/// Pieces hold at least about `grain` items, so that small work stays on the calling thread.
template <class Body>
void parallel_for(Index n, Index grain, Body&& body) {
  const int parts = parts_for(n, grain);
  if (parts == 1) {
    body(Index{0}, n);
    return;
  }
  parallel_parts(
      parts, [&](int part) { body(part_begin(n, part, parts), part_begin(n, part + 1, parts)); });
}

/// @}

}  // namespace gradus
