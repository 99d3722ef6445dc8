/// @file
/// Connects ranks with Open MPI, in a build with -Dmpi=true. No other file uses MPI, or the
/// variables that launchers set in the environment.

#include <chrono>
#include <cstdlib>
#include <thread>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"

#ifdef GRADUS_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>
#endif

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherLauncher = "but not by Open MPI's launcher";

/// A number in the environment, or 0.
int number_of(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atoi(value) : 0;
}

/// Refuses to run if several processes were started, because each would train alone.
/// @param size,rank names of the variables that the launcher sets for each process.
void refuse_several(const char* size, const char* rank, const std::string& why) {
  const int count = number_of(size);
  if (count > 1 && number_of(rank) > 0) {  // the first prints the error; its launcher ends the rest
    std::this_thread::sleep_for(std::chrono::seconds(5));
  }
  check(count < 2, size, "=", count, ": ", count, " processes were started, ", why,
        "; each would train alone (use './run cluster ", count,
        " train', or Open MPI's mpirun and a build with 'meson configure build -Dmpi=true')");
}

}  // namespace

fs::path folder_of_mpi() {
  const char* of_mpirun = std::getenv("PMIX_SERVER_TMPDIR");
  return of_mpirun != nullptr ? of_mpirun : fs::temp_directory_path();
}

bool is_spare_process() {
  return number_of("OMPI_COMM_WORLD_RANK") > 0 || number_of("PMI_RANK") > 0 ||
         number_of("PMIX_RANK") > 0;
}

std::string command_of_mpi(int ranks) { return text("mpirun -n ", ranks); }

#ifdef GRADUS_MPI
namespace {

/// The most numbers in a rank's part of a sum: few enough for a core's own cache. With 2^16, 57 MB
/// between two ranks of one machine took 15.2 ms instead of 11.4, and over TCP 28.6 instead of
/// 23.2.
constexpr Index kPiece = Index{1} << 18;
/// A message has at least this many numbers, if there are enough: smaller tensors are sent
/// together.
constexpr Index kLeastSent = 4096;
/// MPI's counts are ints.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

constexpr auto kNumber = [] { return sizeof(Scalar) == 4 ? MPI_FLOAT : MPI_DOUBLE; };

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  /// Sends large tensors from their own memory, and small ones together.
  void sum(std::span<const Tensor> tensors) override {
    const auto is_small = [this](const Tensor& x) { return x.size() < kLeastSent * size_; };
    std::vector<Scalar> small;
    for (const Tensor& x : tensors) {
      if (is_small(x)) {
        small.insert(small.end(), x.begin(), x.end());
      } else {
        sum_numbers(x.mutable_data(), x.size());
      }
    }
    sum_numbers(small.data(), std::ssize(small));
    const Scalar* next = small.data();
    for (const Tensor& x : tensors) {
      if (is_small(x)) {
        std::copy_n(next, x.size(), x.mutable_data());
        next += x.size();
      }
    }
  }

  void sum(std::span<double> numbers) override {
    const auto count = static_cast<int>(numbers.size());
    std::vector<double> all(numbers.size() * static_cast<std::size_t>(size_));
    MPI_Allgather(numbers.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = 0;
      for (std::size_t at = i; at < all.size(); at += numbers.size()) numbers[i] += all[at];
    }
  }

  void share(std::string& bytes) override {
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(size);
    for (std::size_t done = 0; done < size; done += kMostBytes) {
      const auto count = static_cast<int>(std::min(kMostBytes, size - done));
      MPI_Bcast(bytes.data() + done, count, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
  }

 private:
  void sum_numbers(Scalar* numbers, Index count) {
    const Index together = kPiece * size_;
    parts_.resize(static_cast<std::size_t>(together));
    for (; count > 0; numbers += together, count -= together) {
      sum_piece(numbers, std::min(count, together));
    }
  }

  /// Each rank gets one part of the numbers from all others, adds it up, and sends the sum to all.
  /// This moves as many bytes as a ring, and the order of addition does not depend on the network.
  void sum_piece(Scalar* numbers, Index count) {
    const Index part = (count + size_ - 1) / size_;
    const auto begin = [&](int rank) { return std::min(count, rank * part); };
    const auto size = [&](int rank) { return static_cast<int>(begin(rank + 1) - begin(rank)); };
    Scalar* own = numbers + begin(rank_);
    exchange([&](int rank) { return parts_.data() + rank * part; },
             [&](int) { return size(rank_); }, [&](int rank) { return numbers + begin(rank); },
             size);
    const auto of_rank = [&](int rank) {
      return rank == rank_ ? own : parts_.data() + rank * part;
    };
    const auto add = [n = size(rank_)](Scalar* a, const Scalar* b) {
      for (int i = 0; i < n; ++i) a[i] += b[i];
    };
    const Scalar* sum = sum_by_halves(0, size_, of_rank, add);
    if (sum != own) std::copy_n(sum, size(rank_), own);
    exchange([&](int rank) { return numbers + begin(rank); }, size, [&](int) { return own; },
             [&](int) { return size(rank_); });
  }

  /// Receives numbers from each other rank and sends numbers to it. The four functions take a rank:
  /// they return where its numbers lie, and how many they are.
  void exchange(const auto& got, const auto& got_size, const auto& sent, const auto& sent_size) {
    requests_.clear();
    const auto request = [this] { return &requests_.emplace_back(); };
    requests_.reserve(2 * static_cast<std::size_t>(size_));
    for (int i = 1; i < size_; ++i) {
      const int from = (rank_ + size_ - i) % size_, to = (rank_ + i) % size_;
      MPI_Irecv(got(from), got_size(from), kNumber(), from, 0, MPI_COMM_WORLD, request());
      MPI_Isend(sent(to), sent_size(to), kNumber(), to, 0, MPI_COMM_WORLD, request());
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  std::vector<Scalar> parts_;  // the other ranks' parts
  std::vector<MPI_Request> requests_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> joined_mpi() {
  // mpirun and srun set these variables. Without them the program need not wait for MPI_Init.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr && std::getenv("PMIX_RANK") == nullptr) {
    refuse_several("PMI_SIZE", "PMI_RANK", kOtherLauncher);
    refuse_several("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", kOtherLauncher);
    return nullptr;
  }
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  auto joined = std::make_unique<MpiRanks>();
  if (joined->size() > 1) return joined;
  MPI_Finalize();
  return nullptr;
}

int ranks_of_mpi_here() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int size = 1;
  MPI_Comm_size(machine, &size);
  MPI_Comm_free(&machine);
  return size;
}

void leave_mpi() { MPI_Finalize(); }

void abort_mpi(int status) {
  // mpirun ends the others when one process exits without MPI_Finalize. Under mpirun, MPI_Abort has
  // the same effect, but sends mpirun a message first. A second thread of Open MPI 4's mpirun
  // passes this message on without a lock, and now and then mpirun crashes.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

#else

std::unique_ptr<Ranks> joined_mpi() {
  refuse_several("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "but this build has no MPI");
  refuse_several("PMI_SIZE", "PMI_RANK", kOtherLauncher);
  refuse_several("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", kOtherLauncher);
  return nullptr;
}

int ranks_of_mpi_here() { return 1; }
void leave_mpi() {}
void abort_mpi(int status) { std::_Exit(status); }

#endif

}  // namespace gradus
