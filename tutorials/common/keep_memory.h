/// @file
/// Keeps freed memory, for programs that train.
#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace course {

/// A training step frees as much memory as the next step takes. This keeps it in the process,
/// because returning it to the system between steps costs a quarter of the time.
inline void keep_memory() {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace course
