/// @file
/// What a program of this repository does before anything else.
#pragma once

namespace gradus {

/// Puts right what can only be set before OpenBLAS loads, by setting it and running the program
/// again, once.
///
/// - Where OpenBLAS does not know the CPU it falls back to kernels many times slower (its issue
///   4267): OPENBLAS_CORETYPE names the right ones. Not touched if the core fits or it is set.
/// - Where address space is limited, OpenBLAS is kept from starting threads: OPENBLAS_NUM_THREADS.
///
/// Does nothing if GRADUS_KEEP_ENVIRONMENT is set. To be called first thing in main(). The library
/// never does it by itself: whether a program may be run again is for the program to say.
void prepare_process(char** argv);

}  // namespace gradus
