#include "tutorials/common/check.h"

#include "pocket/ranks.h"
#include "tutorials/23_several_machines/checking.h"
#include "tutorials/23_several_machines/order_of_calls.h"

using namespace course;
using namespace pocket;
using gradus::green, gradus::red;

namespace {

void ask(int size, std::size_t count, Scalar scale = 1) {
  const std::string what = ranks_and_numbers(size, count) + (scale > 1 ? ", large" : "");
  const auto begin = [&](int rank) { return drawn(count + 2, rank, scale); };
  const auto in_ring = [&](Ranks& ranks, Numbers& numbers) {
    Ranks ring = ranks;  // which reaches its two neighbours only
    for (int r = 0; r < ranks.size; ++r) {
      const int distance = (r - ranks.rank + ranks.size) % ranks.size;
      if (distance > 1 && distance + 1 < ranks.size) ring.sockets[r] = -1;
    }
    count_calls();
    ring_sum(ring, std::span(numbers).first(count));
    numbers[count] = waited, numbers[count + 1] = Scalar(std::max(sent, received));
    ranks.sent = ring.sent;
  };
  const Ended ended =
      after(size, begin, in_ring, "in a ring, a rank sends to next only, and receives from before");
  const std::vector<Numbers> of = of_ranks(size, begin);
  must_agree(
      what, ended, count, [&](std::size_t i) { return sum_at(of, i); }, 1e-5 * scale * size,
      "rank r sends part r - step, and adds what arrives to the part before it; in the second "
      "half, it sends the sum of part r + 1 first");
  for (int r = 0; r < size; ++r) {
    std::size_t parts = 0;  // all but two, and all but one more, as part() cuts them
    for (int step = 0; step + 1 < size; ++step) {
      for (const int p : {(r - step + size) % size, (r - step + 1 + size) % size}) {
        parts += count * std::size_t(p + 1) / std::size_t(size) -
                 count * std::size_t(p) / std::size_t(size);
      }
    }
    if (ended.sent[r] != Index(parts * sizeof(Scalar))) {
      red(what, ": rank ", r, " sent ", ended.sent[r], " bytes, expected ", parts * sizeof(Scalar),
          "\nlikely cause: a step sends one part");
    }
    const auto transfers = static_cast<int>(ended.numbers[r][count + 1]);
    if (transfers > 2 * (size - 1) && count <= 8192) {  // which one transfer sends by one call
      red(what, ": rank ", r, " called transfer ", transfers, " times, expected ", 2 * (size - 1),
          "\nlikely cause: once in a step, with a whole part");
    }
    const bool all_have_parts = count >= std::size_t(size);  // of an empty one nothing is sent
    if (ended.numbers[r][count] != 0 && all_have_parts) {
      red(what, ": rank ", r,
          " waited for the numbers of the rank before it sent its own\nlikely cause: all send at "
          "once, each in one call of transfer");
    }
  }
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  ask(2, 2);
  ask(3, 3);
  ask(3, 9);
  ask(4, 10);
  ask(5, 3);
  ask(1, 4);
  ask(3, 0);
  ask(4, 1000, 1e4);
  Dice dice;
  for (int i = 0; i < 10; ++i) ask(dice.from(2, 9), std::size_t(dice.from(0, 40)));
  ask(3, 600000);  // a part is larger than a socket's buffer
}
