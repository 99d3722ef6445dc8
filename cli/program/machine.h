/// @file
/// What the machine is and what it reaches, measured: for the plan of a run, its display, and
/// `gradus doctor`.
#pragma once

#include <string>
#include <vector>

#include "autograd/kernels/blas.h"

namespace gradus {

/// Memory, in bytes.
struct Memory {
  double total = 0;      ///< of the machine, or what this container may use of it
  double available = 0;  ///< without pushing others out
};
Memory memory();

/// The rate of a 512 x 512 x 512 product on `threads` threads, in GFLOP/s: the best of several
/// within about `seconds`.
double measured_gemm_gflops(int threads, double seconds = 0.25,
                            ProductPrecision precision = ProductPrecision::kFull);

/// The rate of independent fused multiply-adds in registers on one thread, in GFLOP/s, with the
/// widest instructions of this CPU: what its best product could reach.
double measured_fma_gflops();

/// GB/s of a = b + s c over arrays far larger than the caches, on all threads.
double measured_triad_gbps();

/// The vector instruction sets of this CPU that matter here, and those that this build uses.
std::vector<std::string> cpu_instructions();
std::vector<std::string> build_instructions();

/// The load of the last minute: how many programs had a core or waited for one, in the mean. 0 if
/// other programs took less than half of the cores in that minute or take less now, and if unknown.
double load_of_others();

/// The CPU's name as the system gives it.
std::string cpu_name();

/// The files mapped into this program whose names contain `part`, for example "openblas".
std::vector<std::string> loaded_libraries(const std::string& part);

}  // namespace gradus
