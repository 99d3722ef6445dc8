/// @file
/// Prepares the process of a program before anything else runs.
#pragma once

namespace gradus {

/// Sets environment variables that OpenBLAS reads only when it loads, and then runs the program
/// again, once.
///
/// - OPENBLAS_CORETYPE: on a CPU that OpenBLAS does not recognise, it falls back to kernels that
///   are many times slower (its issue 4267); the variable names the right kernels. Left unset if
///   the kernels fit, and unchanged if it is set.
/// - OPENBLAS_NUM_THREADS: keeps OpenBLAS from starting threads where address space is limited.
///
/// Does nothing if GRADUS_KEEP_ENVIRONMENT is set. Call it first in main(). The library never calls
/// it: each program decides whether it may be run again.
void prepare_process(char** argv);

}  // namespace gradus
