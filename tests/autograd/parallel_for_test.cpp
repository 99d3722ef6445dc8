#include "autograd/kernels/parallel_for.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

using Pieces = std::vector<std::pair<Index, Index>>;

/// The pieces that parallel_for makes, in order.
Pieces pieces_of(Index n, Index grain) {
  Pieces pieces;
  std::mutex mutex;
  parallel_for(n, grain, [&](Index begin, Index end) {
    const std::lock_guard lock(mutex);
    pieces.emplace_back(begin, end);
  });
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

}  // namespace

TEST_CASE("parallel_for: one contiguous piece for each thread, by position alone") {
  const ThreadScope scope(3);
  CHECK(pieces_of(10, 1) == Pieces{{0, 3}, {3, 6}, {6, 10}});
  CHECK(pieces_of(2, 1) == Pieces{{0, 1}, {1, 2}});
  CHECK(pieces_of(10, 4) == Pieces{{0, 3}, {3, 6}, {6, 10}});
  CHECK(pieces_of(10, 5) == Pieces{{0, 5}, {5, 10}});
}

TEST_CASE("parallel_for: work no larger than the grain stays on the calling thread") {
  const ThreadScope scope(4);
  CHECK(pieces_of(10, 10) == Pieces{{0, 10}});
  CHECK(pieces_of(1, 1) == Pieces{{0, 1}});
  CHECK(pieces_of(0, 1) == Pieces{{0, 0}});
}

TEST_CASE("parallel_for: every item once, for any number of threads") {
  for (const int threads : {1, 2, 3, 7, 16}) {
    const ThreadScope scope(threads);
    CHECK(num_threads() == threads);
    for (const Index n : {1, 2, 5, 16, 97, 1009}) {
      std::vector<int> seen(n, 0);
      parallel_for(n, 1, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          ++seen[i];
        }
      });
      CHECK(std::count(seen.begin(), seen.end(), 1) == n);
    }
  }
}

TEST_CASE("parallel_parts: every part once, also more parts than threads") {
  std::vector<int> seen(23, 0);
  parallel_parts(23, [&](int part) { ++seen[part]; });
  CHECK(seen == std::vector<int>(23, 1));
}

TEST_CASE("parallel_for: inside another it runs on the thread it is on") {
  const ThreadScope scope(2);
  CHECK_FALSE(in_parallel());
  std::atomic<int> outer = 0, inner = 0;
  parallel_for(2, 1, [&](Index, Index) {
    ++outer;
    CHECK(parts_for(1000, 1) == (in_parallel() ? 1 : 2));
    parallel_for(1000, 1, [&](Index begin, Index end) {
      ++inner;
      static_cast<void>(begin + end);
    });
  });
  CHECK(outer == 2);
  CHECK(inner == 2);
}

TEST_CASE("parallel_for: an exception in a part reaches the caller") {
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    const auto fails = [](Index, Index end) { check(end < 10, "piece: no room for ", end); };
    CHECK_FAILS(parallel_for(10, 1, fails), "piece: no room for 10");
    CHECK(pieces_of(10, 10) == Pieces{{0, 10}});
  }
}

TEST_CASE("parallel_for: pieces that no thread comes to are the caller's") {
  // A forked child has none of its parent's threads, as if other programs used all cores.
  const ThreadScope scope(3);
  REQUIRE(pieces_of(9, 1).size() == 3);  // so that the threads exist
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    _exit(pieces_of(9, 1) == Pieces{{0, 3}, {3, 6}, {6, 9}} ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("parallel_for: two threads at once") {
  const ThreadScope scope(3);
  std::atomic<int> wrong = 0;
  const auto work = [&] {
    for (int i = 0; i < 200; ++i) {
      wrong += pieces_of(30, 1) != Pieces{{0, 10}, {10, 20}, {20, 30}};
    }
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(wrong == 0);
}

TEST_CASE("parallel_for: of several exceptions, the first part's is rethrown") {
  const ThreadScope scope(4);
  for (int i = 0; i < 20; ++i) {
    CHECK_FAILS(parallel_for(4, 1, [](Index begin, Index) { fail("piece ", begin); }), "piece 0");
  }
}

TEST_CASE("parallel_for: part boundaries of very long arrays do not overflow") {
  const Index n = Index{1} << 55;
  CHECK(part_begin(n, 0, 64) == 0);
  CHECK(part_begin(n, 63, 64) == n / 64 * 63);
  CHECK(part_begin(n, 64, 64) == n);
}

TEST_CASE("set_num_threads: at least one") {
  CHECK_FAILS(set_num_threads(0), "set_num_threads: needs at least 1 thread, got 0");
  CHECK_FAILS(set_num_threads(-2), "got -2");
}
