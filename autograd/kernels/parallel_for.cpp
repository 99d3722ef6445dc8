#include "autograd/kernels/parallel_for.h"

#include "autograd/check.h"

namespace gradus {
namespace {

int& thread_count() {
#ifdef _OPENMP
  static int count = omp_get_max_threads();
#else
  static int count = 1;
#endif
  return count;
}

}  // namespace

int num_threads() { return thread_count(); }

void set_num_threads(int count) {
  check(count >= 1, "set_num_threads: needs at least 1 thread, got ", count);
  thread_count() = count;
}

}  // namespace gradus
