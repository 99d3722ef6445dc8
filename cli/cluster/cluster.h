/// @file
/// One training on several processes: who they are, what the first of them reads for all, and how
/// they end together.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cli/program/command.h"
#include "nn/files/digest.h"
#include "nn/train/ranks.h"

namespace gradus {

/// The ranks that this process is one of: a rank without others unless join_ranks() found some.
Ranks& ranks();

/// Meets the other processes that mpirun has started, if it has. From here on all but the first are
/// silent, and the cores of a machine are divided among its ranks. Makes sure that all have the
/// same build, arguments and number of threads.
/// @throws std::invalid_argument if they have not, or if this build knows nothing of mpirun.
void join_ranks(const Arguments& arguments);

/// How many of the ranks are on this machine.
int ranks_here();

/// Waits for the others and leaves them. Returns what this process is to end with: `status` of the
/// first, and 0 of the others, so that one speaks for all.
int leave_ranks(int status);

/// Called when this rank cannot go on: waits until the first has had the time to say why and to end
/// all, and then lets this one speak. Returns what its messages begin with: "rank 1 on host: ".
std::string trouble_of_rank();

/// Ends all ranks at once, where there are others. Returns `status`.
int end_ranks(int status);

/// How a training with as many ranks is started: `mpirun -n 2 gradus train`.
std::string train_on_ranks();

/// Makes sure that all ranks have the same.
/// @throws std::invalid_argument on all of them: `rank 2 has another WHAT than rank 0 (REMEDY)`.
void check_alike(const std::string& what, const Digest& own, const std::string& remedy);

/// What the first rank finds, for all; the others do not look.
template <class Find>
double found_by_first(const Find& find) {
  double number = ranks().is_first() ? find() : 0;
  ranks().sum({&number, 1});
  return number;
}

/// A file of the first rank for all: its own there, a copy elsewhere.
std::string shared_file(const std::string& file);

/// The same for the files of a folder, and not for folders in it.
std::filesystem::path shared_folder(const std::filesystem::path& folder, const char* name_of_copy);

/// Removes the copies, once all is read.
void remove_copies();

/// The processes that mpirun has started, or nullptr if it has started one or none. Only
/// mpi_ranks.cpp, which defines this, includes MPI.
/// @throws std::invalid_argument if there are others that would train alone.
std::unique_ptr<Ranks> joined_mpi();
/// Whether a launcher has started this process beside another that does the same: for commands
/// that several processes do not share, which the first does alone.
bool is_spare_process();
int ranks_of_mpi_here();                  ///< how many on this machine; asked by all at once
void leave_mpi();                         ///< waits for the others
[[noreturn]] void abort_mpi(int status);  ///< ends all at once
std::filesystem::path folder_of_mpi();    ///< removed however a process ends, or a temporary one
std::string command_of_mpi(int ranks);    ///< that starts so many of what follows

}  // namespace gradus
