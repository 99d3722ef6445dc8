/// @file
/// Ranks that Open MPI connects, in a build with -Dmpi=true. Nothing else knows of MPI.

#include <chrono>
#include <cstdlib>
#include <thread>

#include "autograd/check.h"
#include "cli/cluster.h"

#ifdef GRADUS_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>
#endif

namespace gradus {
using namespace detail;

#ifdef GRADUS_MPI
namespace {

/// A piece of a sum is so many numbers at most: what is packed stays in a core's own cache. Pieces
/// four times as large took up to twice the time, between two ranks of one machine.
constexpr Index kPiece = Index{1} << 16;
/// MPI counts in int.
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

  /// Each rank gets a piece of the others' numbers, adds them up, and gives the sum to all: as many
  /// bytes as a ring moves, and an order that no network changes.
  void sum(std::span<const Tensor> tensors) override {
    Index left = 0;
    for (const Tensor& x : tensors) left += x.size();
    const Index piece = std::min(kPiece, (left + size_ - 1) / size_), together = piece * size_;
    std::vector<Scalar> all(static_cast<std::size_t>(together)), parts = all;
    const auto count = static_cast<int>(piece);
    for (Place from, to; left > 0; left -= together) {
      const Index used = std::min(left, together);
      walk(tensors, from, used, [&](Scalar* numbers, Index n, Index done) {
        std::copy_n(numbers, n, all.begin() + done);
      });
      std::fill(all.begin() + used, all.end(), Scalar(0));
      MPI_Alltoall(all.data(), count, kNumber(), parts.data(), count, kNumber(), MPI_COMM_WORLD);
      MPI_Allgather(added(parts, piece), count, kNumber(), all.data(), count, kNumber(),
                    MPI_COMM_WORLD);
      walk(tensors, to, used, [&](Scalar* numbers, Index n, Index done) {
        std::copy_n(all.begin() + done, n, numbers);
      });
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
  /// A number of a list of tensors.
  struct Place {
    std::size_t tensor = 0;
    Index number = 0;
  };

  /// Calls use(numbers, how many, how many before) for the next `count` numbers, in pieces that lie
  /// in one tensor.
  static void walk(std::span<const Tensor> tensors, Place& place, Index count, const auto& use) {
    for (Index done = 0; done < count;) {
      const Tensor& x = tensors[place.tensor];
      const Index n = std::min(x.size() - place.number, count - done);
      use(x.mutable_data() + place.number, n, done);
      done += n;
      place.number += n;
      if (place.number == x.size()) place = {place.tensor + 1, 0};
    }
  }

  /// The sum of all ranks' parts, in place of one of them.
  const Scalar* added(std::vector<Scalar>& parts, Index piece) const {
    const auto add = [piece](Scalar*& a, Scalar* const& b) {
      for (Index i = 0; i < piece; ++i) a[i] += b[i];
    };
    PairwiseSum<Scalar*, decltype(add)> sum(add);
    for (int rank = 0; rank < size_; ++rank) sum.add(parts.data() + rank * piece);
    return sum.total();
  }

  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> joined_mpi() {
  // What mpirun, or srun, sets. Without it, nobody waits for MPI_Init.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr && std::getenv("PMIX_RANK") == nullptr) {
    return nullptr;
  }
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  auto joined = std::make_unique<MpiRanks>();
  if (joined->size() > 1) return joined;
  MPI_Finalize();
  return nullptr;
}

int ranks_on_this_machine() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int size = 1;
  MPI_Comm_size(machine, &size);
  MPI_Comm_free(&machine);
  return size;
}

void leave_mpi() { MPI_Finalize(); }

void abort_mpi(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

#else

std::unique_ptr<Ranks> joined_mpi() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank != nullptr && std::atoi(rank) > 0) {  // the first speaks, and mpirun ends the others
    std::this_thread::sleep_for(std::chrono::seconds(5));
  }
  check(size == nullptr || std::atoi(size) < 2, "mpirun has started ", size,
        " processes, and this build knows nothing of MPI: each would train alone (use './run "
        "cluster ",
        size, " train', or build it by 'meson configure build -Dmpi=true')");
  return nullptr;
}

int ranks_on_this_machine() { return 1; }
void leave_mpi() {}
void abort_mpi(int status) { std::_Exit(status); }

#endif

}  // namespace gradus
