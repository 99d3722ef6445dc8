#include "cli/program/prepare_process.h"

#include <unistd.h>

#include <cstdlib>

#include "autograd/kernels/blas.h"

namespace gradus {

void prepare_process(char** argv) {
  if (std::getenv("GRADUS_KEEP_ENVIRONMENT") != nullptr) {
    return;
  }
  bool changed = false;
  const auto set = [&](const char* name, const char* value) {
    if (std::getenv(name) == nullptr) {
      changed = setenv(name, value, 0) == 0 || changed;
    }
  };
  const BlasInfo info = blas_info();
  if (!info.core_fits) {
    set("OPENBLAS_CORETYPE", info.expected_core.c_str());
  }
  if (address_space_is_limited()) {
    set("OPENBLAS_NUM_THREADS", "1");  // otherwise unused threads take buffers of their own
  }
  if (!changed) {
    return;
  }
#ifdef __linux__
  execv("/proc/self/exe", argv);  // returns only if it fails; the program is then only slower
#else
  execvp(argv[0], argv);
#endif
}

}  // namespace gradus
