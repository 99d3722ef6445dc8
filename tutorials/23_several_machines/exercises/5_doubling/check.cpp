#include "tutorials/common/check.h"

#include <sys/resource.h>

#include "tutorials/23_several_machines/checking.h"
#include "tutorials/23_several_machines/exercises.h"
#include "tutorials/23_several_machines/order_of_calls.h"

using namespace course;
using gradus::green, gradus::red;

namespace {

void ask(int size, std::size_t count, Scalar scale = 1) {
  const std::string what = ranks_and_numbers(size, count) + (scale > 1 ? ", large" : "");
  const auto begin = [&](int rank) { return drawn(count + 1, rank, scale); };
  const Ended ended = after(size, begin, [&](Ranks& ranks, Numbers& numbers) {
    count_calls();
    my_sum_by_doubling(ranks, std::span(numbers).first(count));
    numbers[count] = waited ? -1 : sent;
  });
  Index times = 0;
  for (int n = 1; n < size; n *= 2) ++times;
  const std::vector<Numbers> of = of_ranks(size, begin);
  must_agree(
      what, ended, count, [&](std::size_t i) { return sum_at(of, i); }, 1e-5 * scale * size,
      "is every rank's number in it, and only once?");
  for (int r = 0; r < size; ++r) {
    const Index bytes = times * Index(count * sizeof(Scalar));
    if (ended.sent[r] != bytes) {
      red(what, ": rank ", r, " sent ", ended.sent[r], " bytes, expected ", bytes,
          "\nlikely cause: log2 N transfers, each of all numbers");
    }
    const auto calls = static_cast<Index>(ended.numbers[r][count]);
    if (calls > times && count <= 8192) {  // which transfer() sends by one call
      red(what, ": rank ", r, " made ", calls, " transfers, expected ", times,
          "\nlikely cause: log2 N transfers, each of all numbers");
    }
    if (calls < 0) {
      red(what, ": rank ", r,
          " waited for its partner's numbers before it sent its own\nlikely cause: both partners "
          "send at once, each in one call of transfer");
    }
  }
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  rlimit files{};  // 32 ranks need 992 sockets, more than some systems give without being asked
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4096);
  setrlimit(RLIMIT_NOFILE, &files);
  ask(2, 3);
  ask(4, 5);
  ask(8, 7);
  ask(1, 4);
  ask(16, 2);
  ask(32, 1);
  ask(4, 0);
  ask(4, 100, 1e4);
  Dice dice;
  for (int i = 0; i < 8; ++i) ask(1 << dice.from(1, 4), std::size_t(dice.from(0, 3000)));
  ask(4, 200000);
}
