/// @file
/// One training on several processes (ranks): how they find each other, share the files that rank 0
/// reads, and end together.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cli/program/command.h"
#include "nn/digest.h"
#include "nn/train/ranks.h"

namespace gradus {

/// The ranks of this training; this process alone unless join_ranks() has found others.
Ranks& ranks();

/// Connects to the other processes, if mpirun has started any. From here on only rank 0 prints,
/// and the cores of a machine are divided among its ranks. Makes sure that all ranks
/// have the same build, arguments, number of threads and BLAS.
/// @throws std::invalid_argument if they differ, or if this build cannot connect to the processes
/// that were started.
void join_ranks(const Arguments& arguments);

/// How many of the ranks are on this machine.
int ranks_here();

/// Waits for the other ranks and disconnects from them. Returns the exit code for this process:
/// `status` on rank 0, and 0 on the others, so that rank 0 alone reports the status.
int leave_ranks(int status);

/// Call it when this rank cannot continue. On rank 0 it returns "" at once. On another rank it
/// waits until rank 0 has had time to print its error and to end all ranks, then makes this rank's
/// standard error visible again, and returns the prefix of its messages: "rank 1 on host: ".
std::string trouble_of_rank();

/// Ends all ranks at once with `status`, if there are others. Otherwise returns `status`.
int end_ranks(int status);

/// The command that starts a training with as many ranks: `mpirun -n 2 gradus train`.
std::string train_on_ranks();

/// Makes sure that all ranks have the same digest of WHAT.
/// @throws std::invalid_argument on all ranks: `all ranks must have the same WHAT, but rank 2
/// differs from rank 0 (REMEDY)`.
void check_alike(const std::string& what, const Digest& own, const std::string& remedy);

/// Calls `find` on rank 0 alone and returns its number on all ranks.
template <class Find>
double found_by_first(const Find& find) {
  double number = ranks().is_first() ? find() : 0;
  ranks().sum({&number, 1});
  return number;
}

/// Shares a file of rank 0 with all ranks. Returns the file itself on rank 0, a copy on the others.
std::string shared_file(const std::string& file);

/// The same for the files of a folder, without the folders in it.
std::filesystem::path shared_folder(const std::filesystem::path& folder, const char* name_of_copy);

/// Removes the copies, when everything has been read.
void remove_copies();

/// The processes that mpirun has started, or nullptr if it has started one or none. Only
/// mpi_ranks.cpp, which defines this, includes MPI.
/// @throws std::invalid_argument if there are others that this build cannot connect to, so that
/// each would train alone.
std::unique_ptr<Ranks> joined_mpi();
/// Whether a launcher has started this process as one of several, and it is not the first. Commands
/// that cannot use several processes run in the first process alone.
bool is_spare_process();
int ranks_of_mpi_here();                  ///< ranks on this machine; all ranks call it together
void leave_mpi();                         ///< waits for the other ranks
[[noreturn]] void abort_mpi(int status);  ///< ends all ranks at once
std::filesystem::path folder_of_mpi();    ///< mpirun's, which it always removes, or a temporary one
std::string command_of_mpi(int ranks);    ///< the beginning of one for that many ranks

}  // namespace gradus
