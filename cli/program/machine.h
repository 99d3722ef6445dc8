/// @file
/// Describes the machine and measures its speed, for a run's plan, its display, and
/// `gradus doctor`.
#pragma once

#include <string>
#include <vector>

#include "autograd/kernels/blas.h"

namespace gradus {

/// Memory, in bytes.
struct Memory {
  double total = 0;      ///< memory of the machine, or the limit of this container
  double available = 0;  ///< without taking memory from other programs
};
Memory memory();

/// The rate of a 512 x 512 x 512 product on `threads` threads, in GFLOP/s: the best of several
/// products within about `seconds` seconds.
double measured_gemm_gflops(int threads, double seconds = 0.25,
                            ProductPrecision precision = ProductPrecision::kFull);

/// The rate of independent fused multiply-adds in registers on one thread, in GFLOP/s, with the
/// widest instructions of this CPU. The best product on one thread could reach this rate.
double measured_fma_gflops();

/// The rate of a = b + s c in GB/s, over arrays far larger than the caches, on all threads.
double measured_triad_gbps();

/// The vector instruction sets of this CPU that speed up gradus, and the sets that this build uses.
std::vector<std::string> cpu_instructions();
std::vector<std::string> build_instructions();

/// The load of the last minute: the mean number of programs that had a core or waited for one. 0 if
/// other programs took less than half of the cores in that minute, or take less now, or if the load
/// is unknown.
double load_of_others();

/// The CPU's name as the system reports it.
std::string cpu_name();

/// The files mapped into this program whose names contain `part`, for example "openblas".
std::vector<std::string> loaded_libraries(const std::string& part);

}  // namespace gradus
