/// @file
/// Starts the ranks of chapter 23 on this machine, as mpirun does on many.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#if __has_include("pocket/ranks.h")
#include "pocket/ranks.h"  // of the program: with --mine, the reader's
#else
#include "tutorials/pocket/ranks.h"
#endif

namespace course {

using pocket::Ranks;

// [connected]
/// A socket for each pair of processes: ends[a][b] is a's end of the socket to b.
inline std::vector<std::vector<int>> connected(int size) {
  std::vector<std::vector<int>> ends(size, std::vector<int>(size, -1));
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b < a; ++b) {
      int pair[2];
      pocket::check(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "ranks: no more sockets");
      const int room = 1 << 18;  // bytes: some systems give less than the 32 kB that transfer needs
      for (const int end : pair) {
        setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
        setsockopt(end, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
      }
      ends[a][b] = pair[0], ends[b][a] = pair[1];
    }
  }
  return ends;
}
// [connected]

// [in_ranks]
/// Runs work(ranks) in `size` processes: rank 0 is this process, the others are copies. Kills a
/// copy that runs longer than `seconds`. Throws if any rank fails.
inline void in_ranks(int size, const std::function<void(Ranks&)>& work, unsigned seconds = 300) {
  const auto ends = connected(size);
  std::fflush(nullptr);  // otherwise each copy prints it again
  std::vector<pid_t> copies;
  int rank = 0;
  while (rank == 0 && std::ssize(copies) < size - 1) {
    copies.push_back(fork());  // returns twice: the copy's number here, and 0 in the copy
    if (copies.back() == 0) rank = static_cast<int>(copies.size());
  }
  if (rank > 0) alarm(seconds);
  const auto close_ends = [&](bool own) {
    for (int r = 0; r < size; ++r) {
      for (const int end : ends[r]) own == (r == rank) && end >= 0 && close(end);
    }
  };
  close_ends(false);  // a socket closes if no process has its other end open
  std::string failed;
  try {
    Ranks ranks{rank, size, ends[rank]};
    work(ranks);
  } catch (const std::exception& error) {
    failed = error.what();
  }
  close_ends(true);
  if (rank > 0) {
    if (!failed.empty()) std::fprintf(stderr, "rank %d: %s\n", rank, failed.c_str());
    std::fflush(nullptr);
    _exit(failed.empty() ? 0 : 1);
  }
  for (int r = 1; r < size; ++r) {
    int status = 0;
    waitpid(copies[r - 1], &status, 0);
    const std::string who = (failed.empty() ? "rank " : "; rank ") + std::to_string(r);
    if (WIFSIGNALED(status)) failed += who + " got signal " + std::to_string(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) failed += who + " failed";
  }
  pocket::check(failed.empty(), failed);
}
// [in_ranks]

}  // namespace course
