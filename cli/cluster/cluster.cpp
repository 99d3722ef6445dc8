#include "cli/cluster/cluster.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "autograd/check.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"
#include "nn/files/read_model_file.h"
#include "nn/files/replace_folder.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

/// A failing rank waits kFirstSpeaks, so that rank 0 can print an error that all ranks have; then
/// the other ranks print theirs in turn, within kOthersSpeak.
constexpr std::chrono::milliseconds kFirstSpeaks{3000}, kOthersSpeak{5000};

/// The result of join_ranks().
struct Cluster {
  Ranks alone;
  std::unique_ptr<Ranks> joined;
  int here = 1;             // ranks on this machine
  int standard_error = -1;  // a silent rank's descriptor
  fs::path copies;          // folder of the files that rank 0 has sent
  int number_of_copies = 0;
};

Cluster& cluster() {
  static Cluster only;
  return only;
}

std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Sends standard output and error to /dev/null.
void fall_silent() {
  cluster().standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/// Divides a machine's cores among its ranks, unless the user or mpirun has already chosen how.
void share_cores() {
  const bool has_all = num_threads() >= static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (std::getenv("OMP_NUM_THREADS") == nullptr && has_all) {
    set_num_threads(std::max(1, num_threads() / ranks_here()));
  }
}

/// The path of a new copy, in the folder of copies. The first copy makes that folder.
fs::path new_copy(const fs::path& name) {
  Cluster& own = cluster();
  if (own.copies.empty()) {
    std::string folder = (folder_of_mpi() / "gradus-rank-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
      throw std::runtime_error(folder +
                               ": cannot be created (set TMPDIR to a folder with free space)");
    }
    own.copies = folder;
  }
  const fs::path folder = own.copies / std::to_string(++own.number_of_copies);
  make_folder(folder);
  return folder / name;
}

Digest digest_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest;
}

/// The digest of this program's version and bytes. If the system does not show the bytes, the
/// digest of the version alone.
Digest digest_of_program() {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  Digest digest = digest_of(kVersion);
  std::array<char, 1 << 16> piece{};
  while (program.read(piece.data(), piece.size()), program.gcount() > 0) {
    digest.add(std::string_view(piece.data(), static_cast<std::size_t>(program.gcount())));
  }
  return digest;
}

}  // namespace

Ranks& ranks() {
  Cluster& own = cluster();
  return own.joined ? *own.joined : own.alone;
}

void join_ranks(const Arguments& arguments) {
  cluster().joined = joined_mpi();
  if (!cluster().joined) {
    return;
  }
  if (!ranks().is_first()) {
    fall_silent();
  }
  cluster().here = ranks_of_mpi_here();
  share_cores();
  check_alike("build of gradus", digest_of_program(), "copy the same program to all machines");
  std::string all;
  for (const std::string& argument : arguments) all += argument + "\n";
  check_alike("command line", digest_of(all), "start all ranks with one mpirun command");
  check_alike("number of threads", digest_of(std::to_string(num_threads())),
              "results would round differently: set it for all with mpirun -x OMP_NUM_THREADS=1");
  const BlasInfo blas = blas_info();
  check_alike(
      "BLAS", digest_of(blas.name + " " + blas.core),
      "results would round differently: install the same BLAS on all machines, or select the same "
      "kernels with mpirun -x OPENBLAS_CORETYPE=Haswell");
}

int ranks_here() { return cluster().here; }

int leave_ranks(int status) {
  if (!cluster().joined) {
    return status;
  }
  remove_copies();
  // Waits for all ranks, because one may still fail: mpirun may hang if one aborts while others
  // leave.
  found_by_first([] { return 0; });
  leave_mpi();
  const bool is_first = ranks().is_first();
  cluster().joined.reset();
  return is_first ? status : 0;
}

std::string trouble_of_rank() {
  if (ranks().is_first()) {
    return "";
  }
  remove_copies();
  std::signal(SIGTERM, SIG_DFL);  // mpirun sends it after another rank's error
  const int others = ranks().size() - 1, before = ranks().rank() - 1;
  std::this_thread::sleep_for(kFirstSpeaks + before * kOthersSpeak / others);
  dup2(cluster().standard_error, STDERR_FILENO);
  return text("rank ", ranks().rank(), " on ", host(), ": ");
}

int end_ranks(int status) {
  if (cluster().joined) {
    abort_mpi(status);
  }
  return status;
}

std::string train_on_ranks() {
  const char* launcher = std::getenv("GRADUS_LAUNCHER");  // set by ./run
  const std::string gradus = ranks().size() == 1 ? program_name()
                             : launcher != nullptr
                                 ? launcher
                                 : command_of_mpi(ranks().size()) + " " + program_name();
  return gradus + " train";
}

void check_alike(const std::string& what, const Digest& own, const std::string& remedy) {
  const int rank = rank_that_differs(ranks(), own.value());
  check(rank == 0, "all ranks must have the same ", what, ", but rank ", rank,
        " differs from rank 0 (", remedy, ")");
}

std::string shared_file(const std::string& file) {
  if (ranks().size() == 1) {
    return file;
  }
  std::string name = fs::path(file).filename().string();
  std::string bytes = ranks().is_first() ? read_file(file, kAnySize) : "";
  ranks().share(name);
  ranks().share(bytes);
  if (ranks().is_first()) {
    return file;
  }
  const fs::path copy = new_copy(name);
  write_file(copy.string(), bytes);
  return copy.string();
}

fs::path shared_folder(const fs::path& folder, const char* name_of_copy) {
  if (ranks().size() == 1) {
    return folder;
  }
  const fs::path copy = ranks().is_first() ? folder : new_copy(name_of_copy);
  make_folder(copy);
  std::string names;
  if (ranks().is_first()) {
    for (const fs::directory_entry& entry : entries_of(folder)) {
      if (entry.is_regular_file()) names += entry.path().filename().string() + "\n";
    }
  }
  ranks().share(names);
  std::istringstream in(names);
  for (std::string name; std::getline(in, name);) {
    std::string bytes = ranks().is_first() ? read_file((folder / name).string(), kAnySize) : "";
    ranks().share(bytes);
    if (!ranks().is_first()) write_file((copy / name).string(), bytes);
  }
  return copy;
}

void remove_copies() {
  std::error_code ignored;
  if (!cluster().copies.empty()) {
    fs::remove_all(cluster().copies, ignored);
  }
}

}  // namespace gradus
