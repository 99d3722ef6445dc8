//! [23 head]
// Several processes that train one model: messages between them (POSIX), and sums over all ranks.
#pragma once

#include <sys/socket.h>

#include <span>

#include "learn.h"

namespace pocket {
//! [23 head]

//! [23 Ranks]
/// One of several processes. Ranks count from 0; a socket leads to each other process.
struct Ranks {
  int rank = 0, size = 1;
  std::vector<int> sockets = {};  // by the other process's rank
  Index sent = 0;                 // bytes, so far

  /// Sends to one rank and receives from another, in turns, 8,192 numbers at a time: a socket must
  /// have room for them. Exercise 23.1 shows why it does not send all numbers at once.
  void transfer(int to, std::span<const Scalar> out, int from, std::span<Scalar> in) {
    while (!out.empty() || !in.empty()) {
      const auto piece = out.first(std::min<std::size_t>(out.size(), 8192));
      const auto room = in.first(std::min<std::size_t>(in.size(), 8192));
      const Index bytes = Index(piece.size_bytes()), wanted = Index(room.size_bytes());
      check(bytes == 0 || send(sockets.at(to), piece.data(), bytes, MSG_NOSIGNAL) == bytes,
            "transfer: rank ", to, " is gone");
      check(wanted == 0 || recv(sockets.at(from), room.data(), wanted, MSG_WAITALL) == wanted,
            "transfer: rank ", from, " is gone");
      out = out.subspan(piece.size()), in = in.subspan(room.size());
      sent += bytes;
    }
  }
};
//! [23 Ranks]

//! [23 average]
/// Replaces each number by its sum over all ranks. All ranks call it with equally many numbers.
using Sum = std::function<void(Ranks&, std::span<Scalar>)>;

/// Replaces tensors by their mean over all ranks, with one sum for all their numbers.
inline void average(Ranks& ranks, std::vector<Tensor> tensors, const Sum& sum) {
  std::vector<Scalar> all;
  //! [23.2]
  for (const Tensor& x : tensors) all.insert(all.end(), x.begin(), x.end());
  sum(ranks, all);
  const Scalar* next = all.data();
  for (Tensor& x : tensors) {
    for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = *next++ / Scalar(ranks.size);
  }
  //! [23.2]
}
//! [23 average]

//! [23 gradients]
inline std::vector<Tensor> gradients(const std::vector<NamedTensor>& parameters) {
  std::vector<Tensor> list;
  for (const NamedTensor& x : parameters) list.push_back(x.tensor.grad());
  return list;
}
//! [23 gradients]

//! [23 ring_sum]
/// Part p of N parts of nearly the same size. p is from -N to 2 N - 1, and counts around.
inline std::span<Scalar> part(const Ranks& ranks, std::span<Scalar> numbers, int p) {
  const std::size_t n = ranks.size, k = (p + n) % n, first = numbers.size() * k / n;
  return numbers.subspan(first, numbers.size() * (k + 1) / n - first);
}

inline void ring_sum(Ranks& ranks, std::span<Scalar> numbers) {
  const int rank = ranks.rank, size = ranks.size;
  [[maybe_unused]] const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  std::vector<Scalar> arrived(numbers.size());
  //! [23.4]
  for (int step = 0; step < size - 1; ++step) {  // part p is added up on its way from rank p
    const std::span<Scalar> own = part(ranks, numbers, rank - step - 1);
    ranks.transfer(next, part(ranks, numbers, rank - step), before, {arrived.data(), own.size()});
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += arrived[i];
  }
  for (int step = 0; step < size - 1; ++step) {  // the sums go round once more
    const std::span<Scalar> sum = part(ranks, numbers, rank - step + 1);
    ranks.transfer(next, sum, before, part(ranks, numbers, rank - step));
  }
  //! [23.4]
}
//! [23 ring_sum]

//! [23 sum_in_order]
/// Each rank adds up one part, in the order of the ranks, and sends the sum to all ranks.
inline void sum_in_order(Ranks& ranks, std::span<Scalar> numbers) {
  const int rank = ranks.rank, size = ranks.size;
  const std::span<Scalar> own = part(ranks, numbers, rank);
  std::vector<std::vector<Scalar>> of(size, {own.begin(), own.end()});  // my part, by rank
  for (int k = 1; k < size; ++k) {
    const int to = (rank + k) % size, from = (rank + size - k) % size;
    ranks.transfer(to, part(ranks, numbers, to), from, of[from]);
  }
  //! [23.6]
  std::copy(of[0].begin(), of[0].end(), own.begin());
  for (int r = 1; r < size; ++r) {
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += of[r][i];
  }
  //! [23.6]
  for (int k = 1; k < size; ++k) {
    const int to = (rank + k) % size, from = (rank + size - k) % size;
    ranks.transfer(to, own, from, part(ranks, numbers, from));
  }
}

}  // namespace pocket
//! [23 sum_in_order]
