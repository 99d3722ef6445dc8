/// @file
/// The thread pool, used only through the functions in this file.
///
/// Work is split into one contiguous piece per thread. The split depends on positions alone, and
/// any thread may compute a piece: the same machine, build and thread count give the same bits.
/// Inside a piece all code is single-threaded, the BLAS too.
///
/// The caller waits only for pieces that another thread has begun. It computes the other pieces
/// itself, for example if other programs keep the cores busy. An idle thread spins for a moment,
/// then sleeps.
#pragma once

#include <algorithm>
#include <type_traits>

#include "autograd/scalar.h"

namespace gradus {

/// @addtogroup kernels
/// @{

/// The largest number of threads that parallel_for uses: OMP_NUM_THREADS or the number of cores,
/// unless set_num_threads() was called.
int num_threads();

/// Sets the number of threads from now on.
/// @throws std::invalid_argument if `count` is below 1.
void set_num_threads(int count);

namespace detail {

extern constinit thread_local bool inside_parallel;

/// Calls run(piece, part) for every part in [0, parts), on this thread and the pool's.
void run_parts(int parts, void (*run)(void* piece, int part), void* piece);

}  // namespace detail

/// Whether this code already runs inside a parallel_for.
inline bool in_parallel() { return detail::inside_parallel; }

/// Calls `piece(part)` for every part in [0, parts), on all threads. An exception is rethrown when
/// all parts are done; of several exceptions, the one from the thread with the lowest number.
template <class Piece>
void parallel_parts(int parts, Piece&& piece) {
  if (parts > 1 && !in_parallel()) {
    const auto run = [](void* erased, int part) {
      (*static_cast<std::remove_reference_t<Piece>*>(erased))(part);
    };
    detail::run_parts(parts, run, const_cast<void*>(static_cast<const void*>(&piece)));
    return;
  }
  for (int part = 0; part < parts; ++part) {
    piece(part);
  }
}

/// How many parts to split `n` items into, if a part with fewer than `grain` items is not worth a
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
